"""Compile kernels: the decorator they all use, their cache on disk, and a message to the user while numba compiles.

Numba's own cache looks only at the file in which a kernel is written. A kernel that calls kernels of other files would
keep running their old code after an edit (numba #9483, #8359). Here a cached kernel is valid only as long as neither
its file has changed nor any that this imports, directly or through others.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import glob
import hashlib
import inspect
import logging
import os
import pickle
import re
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba.core import caching, event

from streamlab._kernel_files import digest
from streamlab._kernel_files import kernel_files as kernel_files
from streamlab.inner_kernels import InnerKernel, KernelCompiler, refusal, refuse_lost_references, without_constants

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["kernel"]

logger = logging.getLogger("streamlab")
Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def kernel(function: Function, /) -> Function: ...
@overload
def kernel(function: None = None, /, **options: Any) -> Callable[[Function], Function]: ...
def kernel(function: Any = None, /, *, arrays: bool = False, **options: Any) -> Any:
    """Compile a function with numba, without the interpreter's lock, and keep the result in a cache on disk.

    A kernel in a thread must not stop the page, hence no lock (``nogil``). It is compiled once for this machine, not
    once for each process. The cache is where numba keeps it: in ``NUMBA_CACHE_DIR`` if that is set, else in
    ``__pycache__`` beside the file, else in the user's cache folder. It becomes stale when the kernel's file changes,
    or a file that this imports, at its top or in a function, directly or through others. Files of the kernel's own
    package (the outermost folder with an ``__init__.py``; without one, the files beside it) and of streamlab count,
    with or without kernels in them, so constants and named tuples may stand anywhere. What is imported by a computed
    name is not seen.

    Parameters
    ----------
    function
        A function over arrays and numbers, in the Python that numba compiles.
    arrays
        Whether it makes arrays. In others numba counts no references: to count those of all arrays takes longer, at
        each call, than the arithmetic of a small kernel.
    **options
        More options of ``numba.njit``: ``@kernel(fastmath={"contract"})``. And ``inner=True`` for a kernel that only
        kernels call, which is then half as long to compile (``inner_kernels.InnerKernel``); of such a one,
        ``apart=True`` promises that no two arrays that it is given share memory.

    Raises
    ------
    TypeError
        At once, if ``apart`` is given without ``inner``. When it is first called, if it makes arrays, or gets one from
        a kernel that does, and does not say so.

    Examples
    --------
    >>> import numpy as np
    >>> @kernel
    ... def total(values):
    ...     result = 0.0
    ...     for value in values:
    ...         result += value
    ...     return result
    >>> total(np.array([1.0, 2.0, 3.5]))
    6.5
    """
    if function is None:
        return functools.partial(kernel, arrays=arrays, **options)
    options["_nrt"] = arrays
    apart, inner = options.pop("apart", False), options.pop("inner", False)
    if apart and not inner:
        raise refusal(function, "is not inner, so apart=True would do nothing", "inner=True, apart=True")
    if inner and not getattr(numba.config, "DISABLE_JIT", False):
        return InnerKernel(function, targetoptions=options, apart=apart)
    # no way in from C either, which nobody uses and which takes its time to compile
    ours: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True, "pipeline_class": KernelCompiler}
    compiled: Any = numba.njit(**(ours | options))(function)
    if hasattr(compiled, "enable_caching"):  # under NUMBA_DISABLE_JIT it is the plain function
        compiled.get_call_template = functools.partial(without_constants, compiled.get_call_template)
        refuse_lost_references(compiled)
        try:
            compiled._cache = _KernelCache(function)
        except (RuntimeError, OSError) as error:
            # what was typed at a prompt has no file to tell its versions by, and is never cached
            if os.path.exists(inspect.getfile(function)):
                _Announcer.promise = FOR_NOW
                _warn_once(f"kernels are compiled for this process only: {error}; set NUMBA_CACHE_DIR to a folder")
    return compiled


class _TemporaryCacheLocator(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):
    """Keeps the cache in a folder of this user alone, under the system's temporary folder."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return os.path.join(_private_folder(), self.get_suitable_cache_subpath(self._py_file))


def _private_folder() -> str:
    """Return a folder under the system's temporary folder that nobody else can write to, creating it if need be.

    What is read from a cache is run: a folder that another user has put there under this name must not be used.

    Raises
    ------
    OSError
        If it cannot be created, or is not this user's alone.
    """
    user = os.getuid() if hasattr(os, "getuid") else None  # Windows has a temporary folder for each user
    folder = os.path.join(tempfile.gettempdir(), "streamlab-kernels" + ("" if user is None else f"-{user}"))
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or (user is not None and (found.st_uid != user or found.st_mode & 0o077)):
        raise PermissionError(f"{folder} is not a folder of this user alone (mode 0700)")
    return folder


_warned = False


def _warn_once(message: str) -> None:
    """Say in the log, once a process, that kernels are not kept where they were to be."""
    global _warned
    if not _warned:
        _warned = True
        logger.warning(message)


# numba's, and ours behind the user's cache folder
_LOCATORS: list[Any] = [
    one
    for known in caching.CompileResultCacheImpl._locator_classes
    for one in ([known, _TemporaryCacheLocator] if known is caching.UserWideCacheLocator else [known])
]


class _KernelCacheImpl(caching.CompileResultCacheImpl):
    """Puts a hash of all files that a kernel may depend on into the names of its cache files."""

    _locator_classes = _LOCATORS

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self._source = os.path.abspath(inspect.getfile(py_func))
        super().__init__(py_func)

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        base: str = super().get_filename_base(fullname, abiflags)
        # What is typed in a notebook or read from an archive has no file: numba's own stamp is all there is.
        return f"{base}-k{digest(self._source)}" if os.path.exists(self._source) else base


class _CheckedCacheFile(caching.IndexDataCacheFile):
    """Numba's two files of a kernel, with checksums: an entry that is damaged counts as absent, and is written again.

    Without them a damaged entry is a traceback of pickle's, or machine code that ends the process.

    ``elsewhere`` are folders that cannot be written to, but may hold the kernel: an image that was built with it.
    """

    def __init__(self, folder: str, base: str, stamp: Any, elsewhere: Iterable[str] = ()) -> None:
        super().__init__(folder, base, stamp)
        self._elsewhere = [_CheckedCacheFile(other, base, stamp) for other in elsewhere]

    def _dump(self, obj: Any) -> bytes:
        data = super()._dump(obj)
        return hashlib.sha256(data).digest() + data

    def _load_index(self) -> dict[Any, str]:
        try:
            content = Path(self._index_path).read_bytes()
        except OSError:
            return {}
        version = pickle.dumps(self._version, protocol=-1)
        if not content.startswith(version):
            return {}
        data = _checked_content(content[len(version) :])
        if data is None:
            return {}
        stamp, overloads = pickle.loads(data)
        return overloads if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        data = _checked_content(Path(self._data_path(name)).read_bytes())
        if data is None:
            raise OSError(f"{name} is damaged")  # as if it were not there
        return pickle.loads(data)

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        entry = super().load(key)
        # a disk that was full may have left an index without its new data, beside data of the same name
        if entry is not None and entry[0] == key:
            return entry[1]
        return next((found for other in self._elsewhere if (found := other.load(key)) is not None), None)


_FROM_A_FILE = (
    caching.UserProvidedCacheLocator, caching.InTreeCacheLocator, caching.UserWideCacheLocator, _TemporaryCacheLocator,
)  # fmt: skip


def _checked_content(content: bytes) -> bytes | None:
    """Return what follows a checksum, or None where they do not agree."""
    digest, data = content[:32], content[32:]
    return data if hashlib.sha256(data).digest() == digest else None


class _KernelCache(caching.FunctionCache):
    """Numba's cache, valid for one version of the files it uses, without what earlier versions have left behind."""

    _impl_class = _KernelCacheImpl

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        locator: Any = self._impl.locator
        wish = getattr(numba.config, "CACHE_DIR", "")
        elsewhere = []
        if isinstance(locator, _FROM_A_FILE):
            source = inspect.getfile(py_func)
            kinds: list[Any] = [caching.UserProvidedCacheLocator] if wish else []
            paths = [kind(py_func, source).get_cache_path() for kind in [*kinds, caching.InTreeCacheLocator]]
            if wish and paths[0] != self._cache_path:
                _warn_once(f"NUMBA_CACHE_DIR={wish} cannot be written to; "
                           f"kernels are cached in {self._cache_path}")  # fmt: skip
            elsewhere = [path for path in paths if path != self._cache_path]
        self._cache_file = _CheckedCacheFile(
            self._cache_path, self._impl.filename_base, locator.get_source_stamp(), elsewhere
        )
        self._turn = _Turn(os.path.join(self._cache_path, f"{self._impl.filename_base}.turn"))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None and not getattr(_limited, "only_cached", False) and self._turn.take():
            found = super().load_overload(sig, target_context)  # another process has compiled it meanwhile
            if found is not None:
                self._turn.give_back()
        return found

    def compiled(self) -> None:
        """Let other processes go on that want the same kernel."""
        self._turn.give_back()

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            self._save_overload_here(sig, data)
        finally:
            self.compiled()

    def _save_overload_here(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:  # the disk is full, or the folder is no longer to be written to
            _warn_once(f"kernels are compiled for this process only: {self._cache_path} cannot be written to ({error})")
            return
        with contextlib.suppress(OSError):  # the folder may not be ours to clean
            _delete_stale(
                Path(self._cache_path), self._impl.filename_base, Path(self._py_func.__code__.co_filename).stem
            )


class _Turn:
    """Whose turn it is to compile a kernel, among processes that share a cache: a second one waits and then loads it.

    Whoever compiles a kernel waits at most for kernels that this one calls, so they never wait for each other. Where
    the system has no such locks, or another process does not go on, both compile.
    """

    def __init__(self, path: str) -> None:
        self._path, self._file, self._held = path, -1, 0

    def take(self) -> bool:
        """Wait for one's turn; return whether another process had it before."""
        self._held += 1
        if fcntl is None or self._held > 1:  # a kernel of several signatures may need itself
            return False
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            until = time.monotonic() + LONGEST_TURN_S
            waited = False
            while True:
                try:
                    fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    waited = True
                    if time.monotonic() > until:
                        return True
                    time.sleep(0.02)
                else:
                    return waited
        return False

    def give_back(self) -> None:
        """Let others have it."""
        self._held = max(0, self._held - 1)
        if self._held == 0 and self._file >= 0:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
            os.close(self._file)
            self._file = -1


LONGEST_TURN_S = 120.0
_cleaned: set[tuple[Path, str]] = set()
_TAG = re.compile(r"-k[0-9a-f]{16}(?=\.\d+\.nbc$|\.nbi$|$)")


def _delete_stale(folder: Path, valid: str, file: str) -> None:
    """Delete, once a process, the kernels of one file that are of other versions than the one named ``valid``.

    A cache folder holds what comes from one folder of sources, and all kernels of a file share one version.
    """
    current = _TAG.search(valid)
    if current is None or (folder, file) in _cleaned:
        return
    _cleaned.add((folder, file))
    for path in folder.glob(f"{glob.escape(file)}.*.nb[ic]"):
        found = _TAG.search(path.name)
        if found is not None and found[0] != current[0]:
            path.unlink(missing_ok=True)


_listeners: list[Callable[[str], None]] = []


def on_compile(listener: Callable[[str], None]) -> Callable[[], None]:
    """Call ``listener(message)`` whenever a kernel has to be compiled rather than read from the cache on disk.

    Returns a function that ends the subscription.
    """
    _listeners.append(listener)
    return lambda: _listeners.remove(listener) if listener in _listeners else None


class NotCompiled(BaseException):
    """Raised where a kernel would have to be compiled, and only those of the cache may be used.

    It is not a fault but means "later", so it is not caught by code that catches an ``Exception`` to name or report it.
    """


_limited = threading.local()


@contextlib.contextmanager
def only_cached() -> Iterator[None]:
    """Raise ``NotCompiled`` on this thread instead of compiling a kernel that is not in the cache on disk.

    Examples
    --------
    >>> from streamlab.learners import NoChange
    >>> NoChange.prepare()
    >>> with only_cached():
    ...     NoChange.prepare()
    """
    before, _limited.only_cached = getattr(_limited, "only_cached", False), True
    try:
        yield
    finally:
        _limited.only_cached = before


FOR_NOW = "some two minutes, at every start: there is no folder to keep them in"


RARE_COLLECTIONS = 200_000, 20, 100
"""Thresholds of the garbage collector while kernels are compiled: nearly all that a compiler makes is still needed."""


class _Announcer(event.Listener):
    """Turn numba's compile events into one message per process, at the first kernel that is compiled.

    Meanwhile garbage is collected rarely, which takes a twentieth off the time.
    """

    promise = "once; later starts read them from a cache"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._has_logged = False
        self._under_way, self._thresholds = 0, gc.get_threshold()

    def _count(self, change: int) -> None:
        with self._lock:
            before, self._under_way = self._under_way, self._under_way + change
            if before == 0:
                self._thresholds = gc.get_threshold()
                gc.set_threshold(*RARE_COLLECTIONS)
            elif self._under_way == 0:
                gc.set_threshold(*self._thresholds)

    def on_start(self, event: event.Event) -> None:
        self._count(1)  # numba ends what it has begun, also where this raises
        ours = isinstance(getattr(event.data.get("dispatcher"), "_cache", None), _KernelCache)
        if ours and getattr(_limited, "only_cached", False):
            raise NotCompiled(f"{event.data['dispatcher']} is not compiled yet")
        module = getattr(getattr(event.data.get("dispatcher"), "py_func", None), "__module__", "") or ""
        if not module.startswith("streamlab"):
            return
        with self._lock:
            first, self._has_logged = not self._has_logged, True
        if first:
            message = f"compiling kernels for this machine ({self.promise}) …"
            logger.warning(message)
            for listener in tuple(_listeners):
                listener(message)

    def on_end(self, event: event.Event) -> None:
        self._count(-1)
        cache = getattr(event.data.get("dispatcher"), "_cache", None)
        if any(getattr(event, "_exc_details", None) or ()) and isinstance(cache, _KernelCache):
            cache.compiled()


event.register("numba:compile", _Announcer())
