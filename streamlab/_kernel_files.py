"""Which files a kernel depends on: its own and what that imports, directly or through others."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import threading
from pathlib import Path
from typing import NamedTuple

__all__ = ["digest", "kernel_files"]

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_KERNELS, _INNER = os.path.join(_FOLDER, "kernels.py"), os.path.join(_FOLDER, "inner_kernels.py")


class _SourceFile(NamedTuple):
    """What is known about a Python file."""

    stamp: tuple[int, int]
    content: bytes
    """A hash of it."""
    imports: tuple[str, ...]
    """The files of its own package and of streamlab that it imports."""


_files: dict[str, _SourceFile | None] = {}
_digests: dict[str, str] = {}
_files_lock = threading.Lock()


def digest(source: str) -> str:
    """Return a hash, 16 hexadecimal digits, of the files that a kernel of the file ``source`` may depend on.

    A file is read once, and all are read again if ``source`` has changed (a module reloaded): what this process has
    imported does not change with its file.
    """
    with _files_lock:
        known = _files.get(source)
        if source not in _digests or known is None or known.stamp != _stamp_of(source):
            if known is not None and known.stamp != _stamp_of(source):
                _files.clear()
                _digests.clear()
            _digests[source] = _hash_of(_used_by(source))
        return _digests[source]


def kernel_files(source: str) -> frozenset[str]:
    """Return the files with kernels among a file and those of its package and of streamlab that it imports."""
    with _files_lock:
        return frozenset(path for path, known in _used_by(source).items() if _KERNELS in known.imports)


def _hash_of(files: dict[str, _SourceFile]) -> str:
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(os.path.relpath(path, _package_of(path)).encode() + b"\0" + files[path].content)
    return digest.hexdigest()[:16]


def _used_by(source: str) -> dict[str, _SourceFile]:
    """Return a file, what it imports, what that imports, and so on."""
    found: dict[str, _SourceFile] = {}
    left = [source, _KERNELS, _INNER]
    while left:
        path = left.pop()
        if path in found:
            continue
        if path not in _files:
            _files[path] = _read(path)
        known = _files[path]
        if known is not None:
            found[path] = known
            left += known.imports
    return found


def _read(path: str) -> _SourceFile | None:
    """Return what is known of a file; None where there is none (deleted since, or an editor's dangling link)."""
    try:
        stamp, text = _stamp_of(path), Path(path).read_bytes()
    except OSError:
        return None
    imports: set[str] = set()
    for found in _IMPORT.finditer(text) if path != _KERNELS else ():
        module, names, modules = (None if each is None else each.decode("utf-8", "replace") for each in found.groups())
        if modules is not None:
            imports.update(_first_file([name], path) for name in _names(modules))
        elif module is not None and names is not None:
            module = _absolute(module, path)
            imports.update(_first_file([f"{module}.{name}", module], path) for name in _names(names) or ["*"])
    imports.discard("")
    return _SourceFile(stamp, hashlib.sha256(text).digest(), tuple(sorted(imports)))


# Parsing what is read would take longer than loading its kernels; a sentence of a docstring that is taken for an import
# does no harm.
_IMPORT = re.compile(
    rb"(?:^|[;:])[ \t]*"
    rb"(?:from(?=[\s.\\])[\s\\]*([.\w]+)[\s\\]*\bimport\b[ \t\\\r\n]*(\((?:[^)#]|#[^\n]*)*\)|(?:[^\n;#\\]|\\\s)*)"
    rb"|import[ \t\\]+((?:[^\n;#\\]|\\\s)*))",
    re.MULTILINE,
)


def _names(imported: str) -> list[str]:
    """Return the names of a list such as ``a.b as c, d``, which may have comments in it."""
    each = re.sub(r"#.*", "", imported).strip("()").split(",")
    return [words[0] for one in each if (words := re.findall(r"[\w.*]+", one))]


def _absolute(module: str, path: str) -> str:
    """Return the name of the module that names are imported from, as seen from the folder around the file's package."""
    name = module.lstrip(".")
    level = len(module) - len(name)
    if not level:
        return name
    above, package = list(Path(path).parents), _package_of(path)
    folder = above[min(level, len(above)) - 1]
    return ".".join((*folder.relative_to(package.parent).parts, name)) if folder.is_relative_to(package) else name


def _first_file(names: list[str], path: str) -> str:
    """Return the file of the first of some modules that is of the package of ``path``, or of streamlab; else ""."""
    roots = dict.fromkeys([_package_of(path), _package_of(_KERNELS)])
    return next((found for name in names for root in roots if (found := _file_of(name, root)) is not None), "")


def _file_of(name: str, package: Path) -> str | None:
    """Return the file of a module, if it is of a package (or in a folder beside the others that is not a package)."""
    parts = name.split(".")
    if package.name in parts:  # what is in a namespace has it in front of the package's name
        base = package.joinpath(*parts[parts.index(package.name) + 1 :])
    elif not (package / "__init__.py").is_file():
        base = package.joinpath(*parts)
    else:
        return None
    for path in (f"{base}.py", os.path.join(base, "__init__.py")):
        if os.path.isfile(path):
            return path
    return None


@functools.cache
def _package_of(file: str) -> Path:
    """The outermost folder with an ``__init__.py`` around a file, or the folder that it is in."""
    folder = Path(file).parent
    while (folder / "__init__.py").is_file() and (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _stamp_of(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size
