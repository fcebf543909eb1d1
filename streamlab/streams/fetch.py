"""What is kept in the cache folder: benchmark sets fetched by name and checked."""

from __future__ import annotations

import csv
import os
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

    @property
    def url(self) -> str:
        """Where the file is fetched from: the folder that ``STREAMLAB_MIRROR`` names, else GitHub."""
        base = os.environ.get("STREAMLAB_MIRROR") or BASE_ADDRESSES[self.kind]
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


def fetch(name: str) -> Path:
    """Return the path of a file in the cache, fetched first if it is missing or damaged.

    Parameters
    ----------
    name
        A file of ``remote_files()``.

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
    return fetch_file(file)


def fetch_file(file: RemoteFile) -> Path:
    """Return the path of a described file in the cache, as ``fetch`` does for a file of the benchmark."""
    import pooch
    import requests

    name, kept = file.name, file.kept_as or file.name
    folder = cache_folder()
    path = folder / kept
    url = file.url
    try:
        if path.is_file() and pooch.file_hash(str(path)) == file.sha256:
            return path
        download = pooch.HTTPDownloader(timeout=TIMEOUT_S)
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
