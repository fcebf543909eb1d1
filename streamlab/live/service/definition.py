"""What a service is made of: the TOML file, checked and made plain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import asdict

from streamlab._checks import within
from streamlab.lab.described import learners_of
from streamlab.live.addresses import SOURCES, Address, checked_options, is_address, parse_address
from streamlab.measures import measure_names
from streamlab.streams import Stream, load
from streamlab.validation import read_toml

REFUSED = {
    "journal": "the service keeps the journal in its own folder",
    "keep_rows": (
        "the journal deletes rows that were read; without them no snapshot can be saved or opened, and the "
        "service cannot continue after a stop"
    ),
}
"""Options of the stream that a service cannot have, and why."""

Text = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Whole = Annotated[int, Meta(ge=1, le=2**53)]


class Snapshots(Struct, frozen=True, forbid_unknown_fields=True):
    """Snapshots of a service.

    Parameters
    ----------
    every_seconds
        Seconds between two on disk.
    keep
        How many are kept there.
    look_back_bytes
        Bytes in memory, and in each file, with which whoever opens it can step back.
    """

    every_seconds: Annotated[float, Meta(gt=0, le=1e9, description="seconds, above 0")] = 60.0
    keep: Whole = 3
    look_back_bytes: Count = 2**25


class Metrics(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the metrics of a service are served, and the faded measures that they hold; without a port: nowhere.

    ``hosts`` are further names of this machine under which they are asked for, as of a container.
    """

    port: Annotated[int, Meta(ge=0, le=65535)] | None = None
    address: Text = "127.0.0.1"
    hosts: tuple[Text, ...] = ()
    measures: tuple[str, ...] = ("example_f1", "micro_f1")

    def __post_init__(self) -> None:
        measure_names(self.measures)


class Alarms(Struct, frozen=True, forbid_unknown_fields=True):
    """Alarms of a service.

    Parameters
    ----------
    webhook_from
        The variable of the environment that holds the address to which they are posted.
    kinds
        Events that are posted; empty: all that are detections.
    """

    webhook_from: Text = "STREAMLAB_WEBHOOK"
    kinds: tuple[str, ...] = ()


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """What the file of a service may say.

    Parameters
    ----------
    stream
        What ``load`` takes: an address or a path; or a table of it, ``use``, and further options.
    learners
        By name, as ``study`` describes them.
    folder
        Where the service keeps its journal and its snapshots; default the file's name without its ending.
    chunk
        Rows that are answered before any of them is learned, by learners that answer whole chunks.
    seed
        Of every learner that takes one.
    snapshots, metrics, alarms
        What it keeps and tells.
    """

    stream: Annotated[
        Text | dict[str, Any],
        Meta(description='an address such as "kafka://host/topic?labels=a,b", or a table with use = …'),
    ]
    learners: Annotated[dict[str, Any], Meta(min_length=1, description="a table with at least one entry")]
    folder: Text | None = None
    chunk: Whole = 100
    seed: Count = 1
    snapshots: Snapshots = Snapshots()
    metrics: Metrics = Metrics()
    alarms: Alarms = Alarms()


class Definition(File, frozen=True, kw_only=True):
    """A service, as plain values: of a stream that has no address, further options of ``load`` stand beside it."""

    stream: str | Address  # type: ignore[assignment]
    folder: Path  # type: ignore[assignment]
    options: dict[str, Any] = field(default_factory=dict)

    def open_stream(self) -> Stream:
        """Return the stream; a live one goes on after what its journal holds.

        Raises
        ------
        ValueError, ConnectionError, ImportError
            As ``load``.
        """
        if isinstance(self.stream, str):
            return load(self.stream, **self.options)
        from streamlab.live.own_process import open_address

        return open_address(self.stream)


def read_definition(path: str | Path) -> Definition:
    """Return the service of a TOML file.

    Raises
    ------
    ValueError
        If it cannot be read, is not valid TOML, or has an unknown entry or an impossible value; it names the file and
        the entry.
    """
    path = Path(path)
    said = read_toml(path, File)
    with within(str(path), TypeError):
        definition = _resolved(said, path)
    return definition


def _resolved(said: File, path: Path) -> Definition:
    """Return the service with its learners described, and its paths from the file's folder on."""
    beside = path.resolve().parent
    folder = (beside / (said.folder or path.with_suffix("").name)).resolve()
    stream, options = _stream(said.stream)
    if not is_address(stream):
        found: str | Address = str(beside / stream) if (beside / stream).exists() else stream
    else:
        address, options = checked_options(parse_address(stream), options), {}
        for name, why in REFUSED.items():
            if name in address.options:
                raise ValueError(f"stream: {why}; expected no {name}=")
        found = checked_options(_from(address, beside), {"journal": folder / "journal"})
    changed = {"stream": found, "options": options, "folder": folder, "learners": learners_of(said.learners)}
    return Definition(**(asdict(said) | changed))


def _stream(given: str | dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if isinstance(given, str):
        return given, {}
    if not isinstance(given.get("use"), str):
        raise ValueError("stream.use: expected an address or a path")
    return given["use"], {name: value for name, value in given.items() if name != "use"}


def _from(address: Address, folder: Path) -> Address:
    """Return an address whose relative paths, also of labels that come by another way, begin at a folder."""
    if not SOURCES.load(address.scheme).of_files:
        return address
    path = str(folder / Path(address.path).expanduser()) if address.path else ""
    topic = address.text("label_topic")
    topics = {"label_topic": folder / Path(topic).expanduser()} if topic else {}
    return checked_options(replace(address.without(topics), path=path), topics)
