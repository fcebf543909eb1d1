"""What a service is made of: the TOML file, checked and made plain."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from streamlab.lab.described import learners_of
from streamlab.live.addresses import SOURCES
from streamlab.measures import measure_names
from streamlab.streams import Stream, load

__all__ = ["Definition", "read_definition"]

KNOWN = ("stream", "folder", "chunk", "seed", "learners", "snapshots", "metrics", "alarms")
"""What the file of a service may say."""
TABLES = {
    "snapshots": ("every_seconds", "keep", "look_back_bytes"),
    "metrics": ("port", "address", "measures"),
    "alarms": ("webhook_from", "kinds"),
}
LOOK_BACK_BYTES = 2**25
REFUSED = {
    "journal": "the service keeps the journal in its own folder",
    "keep_rows": (
        "the journal deletes rows that were read; without them no snapshot can be saved or opened, and the "
        "service cannot continue after a stop"
    ),
}
"""Options of the stream that a service cannot have, and why."""
LABEL_TOPIC = "label_topic"
SAFE = "/\\:~"
"""What need not be quoted in the path of an address."""


@dataclass(frozen=True)
class Definition:
    """A service, as plain values.

    Parameters
    ----------
    stream
        What ``load`` takes: an address or a path, with relative paths beginning at the file's folder.
    options
        Further options of ``load``.
    folder
        Where the service keeps its journal and its snapshots.
    learners
        By name, as ``study`` describes them.
    chunk
        Rows that are answered before any of them is learned, by learners that answer whole chunks.
    seed
        Of every learner that takes one.
    every_seconds, keep, look_back_bytes
        Seconds between two snapshots on disk; how many are kept; bytes in memory, and in each file, with which whoever
        opens it can step back.
    port, address, measures
        Where metrics are served; None: nowhere. The faded measures that they hold.
    webhook_from
        The variable of the environment that holds the address to which alarms are posted.
    kinds
        Events that are posted; empty: all that are detections.
    """

    stream: str
    folder: Path
    learners: Mapping[str, dict[str, Any]]
    options: Mapping[str, Any] = field(default_factory=dict)
    chunk: int = 100
    seed: int = 1
    every_seconds: float = 60.0
    keep: int = 3
    look_back_bytes: int = LOOK_BACK_BYTES
    port: int | None = None
    address: str = "127.0.0.1"
    measures: tuple[str, ...] = ("example_f1", "micro_f1")
    webhook_from: str = "STREAMLAB_WEBHOOK"
    kinds: tuple[str, ...] = ()

    def open_stream(self) -> Stream:
        """Return the stream; a live one goes on after what its journal holds.

        Raises
        ------
        ValueError, ConnectionError, ImportError
            As ``load``.
        """
        options = dict(self.options)
        if ":" in self.stream:
            options.setdefault("journal", str(self.folder / "journal"))
        return load(self.stream, **options)


def read_definition(path: str | Path) -> Definition:
    """Return the service of a TOML file.

    Raises
    ------
    ValueError
        If it cannot be read, is not valid TOML, or has an unknown entry or an impossible value; it names the file and
        the entry.
    """
    path = Path(path)
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: it cannot be read ({error.strerror or error})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: it is not valid TOML ({error})") from None
    try:
        return _definition(found, path)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def _definition(found: dict[str, Any], path: Path) -> Definition:
    _known("", found, KNOWN)
    beside = path.resolve().parent
    stream, options = _stream(found.get("stream"))
    for name, why in REFUSED.items():
        if name in options or name in _names_in(stream):
            raise ValueError(f"stream: {why}; expected no {name}=")
    learners = found.get("learners")
    if not isinstance(learners, dict) or not learners:
        raise ValueError("expected a table [learners] with at least one entry")
    snapshots, metrics, alarms = (_table(found, name) for name in TABLES)
    folder = found.get("folder", path.with_suffix("").name)
    if not isinstance(folder, str) or not folder:
        raise ValueError(f"folder={folder!r}: expected the path of a folder")
    measures = metrics.get("measures", ["example_f1", "micro_f1"])
    if not isinstance(measures, list):
        raise ValueError(f"metrics.measures={measures!r}: expected a list of measures")
    kinds = alarms.get("kinds", [])
    if not isinstance(kinds, list) or not all(isinstance(each, str) for each in kinds):
        raise ValueError(f"alarms.kinds={kinds!r}: expected a list of kinds of events")
    port = metrics.get("port")
    return Definition(
        stream=_from(stream, beside),
        folder=(beside / folder).resolve(),
        learners=learners_of(learners),
        options=_options_from(stream, options, beside),
        chunk=_whole("chunk", found.get("chunk", 100), 1),
        seed=_whole("seed", found.get("seed", 1), 0),
        every_seconds=_seconds("snapshots.every_seconds", snapshots.get("every_seconds", 60.0)),
        keep=_whole("snapshots.keep", snapshots.get("keep", 3), 1),
        look_back_bytes=_whole("snapshots.look_back_bytes", snapshots.get("look_back_bytes", LOOK_BACK_BYTES), 0),
        port=None if port is None else _whole("metrics.port", port, 0, 65535),
        address=_text("metrics.address", metrics.get("address", "127.0.0.1")),
        measures=tuple(measure_names(measures)),
        webhook_from=_text("alarms.webhook_from", alarms.get("webhook_from", "STREAMLAB_WEBHOOK")),
        kinds=tuple(kinds),
    )


def _stream(given: Any) -> tuple[str, dict[str, Any]]:
    if isinstance(given, str) and given:
        return given, {}
    if isinstance(given, dict) and isinstance(given.get("use"), str):
        return given["use"], {name: value for name, value in given.items() if name != "use"}
    raise ValueError('stream: expected an address such as "kafka://host/topic?labels=a,b", or a table with use = …')


def _names_in(stream: str) -> set[str]:
    """Return the names of the options that stand in an address."""
    if ":" not in stream:
        return set()
    return {unquote(part.partition("=")[0]) for part in stream.partition("?")[2].split("&")}


def _from(stream: str, folder: Path) -> str:
    """Return a stream whose relative paths, also of labels that come by another way, begin at a folder."""
    scheme, colon, rest = stream.partition(":")
    if not _is_of_files(stream):
        return str(folder / stream) if not colon and (folder / stream).exists() else stream
    path, mark, query = rest.partition("?")
    parts = [part.partition("=") for part in query.split("&")] if mark else []
    told = "&".join(
        f"{name}{equals}{_quoted_from(value, folder) if unquote(name) == LABEL_TOPIC and value else value}"
        for name, equals, value in parts
    )
    return f"{scheme}:{_quoted_from(path, folder)}{mark}{told}"


def _options_from(stream: str, options: dict[str, Any], folder: Path) -> dict[str, Any]:
    topic = options.get(LABEL_TOPIC)
    if _is_of_files(stream) and isinstance(topic, str) and topic:
        return {**options, LABEL_TOPIC: str(folder / Path(topic).expanduser())}
    return options


def _is_of_files(stream: str) -> bool:
    scheme, colon, _ = stream.partition(":")
    return bool(colon) and scheme.lower() in SOURCES and SOURCES.load(scheme.lower()).of_files


def _quoted_from(path: str, folder: Path) -> str:
    """Return a path of an address, in which it is quoted, from a folder on; one from the root, or ``~``, as it is."""
    if Path(unquote(path)).expanduser().is_absolute():
        return path
    return f"{quote(str(folder), safe=SAFE)}/{path}"


def _known(where: str, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            raise ValueError(f"{where}{name!r} is not known; expected one of {', '.join(known)}")


def _table(found: Mapping[str, Any], name: str) -> dict[str, Any]:
    given = found.get(name, {})
    if not isinstance(given, dict):
        raise ValueError(f"{name}={given!r}: expected a table [{name}]")
    _known(f"[{name}]: ", given, TABLES[name])
    return given


def _whole(name: str, value: Any, least: int, most: int = 2**53) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name}={value!r}: expected a whole number, {least} to {most:,}")
    return value


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise ValueError(f"{name}={value!r}: expected seconds, above 0")
    return float(value)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{name}={value!r}: expected a text")
    return value
