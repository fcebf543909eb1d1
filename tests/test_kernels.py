"""The kernels' decorator: what is compiled is announced, what runs lets other threads run."""

from __future__ import annotations

import ast
import inspect
import os
import pickle
import re
import subprocess
import sys
import tempfile
import textwrap
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from streamlab import _kernel_files, kernels
from streamlab._kernel_files import _used_by, digest
from streamlab.inner_kernels import InnerKernel
from streamlab.kernels import kernel, on_compile

compiled_only = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="kernels are plain functions under NUMBA_DISABLE_JIT"
)


def test_others_kernels_are_not_announced():
    heard = []
    stop = on_compile(heard.append)

    @numba.njit
    def foreign(x):
        return x + 1

    assert foreign(1) == 2
    stop()
    assert heard == []


def own_kernels() -> list[Any]:
    """All kernels of the package."""
    root = Path(kernels.__file__).parent
    found = []
    for path in sorted(root.rglob("*.py")):
        if re.search(r"^@kernel", path.read_text(encoding="utf-8"), re.MULTILINE):
            module = import_module(".".join(path.relative_to(root.parent).with_suffix("").parts))
            found += [each for each in vars(module).values() if hasattr(each, "py_func")]
    return list(dict.fromkeys(found))


@compiled_only
def test_every_kernel_is_cached_and_frees_the_lock():
    found = own_kernels()
    assert len(found) > 100
    for function in found:
        assert function.targetoptions.get("nogil"), function
        assert not function.targetoptions.get("parallel"), function
        # the code of a kernel that only kernels call is in their cache
        assert isinstance(function, InnerKernel) or type(function._cache).__name__ == "_KernelCache", function


@kernel(arrays=True)
def doubled(values):
    return 2 * values


@kernel
def doubled_in_silence(values):
    return 2 * values


@kernel
def sum_of_doubled(values):
    return doubled(values).sum()


@kernel(inner=True)
def itself(values):
    return values


@kernel
def sum_of_itself(values):
    return itself(values).sum()


@kernel(arrays=True)
def sum_of_a_copy(values):
    return itself(values.copy()).sum()


@compiled_only
def test_references_are_counted_where_arrays_are_made():
    values = np.arange(3.0)
    before = sys.getrefcount(values)
    assert [list(doubled(values)), sum_of_itself(values)] == [[0.0, 2.0, 4.0], 3.0]
    assert sys.getrefcount(values) == before
    for wrong, named in ((doubled_in_silence,) * 2, (sum_of_doubled,) * 2, (sum_of_a_copy, itself)):
        with pytest.raises(TypeError, match=rf"{named.py_func.__name__} .*array.*expected @kernel\(arrays=True\)"):
            wrong(values)


def test_arrays_apart_are_promised_of_inner_kernels_alone():
    with pytest.raises(TypeError, match=r"add .*not inner.*expected @kernel\(inner=True, apart=True\)"):

        @kernel(apart=True)
        def add(values, others):
            values += others


# ---------------------------------------------------------------------- the cache: valid for one state of all files

MAIN = """
from streamlab.kernels import kernel
from scaling.helper import scale

@kernel
def scaled(x):
    return scale(x) + 1
"""
HELPER = """
{above}from streamlab.kernels import kernel
FACTOR = {factor}

@kernel
def scale(x):
    return FACTOR * x
"""
RUN = """
from scaling.main import scaled

result = scaled(10)
stats = scaled.stats
print([result, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), stats.cache_path])
"""


class Package:
    """A package with kernels in two files, outside of streamlab."""

    def __init__(self, folder: Path, cache: Path | None, user_cache: Path | None = None) -> None:
        self.folder, self.sources = folder, folder / "scaling"
        self.sources.mkdir(parents=True)
        (self.sources / "__init__.py").touch()
        (self.sources / "main.py").write_text(MAIN)
        self.write_helper(2)
        (self.sources / "words.py").write_text("GREETING = 1\n")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        self.environment["PYTHONPATH"] = str(folder)
        if cache is not None:
            self.environment["NUMBA_CACHE_DIR"] = str(cache)
        if user_cache is not None:
            self.environment["XDG_CACHE_HOME"] = str(user_cache)

    def write_helper(self, factor: int, above: str = "") -> None:
        (self.sources / "helper.py").write_text(HELPER.format(factor=factor, above=above))

    def run(self, before: str = "") -> tuple[int, int, int, Path | None]:
        """Result of the kernel, how often it was read from the cache and how often compiled, and the cache's folder."""
        done = subprocess.run(
            [sys.executable, "-c", before + RUN], env=self.environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        self.said = done.stderr
        result, hits, misses, path = ast.literal_eval(done.stdout)
        return result, hits, misses, path and Path(path)


FULL = """
import errno, os
from numba.core import caching

def full(*args, **kwargs):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

caching.IndexDataCacheFile._save_data = full
"""


@compiled_only
def test_an_edit_of_another_kernel_file_takes_effect_and_neither_one_without_kernels_nor_a_full_disk(tmp_path):
    package = Package(tmp_path, tmp_path / "cache")
    assert package.run(FULL)[0] == 21
    assert package.said.count("\n") == 1
    assert "No space left on device" in package.said
    *first, folder = package.run()
    assert first == [21, 0, 1], "nothing wrong was left behind"
    assert folder.is_relative_to(tmp_path / "cache")
    (package.sources / "words.py").write_text("GREETING = 2\n")
    assert package.run()[:3] == (21, 1, 0)
    package.write_helper(3)
    assert package.run()[:3] == (31, 0, 1)


@pytest.mark.nightly
@compiled_only
def test_what_is_stale_does_not_pile_up(tmp_path):
    package = Package(tmp_path, tmp_path / "cache")
    folder = package.run()[-1]
    first = sorted(path.name for path in folder.iterdir())
    assert any(name.endswith(".nbi") for name in first)
    (folder / "other.f-1.py311.nbi").write_bytes(b"of another program")
    (folder / "words.f-1.py311-k0123456789abcdef.nbi").write_bytes(b"of another file, which has versions of its own")
    for factor in (3, 4, 5):
        package.write_helper(factor, above="# a line more: numba's names hold the line's number\n" * factor)
        package.run()
    others = {"other.f-1.py311.nbi", "words.f-1.py311-k0123456789abcdef.nbi"}
    names = sorted(path.name for path in folder.iterdir() if path.name not in others)
    assert len(names) == len(first)
    assert not set(names) & set(first)
    assert all((folder / name).exists() for name in others)


# ---------------------------------------------------------------------- caches that cannot be written, or are damaged


class Hardened(Package):
    """The package where neither it nor the home can be written to; root may write anywhere, so files are in the way."""

    def __init__(self, folder: Path, cache: Path | None = None) -> None:
        wall = folder / "a file"
        folder.mkdir(exist_ok=True)
        wall.touch()
        super().__init__(folder / "installed", cache, wall / "cache")
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.environment |= {"HOME": str(wall), "TMPDIR": str(self.temporary)}
        (self.sources / "__pycache__").touch()


@compiled_only
def test_a_cache_folder_that_cannot_be_written_is_one_line(tmp_path):
    package = Hardened(tmp_path, tmp_path / "a file" / "cache")
    assert package.run()[:3] == (21, 0, 1)
    assert package.said.startswith("NUMBA_CACHE_DIR=")
    assert package.said.count("\n") == 1
    assert package.run()[:3] == (21, 1, 0)


def test_what_an_image_was_built_with_is_used_though_it_cannot_be_written(tmp_path):
    built = kernels._CheckedCacheFile(str(tmp_path), "base", "stamp")
    built.save("signature", "code")
    before = sorted(tmp_path.iterdir())
    (tmp_path / "own").mkdir()
    own = kernels._CheckedCacheFile(str(tmp_path / "own"), "base", "stamp", [str(tmp_path)])
    assert own.load("signature") == "code"
    assert own.load("another") is None
    own.save("another", "more code")
    assert own.load("another") == "more code"
    assert sorted(path for path in tmp_path.iterdir() if path.name != "own") == before


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["truncated", "emptied", "a bit", "text", "a pickle", "a folder"])
def test_a_damaged_entry_counts_as_absent(tmp_path, suffix, damage):
    file = kernels._CheckedCacheFile(str(tmp_path), "base", "stamp")
    file.save("signature", ["code"] * 50)
    assert file.load("signature") == ["code"] * 50
    (path,) = tmp_path.glob(f"*.{suffix}")
    content = path.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 4
    path.unlink()
    if damage == "a folder":
        path.mkdir()
        assert file.load("signature") is None
        return
    path.write_bytes(
        {
            "truncated": content[: len(content) // 2],
            "emptied": b"",
            "a bit": bytes(flipped),
            "text": b"no pickle at all",
            "a pickle": pickle.dumps(("stamp", {"signature": "base.1.nbc"})),
        }[damage]
    )
    assert file.load("signature") is None
    file.save("signature", ["new"])
    assert file.load("signature") == ["new"]


def test_an_entry_of_another_signature_is_not_taken(tmp_path):
    # what a disk that was full leaves: the index is written, its data is not, and old data has the same name
    file = kernels._CheckedCacheFile(str(tmp_path), "base", "stamp")
    file.save("old", "old code")
    file._save_index({"new": "base.1.nbc"})
    assert file.load("new") is None


FILES = {
    "__init__.py": "GREETING = 1",
    "inner/__init__.py": "",
    "inner/main.py": """
        import scaling.inner.plain as plain, math
        from streamlab.kernels import kernel
        from .. import (  # a comment (in brackets)
            helper,
        )

        def late():
            from ..late import LATE
    """,
    "inner/plain.py": "LIMIT = 3",
    "helper.py": "from scaling.constants import FACTOR",
    "constants.py": "FACTOR = 2",
    "late.py": "LATE = 1",
    "user.py": "from scaling.inner.main import late",
    "words.py": "GREETING = 1",
}


@pytest.mark.parametrize("edited", FILES)
def test_a_kernel_becomes_stale_with_the_files_that_it_imports_and_no_others(tmp_path, monkeypatch, edited):
    for name, text in FILES.items():
        path = tmp_path / "scaling" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    source = str(tmp_path / "scaling" / "inner" / "main.py")
    digests = []
    for _ in range(2):
        monkeypatch.setattr(_kernel_files, "_files", {})
        monkeypatch.setattr(_kernel_files, "_digests", {})
        digests.append(digest(source))
        with (tmp_path / "scaling" / edited).open("a") as file:
            file.write("\nMORE = 1\n")
    used = {"inner/main.py", "inner/plain.py", "helper.py", "constants.py", "late.py"}
    assert (digests[0] != digests[1]) == (edited in used)


def module_file(thing: Any) -> str:
    return str(sys.modules[thing.__module__].__file__)


@compiled_only
def test_whatever_a_kernel_calls_counts_with_it_and_no_learner_with_all_others():
    found = own_kernels()
    assert len(found) > 100
    for each in found:
        files = _used_by(inspect.getfile(each.py_func))
        for name in each.py_func.__code__.co_names:
            called = each.py_func.__globals__.get(name)
            if getattr(called, "__module__", "").startswith("streamlab"):
                assert module_file(called) in files, (each, name)
    smart = _used_by(inspect.getfile(import_module("streamlab.learners.smart._kernels")))
    assert {Path(path).parent.name for path in smart} == {"streamlab", "base", "smart"}


def test_every_import_of_the_package_is_seen():
    for path in Path(kernels.__file__).parent.rglob("*.py"):
        text = path.read_bytes()
        written, seen = set(), set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                written |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                written |= {("." * node.level + (node.module or ""), each.name) for each in node.names}
        for match in _kernel_files._IMPORT.finditer(text):
            module, names, modules = (each and each.decode() for each in match.groups())
            seen |= (
                {(module, name) for name in _kernel_files._names(names)}
                if module
                else set(_kernel_files._names(modules))
            )
        assert written <= seen, path


def test_a_reloaded_module_counts_as_it_is_now_and_no_file_changes_under_what_was_imported(tmp_path):
    main, helper = tmp_path / "main.py", tmp_path / "helper.py"
    main.write_text("from helper import scale\n")
    helper.write_text("FACTOR = 1\n")
    before = digest(str(main))
    helper.write_text("FACTOR = 22\n")
    assert digest(str(main)) == before, "this process has imported the old one"
    main.write_text("from helper import scale  # reloaded\n")
    changed = digest(str(main))
    assert changed != before
    helper.write_text("FACTOR = 333\n")
    main.write_text("from helper import scale\n")
    assert digest(str(main)) not in (before, changed)


@pytest.mark.skipif(kernels.fcntl is None, reason="this system has no such locks")
def test_of_two_processes_that_want_a_kernel_the_second_waits_and_loads_it(tmp_path):
    path = str(tmp_path / "kernel.turn")
    first, second = kernels._Turn(path), kernels._Turn(path)
    assert not first.take()
    waited = []
    other = threading.Thread(target=lambda: waited.append(second.take()))
    other.start()
    other.join(0.2)
    assert other.is_alive()
    first.give_back()
    other.join(30)
    assert waited == [True]
    second.give_back()
    assert not list(tmp_path.iterdir())


@compiled_only
def test_a_kernel_that_cannot_be_compiled_keeps_nobody_waiting():
    @kernel
    def wrong(x):
        return x.nothing

    with pytest.raises(numba.TypingError):
        wrong(1)
    assert wrong._cache._turn._held == 0


@compiled_only
def test_a_constant_that_a_kernel_is_given_makes_no_other_version_of_it():
    @kernel
    def inner(x):
        return x + 1

    @kernel
    def outer(x):
        return inner(0) + inner(2) + inner(x)

    assert outer(3) == 8
    assert len(inner.overloads) == 1


def test_a_folder_that_others_can_reach_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    folder = Path(kernels._private_folder())
    assert folder.parent == tmp_path
    folder.chmod(0o750)
    with pytest.raises(PermissionError, match="is not a folder of this user alone"):
        kernels._private_folder()
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError, match="is not a folder of this user alone"):
        kernels._private_folder()
