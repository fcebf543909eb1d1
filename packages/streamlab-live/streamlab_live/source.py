"""The contract of a live source: messages with their places; and credentials of servers, never from an address."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from streamlab._checks import few, shown

from streamlab_live.addresses import Address
from streamlab_live.decoding import MESSAGE_BYTES

__all__ = ["Message", "Source"]

Offset = int | str
"""A place in a partition of a source: a number for Kafka and files, an id for Redis."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it came, before anything of it is believed.

    Parameters
    ----------
    partition
        The part of the source that it came from: a topic and its partition, the name of a file.
    offset
        Its place there. Reading goes on after it with ``Source.seek``.
    when
        When it was written, in seconds since 1970, as the source says; for a source without times, when it was read.
    value
        Its bytes.
    key
        What it is about, to join rows with their labels; None where there is none.

    Examples
    --------
    >>> Message("topic-0", 17, 1.7e9, b'{"x": 1}').offset
    17
    """

    partition: str
    offset: Offset
    when: float
    value: bytes
    key: str | None = None


class Source(ABC):
    """Messages in order of each partition, from any offset on.

    A source keeps no offsets of its own on a server: whoever reads it writes them down together with what was read
    (``Journal``), so that nothing is lost or read twice.

    ``name`` says what it is, without credentials. ``guarantee`` is a sentence: what holds after a crash.
    ``needs`` is the optional package that it takes, or "". ``most_rows`` is how many rows a poll may give at most; a
    reader whose rows are wide sets it lower. ``most_bytes`` are bytes of a message: of a longer one a source may keep
    and hand on one byte more, and no more.

    A package adds a source by one line of its ``pyproject.toml``, with the scheme of its addresses on the left::

        [project.entry-points."streamlab.sources"]
        mqtt = "my_package.sources:MqttSource"

    It then has ``from_address(address)``, a class method that returns the source of an ``Address``. ``options`` are the
    options that such an address can have, with what they mean; those of the reader (``labels=``, ``journal=`` …) are
    not its business. ``of_files`` says that the address holds a path and no server; ``has_topics`` that labels may come
    from another path beside it (``label_topic=``). ``title`` is what the page's form calls it, "" where the form does
    not offer it; ``where`` is what the form asks for, and an example.

    Examples
    --------
    >>> from streamlab_live.source import Message
    >>> class Counting(Source):
    ...     name = "counting"
    ...     at = 0
    ...     def seek(self, offsets):
    ...         self.at = offsets.get("all", 0)
    ...     def poll(self, most, timeout):
    ...         self.at += 1
    ...         return [Message("all", self.at, float(self.at), b'{"x": %d}' % self.at)]
    ...     def lag(self):
    ...         return None
    ...     def close(self):
    ...         pass
    >>> source = Counting()
    >>> source.seek({"all": 4})
    >>> source.poll(10, 0.0)[0].value
    b'{"x": 5}'
    """

    name: str = ""
    guarantee: str = ""
    options: ClassVar[Mapping[str, str]] = {}
    of_files: ClassVar[bool] = False
    has_topics: ClassVar[bool] = True
    title: ClassVar[str] = ""
    where: ClassVar[tuple[str, str]] = ("Server and path", "localhost/rows")
    most_rows: int = 10_000
    most_bytes: int = MESSAGE_BYTES

    @classmethod
    def from_address(cls, address: Address) -> Source:
        """Return the source of an address that has this class's scheme, with its ``options`` alone.

        Raises
        ------
        ValueError
            If the address is not one of such a source.
        ImportError
            If an optional package is missing.
        """
        raise ValueError(f"{cls.__name__} has no addresses")

    @abstractmethod
    def seek(self, offsets: Mapping[str, Offset]) -> None:
        """Go on after these offsets; partitions that are not named begin at their first message.

        Raises
        ------
        ConnectionError
            If the server cannot be reached.
        ValueError
            If an offset is not from this source, or the messages after it are gone (their retention has passed).
        """

    @abstractmethod
    def poll(self, most: int, timeout: float) -> list[Message]:
        """Return up to ``most`` messages, waiting up to ``timeout`` seconds for the first; [] if there are none.

        Raises
        ------
        ConnectionError
            If the server cannot be reached. Nothing is lost: ``seek`` and go on.
        ValueError
            If the source itself is wrong, for good: a file was cut short, a topic does not exist.
        """

    @abstractmethod
    def lag(self) -> int | None:
        """Return how many messages (or bytes, of a file) wait to be read; None where the source cannot say."""

    def notes(self) -> Sequence[str]:
        """Return what is to be written down with the messages of the last ``poll``, in the same record; default ()."""
        return ()

    def remember(self, notes: Sequence[str]) -> None:  # noqa: B027
        """Take the latest notes that were written down, after a restart; does nothing by default."""

    def settled(self, refused: Mapping[int, str]) -> None:  # noqa: B027
        """The messages of the last ``poll`` are in the journal, on the disk.

        ``refused`` says by their place why some are not rows.

        Called after each ``poll`` that gave messages; does nothing by default.
        """

    def pause(self) -> None:  # noqa: B027
        """The reader takes no more for now, and may call this again and again; does nothing by default."""

    @property
    def ended(self) -> bool:
        """Whether no message will ever come again."""
        return False

    @abstractmethod
    def close(self) -> None:
        """Let go of connections and files; closing twice does nothing."""


def waited_for(look: Callable[[], list[Message]], timeout: float, pause: float) -> list[Message]:
    """Return what there is; where nothing is, look again after each pause until so many seconds have passed."""
    until = time.monotonic() + timeout
    while not (found := look()) and (left := until - time.monotonic()) > 0:
        time.sleep(min(pause, left))
    return found


LONGEST = 64 * 1024
ALLOWED = ("security.protocol", "sasl.", "ssl.", "client.id", "client.rack", "group.id", "broker.address.family")
"""What a file of settings may set: who we are and how the connection is secured; all else is ours."""


def credential(name: str) -> str | None:
    """Return the text of an environment variable, or of the file that ``<name>_FILE`` names; None if neither is set.

    One line's end behind the text of a file is not part of it.

    Raises
    ------
    ValueError
        If both are set, or the file cannot be read as text or is longer than 64 kB; the message never has the text.

    Examples
    --------
    >>> os.environ["STREAMLAB_EXAMPLE_PASSWORD"] = "open sesame"
    >>> credential("STREAMLAB_EXAMPLE_PASSWORD")
    'open sesame'
    >>> del os.environ["STREAMLAB_EXAMPLE_PASSWORD"]
    """
    text = os.environ.get(name)
    if f"{name}_FILE" not in os.environ:
        return text
    if text:
        raise ValueError(f"{name} and {name}_FILE are both set; expected one of them")
    return _text_in(f"{name}_FILE").removesuffix("\n").removesuffix("\r")


def _text_in(name: str) -> str:
    path = os.environ[name]
    try:
        with Path(path).open("rb") as file:
            raw = file.read(LONGEST + 1)
        if len(raw) > LONGEST:
            raise ValueError
        return raw.decode("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "expected a short text in UTF-8"
        raise ValueError(f"{name}: the file cannot be read: {reason}") from None


def settings_in(variable: str) -> dict[str, str]:
    """Return the settings of the file that a variable of the environment names; {} if it names none.

    They are lines ``name=value`` that say who we are and how the connection is secured, with librdkafka's names.

    Raises
    ------
    ValueError
        If the file cannot be read, or says something else; the message never has a value.
    """
    if variable not in os.environ:
        return {}
    found: dict[str, str] = {}
    for place, line in enumerate(_text_in(variable).splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            raise ValueError(f"{variable}, line {place}: expected name=value")
        if not any(name == each or (each.endswith(".") and name.startswith(each)) for each in ALLOWED):
            raise ValueError(
                f"{variable}, line {place}: {shown(name)} cannot be set here; expected one of {few(ALLOWED)}"
            )
        found[name] = value
    return found
