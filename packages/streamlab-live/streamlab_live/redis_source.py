"""Redis Streams as a source: entries in order, their ids the offsets."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from streamlab._checks import checked_count, one_line, shown

from streamlab_live.source import Message, Offset, Source, credential, settings_in

if TYPE_CHECKING:
    from streamlab_live.addresses import Address

__all__ = ["RedisSource"]

PORT = 6379
PATIENCE = 5.0
"""Seconds that the server may take for an answer."""
MOST_BYTES = 16 * 2**20
"""About how much is asked for at once, by the mean size of the entries so far."""
BEGINNING = "0-0"
_ID = re.compile(r"(\d{1,20})-(\d{1,20})", re.ASCII)
_NUMBER = re.compile(rb"-?(0|[1-9]\d{0,300})(\.\d{1,300})?([eE][+-]?\d{1,4})?")
WHOLE = (b"value", b"data")
"""Fields that hold a whole message."""


class RedisSource(Source):
    """A Redis stream, read by ``XREAD`` without a consumer group: the server keeps nothing of who has read what.

    An entry with a field ``value`` or ``data`` (and perhaps ``key``, and no other one) is a message of these bytes.
    Every other entry is a JSON object of all its fields, those that are numbers as numbers; the field ``key`` is its
    key then, too. ``when`` is the time in the entry's id.

    Parameters
    ----------
    host, port
        The server.
    stream
        The stream's key. It need not be there yet.
    db
        Number of the database. Default 0.
    tls
        Whether the connection is encrypted, as with ``rediss:``. Default False.

    Raises
    ------
    ImportError
        If the package ``redis`` is not installed.
    ValueError
        If an argument or a variable of the environment is wrong.

    Notes
    -----
    Credentials come from the environment: ``STREAMLAB_REDIS_USERNAME``, ``STREAMLAB_REDIS_PASSWORD`` or the file named
    by ``STREAMLAB_REDIS_PASSWORD_FILE``; ``STREAMLAB_REDIS_CA_FILE`` names the certificates to trust. Or a file that
    ``STREAMLAB_REDIS_CONFIG`` names has them all, as Kafka's has: ``sasl.username``, ``sasl.password``,
    ``ssl.ca.location``, and for a server that asks for one, ``ssl.certificate.location`` and ``ssl.key.location``.

    A stream that is trimmed or whose entries are deleted keeps its promise only while the last entry that was read is
    there: then nothing behind it can have been trimmed. Where that entry is gone and others have followed, reading
    stops with a ValueError rather than go on with a gap.

    Examples
    --------
    >>> source = RedisSource("localhost", 6379, "rows")  # doctest: +SKIP
    >>> source.seek({"rows": "1700000000000-0"})  # doctest: +SKIP
    >>> [message.value for message in source.poll(100, timeout=1.0)]  # doctest: +SKIP
    [b'{"id": 1, "runtime": 92}']
    """

    options: ClassVar[Mapping[str, str]] = {"db": "number of the database; default 0"}
    title = "A Redis stream"
    where = ("Server and stream", "localhost:6379/rows")
    needs = "redis"
    guarantee = (
        "Each entry once, also after a crash of the reader, as long as the server keeps the last entry that was read; "
        "a server that loses entries when it crashes (appendfsync other than always) is found out at the next contact."
    )

    def __init__(self, host: str, port: int, stream: str, *, db: int = 0, tls: bool = False) -> None:
        try:
            import redis
        except ImportError:
            raise ImportError("Redis streams need the package redis: pip install ./packages/streamlab-live") from None
        if not host:
            raise ValueError("a Redis stream needs a host, as in redis://localhost:6379/rows")
        if not stream or len(stream) > 1000:
            raise ValueError(
                f"stream={shown(stream)}: expected the key of a Redis stream, as in redis://localhost/rows"
            )
        port, db = checked_count("port", port, 1, 65535), checked_count("db", db, 0)
        self.name = f"redis{'s' if tls else ''}://{host}:{port}/{stream}"
        self.stream = stream
        self._redis: Any = redis
        settings = settings_in("STREAMLAB_REDIS_CONFIG")
        secured: dict[str, Any] = (
            {
                "ssl": True,
                "ssl_ca_certs": os.environ.get("STREAMLAB_REDIS_CA_FILE", settings.get("ssl.ca.location")),
                "ssl_certfile": settings.get("ssl.certificate.location"),
                "ssl_keyfile": settings.get("ssl.key.location"),
                "ssl_password": settings.get("ssl.key.password"),
                "ssl_check_hostname": True,  # no default before version 6
            }
            if tls
            else {}
        )
        self._client: Any = redis.Redis(
            host=host.strip("[]"),
            port=port,
            db=db,
            username=credential("STREAMLAB_REDIS_USERNAME") or settings.get("sasl.username"),
            password=credential("STREAMLAB_REDIS_PASSWORD") or settings.get("sasl.password"),
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            # the reader tries again, and says so
            retry=redis.retry.Retry(redis.backoff.NoBackoff(), 0),
            protocol=2,  # one shape of answers, whatever the server's version
            **secured,
        )
        self._last = BEGINNING
        self._bytes, self._entries = 0, 0
        # how many entries the server had ever added up to ``_last``; None until it is known
        self._ordinal: int | None = None

    @classmethod
    def from_address(cls, address: Address) -> RedisSource:
        """Return the source of an address such as ``redis://localhost:6379/rows?db=1``; ``rediss:`` is encrypted.

        Raises
        ------
        ValueError
            If it names no stream, or its database is not a whole number.
        """
        if "," in address.host:
            raise ValueError(f"{address.shown}: expected one server")
        port, db = PORT if address.port is None else address.port, address.count("db", 0, 0)
        return cls(address.host, port, address.path.removeprefix("/"), db=db, tls=address.scheme == "rediss")

    def seek(self, offsets: Mapping[str, Offset]) -> None:
        unknown = [partition for partition in offsets if partition != self.stream]
        if unknown:
            raise ValueError(f"{self.name}: the offsets are of {shown(unknown[0])}, which is another stream")
        last = offsets.get(self.stream, BEGINNING)
        if not isinstance(last, str) or _ID.fullmatch(last) is None or max(_place(last)) >= 2**64:
            raise ValueError(f"{self.name}: offset {shown(last)}: expected an id such as 1700000000000-0")
        self._client.close()  # a connection that broke is not used again
        self._last, self._ordinal = last, None
        self._read(0)

    def poll(self, most: int, timeout: float) -> list[Message]:
        until = time.monotonic() + timeout
        while True:
            count = most
            if self._entries:
                count = min(most, max(1, MOST_BYTES * self._entries // max(1, self._bytes)))
            elif most > 100:
                count = 100  # until it is known how large they are
            found = self._read(count)
            left = until - time.monotonic()
            if found or left <= 0:
                return found
            # wakes when there is one; what is read is read with the check that nothing was trimmed in between
            milliseconds = max(1, int(min(left, PATIENCE / 2) * 1000))
            self._ask(lambda ms=milliseconds: self._client.xread({self.stream: self._last}, count=1, block=ms))

    def lag(self) -> int | None:
        if self._ordinal is None:
            return None
        facts = self._ask(lambda: self._facts(self._client))
        added = facts.get("entries-added")
        return None if added is None else max(0, added - self._ordinal)

    def close(self) -> None:
        self._client.close()

    def _read(self, count: int) -> list[Message]:
        """Return the next messages, in one transaction with the check that nothing between was trimmed."""
        there, facts, found = self._ask(lambda: self._transaction(count))
        if isinstance(facts, self._redis.exceptions.ResponseError) and "no such key" in str(facts).lower():
            facts = None
        for answer in (there, facts, found):
            if isinstance(answer, Exception):
                self._refuse(answer)
        named = {} if facts is None else _texts(facts)
        self._check_kept(there, named)
        messages = [self._message(id_, fields) for id_, fields in (found[0][1] if found else ())]
        if named and self._last == BEGINNING and "entries-added" in named:
            self._ordinal = named["entries-added"] - named["length"]
        if messages:
            self._bytes += sum(len(message.value) for message in messages)
            self._entries += len(messages)
            self._last = str(messages[-1].offset)
        if named and self._last == _text(named["last-generated-id"]):
            self._ordinal = named.get("entries-added")  # None before Redis 7
        elif self._ordinal is not None:
            self._ordinal += len(messages)
        return messages

    def _transaction(self, count: int) -> list[Any]:
        with self._client.pipeline(transaction=True) as together:
            together.xrange(self.stream, self._last, self._last, count=1)
            together.execute_command("XINFO", "STREAM", self.stream)
            if count:
                together.xread({self.stream: self._last}, count=count)
            answers = together.execute(raise_on_error=False)
        return answers if count else [*answers, None]

    def _facts(self, client: Any) -> dict[str, Any]:
        try:
            return _texts(client.execute_command("XINFO", "STREAM", self.stream))
        except self._redis.exceptions.ResponseError as error:
            if "no such key" in str(error).lower():
                return {}
            raise

    def _check_kept(self, there: Any, facts: Mapping[str, Any]) -> None:
        if self._last == BEGINNING or there:
            return
        if not facts:
            raise ValueError(f"{self.name}: the stream is gone; it was read up to {self._last}")
        newest, first = _text(facts["last-generated-id"]), facts.get("first-entry")
        if _place(newest) < _place(self._last):
            raise ValueError(
                f"{self.name}: its newest id is {newest}, and {self._last} was read already: the stream was made "
                "again, or the server lost entries"
            )
        if newest != self._last:
            kept = f"the first that is kept is {_text(first[0])}" if first else "nothing is kept"
            raise ValueError(
                f"{self.name}: messages after {self._last} may be gone: that entry was trimmed or deleted, and {kept}"
            )

    def _message(self, id_: Any, fields: Any) -> Message:
        offset = _text(id_)
        key = fields.get(b"key")
        text = None if key is None else key.decode("utf-8", "backslashreplace")
        rest = [name for name in fields if name != b"key"]
        value = fields[rest[0]] if len(rest) == 1 and rest[0] in WHOLE else _object(fields)
        return Message(self.stream, offset, _place(offset)[0] / 1000, value, text)

    def _ask(self, question: Any) -> Any:
        errors = self._redis.exceptions
        try:
            return question()
        except (errors.AuthenticationError, errors.AuthorizationError, errors.ResponseError) as error:
            self._refuse(error)
        except (errors.RedisError, OSError) as error:
            raise ConnectionError(f"{self.name}: {one_line(error, 200)}") from None

    def _refuse(self, error: Exception) -> NoReturn:
        """Raise what the server's refusal means: wrong for good, or only for now."""
        errors, text = self._redis.exceptions, one_line(error, 200)
        for_now = ("LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "max number of clients")
        if isinstance(error, errors.BusyLoadingError) or any(word in text for word in for_now):
            raise ConnectionError(f"{self.name}: {text}") from None
        if isinstance(error, (errors.AuthenticationError, errors.AuthorizationError)) or "NOAUTH" in text:
            raise ValueError(
                f"{self.name}: the server refuses the credentials; expected them in STREAMLAB_REDIS_USERNAME and "
                "STREAMLAB_REDIS_PASSWORD (or STREAMLAB_REDIS_PASSWORD_FILE)"
            ) from None
        if isinstance(error, errors.ConnectionError):
            raise ConnectionError(f"{self.name}: {text}") from None
        raise ValueError(f"{self.name}: {text}") from None


def _place(id_: str) -> tuple[int, int]:
    milliseconds, _, number = id_.partition("-")
    return int(milliseconds), int(number)


def _text(value: Any) -> str:
    return value.decode("ascii", "backslashreplace") if isinstance(value, bytes) else str(value)


def _texts(facts: Any) -> dict[str, Any]:
    """Return the answer of XINFO, names and values in turn, by name."""
    pairs = facts.items() if isinstance(facts, dict) else zip(facts[::2], facts[1::2], strict=True)
    return {_text(name): value for name, value in pairs}


def _object(fields: Mapping[bytes, bytes]) -> bytes:
    """Return fields as a JSON object; bytes that are not UTF-8 stay as they are, so that the reader can refuse them."""
    parts = [
        b"%s: %s" % (_quoted(name), value if _NUMBER.fullmatch(value) else _quoted(value))
        for name, value in fields.items()
    ]
    return b"{%s}" % b", ".join(parts)


def _quoted(raw: bytes) -> bytes:
    return json.dumps(raw.decode("utf-8", "surrogateescape"), ensure_ascii=False).encode("utf-8", "surrogateescape")
