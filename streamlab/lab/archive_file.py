"""The file of an archive: a zip of known members, each with its checksum, written as a whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from streamlab._checks import open_regular, with_type
from streamlab._files import replacing
from streamlab.lab.archive_values import plain_text
from streamlab.streams.limits import MOST_DEPTH, too_deep

FORMAT = 3
"""Version of the archive format."""
MOST_BYTES = 512 * 2**20
"""Bytes that an archive may have, unpacked."""
MOST_JSON = 128 * 2**20
MOST_VALUES = 4_000_000
"""Most values that the JSON of an archive may have, as each takes memory."""
MOST_MEMBERS = 200
MANIFEST = "archive.json"
NAMES = re.compile(
    r"(archive|run|events|arrays|snapshots|views)\.json|blocks/[0-9]{1,3}\.safetensors|curves\.safetensors"
)
# the end of a zip without a comment, and what stands before it in one of over 4 GB
END, END_BYTES, END_64, END_64_BYTES = b"PK\5\6", 22, b"PK\6\7", 20
MOST_DIRECTORY = 64 * 1024


def write_archive(path: Path, members: Iterable[tuple[str, bytes]]) -> None:
    """Write members to a file that takes the place of ``path``, as ``replacing`` does.

    Raises
    ------
    ValueError
        If there are more bytes, members or values than are read; also as ``replacing``.
    OSError
        If the file cannot be written.
    """
    with replacing(path) as file:
        _write(file, members)


def _write(file: Any, members: Iterable[tuple[str, bytes]]) -> None:
    entries: dict[str, dict[str, Any]] = {}
    limits = _Limits()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members:
            limits.add(name, content)
            archive.writestr(_info(name), content)
            entries[name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        manifest = plain_text({"format": FORMAT, "members": entries})
        limits.add(MANIFEST, manifest)
        archive.writestr(_info(MANIFEST), manifest)


class _Limits:
    """What has been written: never more than is read."""

    def __init__(self) -> None:
        self._bytes = self._json = self._values = self._members = 0

    def add(self, name: str, content: bytes) -> None:
        """Count a member; raise a ValueError if the archive has more now than any may have."""
        self._members += 1
        self._bytes += len(content)
        if self._bytes > MOST_BYTES or self._members > MOST_MEMBERS:
            raise ValueError(
                f"the run takes more than {MOST_BYTES:,} bytes, which no archive may have: give it a smaller "
                "budget of snapshots"
            )
        if name.endswith(".json"):
            self._json += len(content)
            self._values += _values(content)
        if self._json > MOST_JSON or self._values > MOST_VALUES:
            raise ValueError(
                f"the run takes more than {MOST_JSON:,} bytes or {MOST_VALUES:,} values of JSON, which no archive may "
                "have: it has too many actions, events, views or snapshots; give it a smaller budget of snapshots"
            )


def _values(content: bytes) -> int:
    """Return how many values a JSON text has, about: what it takes in memory; a ValueError if it is too deep."""
    if too_deep(content) is not None:
        raise ValueError(f"its JSON is nested more than {MOST_DEPTH} deep, which that of no archive may be")
    return content.count(b"[") + content.count(b"{") + content.count(b",")


def _info(name: str) -> zipfile.ZipInfo:
    # the same run makes the same bytes
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info


class Member(Struct):
    """What the list of members says of one."""

    bytes: int
    sha256: str


class Manifest(Struct):
    """The list of an archive's members."""

    format: int
    members: dict[str, Member]


class Members:
    """The members of an archive, read one by one, each checked; nothing is unpacked to the disk.

    Parameters
    ----------
    path
        The file.
    most_bytes
        Bytes that all members may have together.

    Raises
    ------
    ValueError
        If the file is not an archive, was cut or altered, has other members than it says or too large ones, or is of
        another format.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self._values = 0
        with _refusing():
            self._file = open_regular(path)  # closed by __exit__
        try:
            with _refusing():
                _check_end(self._file)
                self._zip = zipfile.ZipFile(self._file)
                self._check(most_bytes)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Members:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def _check(self, most_bytes: int) -> None:
        infos = self._zip.infolist()
        names = [info.filename for info in infos]
        if len(set(names)) < len(names) or MANIFEST not in names:
            raise ValueError(f"its members are not the members of an archive; expected each once, and {MANIFEST}")
        self._infos = {info.filename: info for info in infos}
        for info in infos:
            if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError(f"{info.filename} is packed in a way that no archive is")
        total = sum(info.file_size for info in infos)
        if total > most_bytes:
            raise ValueError(f"it has {total:,} bytes unpacked; expected at most {most_bytes:,}")
        if sum(info.file_size for name, info in self._infos.items() if name.endswith(".json")) > MOST_JSON:
            raise ValueError(f"its JSON has more than {MOST_JSON:,} bytes")
        manifest = self._json(MANIFEST, self._content(MANIFEST))
        given = manifest.get("format") if isinstance(manifest, dict) else None
        if given != FORMAT or type(given) is not int:
            raise ValueError(
                f"it has the format {str(given)[:20]}; expected {FORMAT}: another version of streamlab wrote it"
            )
        for name in names:
            if not NAMES.fullmatch(name):
                raise ValueError(f"it has a member {name[:60]!r}; expected those of an archive alone")
        self._entries = convert(manifest, Manifest).members
        if set(self._entries) != set(names) - {MANIFEST}:
            raise ValueError("its members are not those that it says it has")

    def read(self, name: str) -> bytes:
        """Return a member's bytes.

        Raises
        ------
        ValueError
            If there is none, or its checksum is another than was written.
        """
        with _refusing():
            if name not in self._entries:
                raise ValueError(f"it has no {name}")
            entry, size = self._entries[name], self._infos[name].file_size
            if size != entry.bytes:
                raise ValueError(f"{name} has {size:,} bytes; expected {entry.bytes:,}")
            content = self._content(name)
            if hashlib.sha256(content).hexdigest() != entry.sha256:
                raise ValueError(f"{name} is damaged: its checksum is wrong")
            return content

    def json(self, name: str) -> Any:
        """Return a member that is JSON, read."""
        content = self.read(name)
        with _refusing():
            return self._json(name, content)

    def blocks(self) -> Iterator[bytes]:
        """Yield the files of blocks in order."""
        n = sum(name.startswith("blocks/") for name in self._entries)
        for place in range(n):
            yield self.read(f"blocks/{place}.safetensors")

    def _content(self, name: str) -> bytes:
        info = self._infos[name]
        with self._zip.open(info) as member:
            content = member.read(info.file_size + 1)
        if len(content) != info.file_size:
            raise ValueError(f"{name} has {len(content):,} bytes; expected {info.file_size:,}")
        return content

    def _json(self, name: str, content: bytes) -> Any:
        self._values += _values(content)
        if self._values > MOST_VALUES:
            raise ValueError(f"its JSON has more than {MOST_VALUES:,} values")
        try:
            return json.loads(content.decode(), parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{name} is not readable JSON ({type(error).__name__})") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _check_end(file: Any) -> None:
    """Raise a ValueError unless the file ends as an archive does: a directory of 10 million members is not read."""
    size = os.fstat(file.fileno()).st_size
    tail = min(size, END_BYTES + END_64_BYTES)
    file.seek(size - tail)
    end = file.read(tail)
    before, end = end[:-END_BYTES], end[-END_BYTES:]
    if len(end) < END_BYTES or not end.startswith(END) or end[-2:] != b"\0\0" or before.startswith(END_64):
        raise ValueError("it is not an archive of a run, or it was cut short")
    n_here, n_all, directory, offset = struct.unpack("<HHII", end[8:20])
    if n_here != n_all or n_all > MOST_MEMBERS + 1 or directory > MOST_DIRECTORY or directory + offset > size:
        raise ValueError("its directory is not that of an archive")
    file.seek(0)


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise what a file that is none, or is damaged, makes the libraries raise as a ValueError."""
    try:
        yield
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, struct.error) as error:
        raise ValueError(f"it cannot be read as an archive ({with_type(error)})") from None
