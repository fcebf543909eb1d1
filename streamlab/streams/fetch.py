"""What is kept in the cache folder: benchmark sets fetched by name and checked."""

from __future__ import annotations

import csv
import os
import sys
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

BASE_ADDRESSES = {
    "lfs": "https://media.githubusercontent.com/media/mrapp-ke/Boomer-Datasets/main/",
    "plain": "https://raw.githubusercontent.com/mrapp-ke/Boomer-Datasets/main/",
    # results that were published, at the commit that has all of them
    "mlhat": (
        "https://raw.githubusercontent.com/aestebant/mlhat/03ee550715d3e7f397b1af1288ef01b5477f905a/results/per_dataset/"
    ),
}
TIMEOUT_S = 30


@dataclass(frozen=True)
class RemoteFile:
    """One file of a public repository: name, SHA-256, size, which address serves it, and its name in the cache."""

    name: str
    sha256: str
    n_bytes: int
    kind: str
    kept_as: str | None = None

    def url(self, mirror: str | None = None) -> str:
        """Return where the file is fetched from: the mirror, if one is given or named by ``STREAMLAB_MIRROR``."""
        base = mirror or os.environ.get("STREAMLAB_MIRROR") or BASE_ADDRESSES[self.kind]
        return base.rstrip("/") + "/" + self.name


@cache
def package_table(name: str, key: str) -> dict[str, dict[str, str]]:
    """Return the rows of a table that comes with the package, by what stands in one of its columns."""
    text = files("streamlab").joinpath("data", name).read_text("utf-8")
    return {row[key]: row for row in csv.DictReader(text.splitlines())}


@cache
def remote_files() -> dict[str, RemoteFile]:
    """Return every file that can be fetched, by name; read from the package, never from the network."""
    return {
        name: RemoteFile(name, row["sha256"], int(row["bytes"]), row["kind"])
        for name, row in package_table("benchmark_files.csv", "file").items()
    }


def cache_folder() -> Path:
    """Return the folder of fetched files: the one ``STREAMLAB_CACHE`` names, else the system's folder for caches."""
    named = os.environ.get("STREAMLAB_CACHE")
    if named:
        return Path(named).expanduser()
    import pooch

    return Path(pooch.os_cache("streamlab"))


def is_cached(name: str) -> bool:
    """Return whether the cache has the file in its full length (its contents are checked when it is loaded)."""
    path = cache_folder() / name
    return path.is_file() and path.stat().st_size == remote_files()[name].n_bytes


def fetch(name: str, *, mirror: str | None = None, progress: bool = True) -> Path:
    """Return the path of a file in the cache, fetched first if it is missing or damaged.

    Parameters
    ----------
    name
        A file of ``remote_files()``.
    mirror
        Address of a folder that serves the same files; default ``STREAMLAB_MIRROR``, else GitHub.
    progress
        Whether to draw a progress bar, on a terminal or in a notebook, while fetching.

    Raises
    ------
    ValueError
        If there is no such file, or what arrived is cut short or has another SHA-256; it is not kept then.
    ConnectionError
        If the server cannot be reached or refuses; in one line, with the address.
    """
    file = remote_files().get(name)
    if file is None:
        raise ValueError(f"{name!r} is not among the files that can be fetched")
    return fetch_file(file, mirror=mirror, progress=progress)


def fetch_file(file: RemoteFile, *, mirror: str | None = None, progress: bool = True) -> Path:
    """Return the path of a described file in the cache, as ``fetch`` does for a file of the benchmark."""
    import pooch
    import requests

    name, kept = file.name, file.kept_as or file.name
    folder = cache_folder()
    path = folder / kept
    url = file.url(mirror)
    bar = _Bar(name, file.n_bytes) if progress else None
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel("WARNING")
    try:
        if path.is_file() and pooch.file_hash(str(path)) == file.sha256:
            return path
        download = pooch.HTTPDownloader(progressbar=bar if bar is not None else False, timeout=TIMEOUT_S)
        folder.mkdir(parents=True, exist_ok=True)
        pooch.retrieve(url, f"sha256:{file.sha256}", fname=kept, path=folder, downloader=download)
    except (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError):
        raise ValueError(f"{name}: the download from {url} was cut short; nothing was kept") from None
    except (requests.RequestException, ConnectionError) as error:
        raise ConnectionError(f"{name}: {url} could not be fetched ({reason_of(error)})") from None
    except ValueError as error:
        if "hash" not in str(error).lower():
            raise
        raise ValueError(
            f"{name}: the download from {url} is not the published file (its SHA-256 differs); nothing was kept"
        ) from None
    except OSError as error:
        raise ValueError(f"{name}: it cannot be kept in {folder} ({error})") from None
    finally:
        logger.setLevel(level)
        if bar is not None:
            bar.close()
    return path


def reason_of(error: Exception) -> str:
    """Return the innermost cause in a few words: requests wraps the same failure several times over."""
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server answered {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.Timeout):
        return f"no answer in {TIMEOUT_S} s"
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.strerror:
            return seen.strerror
        seen = seen.__cause__ or seen.__context__
    return "the server cannot be reached; is there a network?"


class _Bar:
    """A rich progress bar with the interface pooch expects; invisible where nobody looks."""

    def __init__(self, name: str, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

        console = Console(file=sys.stderr)
        self._progress = Progress(
            "{task.description}",
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not (console.is_terminal or console.is_jupyter),
        )
        self._task = self._progress.add_task(name, total=total)
        self.total = total

    def update(self, n_bytes: int) -> None:
        self._progress.start()  # a second time does nothing
        self._progress.update(self._task, advance=n_bytes)

    def reset(self) -> None:
        """Pooch calls this once before its last update, which then adds the whole length."""
        self._progress.update(self._task, completed=0)

    def close(self) -> None:
        if self._progress.live.is_started:
            self._progress.stop()
