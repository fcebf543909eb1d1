"""Addresses of live sources, ``scheme://host/path?options``: read, checked, and the source that each scheme names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from streamlab._checks import check_only, checked_choice, checked_count, checked_number, few, near, number_in, shown
from streamlab.plugins import Registry

__all__ = ["SOURCES"]

SECRETS = re.compile(r"pass|secret|token|credential|api[-_.]?key|auth|jaas|private", re.IGNORECASE)
"""Names of options that would hold a credential."""

OF_MESSAGES = ("format", "most_bytes")
"""Options of how messages are read that sources are told, too: they may have to know where one ends."""

LONGEST_ADDRESS = 8192
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_FOLDER_OF_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def _check(scheme: str, made: object) -> None:
    # not by Source: its module takes longer to import than all of this, and most sessions have no live stream
    if _SCHEME.fullmatch(f"{scheme}:") is None or scheme != scheme.lower():
        raise ValueError(f"the source {scheme!r}: expected a scheme of small letters and digits, as in tail:")
    missing = [
        each for each in ("from_address", "seek", "poll", "lag", "close") if not callable(getattr(made, each, 0))
    ]
    if missing or not isinstance(made, type):
        raise ValueError(
            f"the source {scheme!r} is {shown(made)}, without {few(missing or ['a class'])}; expected a subclass of "
            "streamlab_live.Source with from_address"
        )


SOURCES: Registry[Any] = Registry("streamlab.sources", "source", _check)
"""Classes of live sources by the scheme of their addresses: of the entry points ``streamlab.sources``, and added."""


@dataclass(frozen=True)
class Address:
    """An address, taken apart.

    Parameters
    ----------
    scheme
        In small letters.
    host, port
        "" and None where there are none. Of several hosts, as Kafka has them, ``host`` is all of them with their ports.
    path
        What stands behind the host; where there is none, as in ``tail:``, the path of a file or folder.
    options
        By name: what stands behind the question mark, as texts that are not decoded yet where they are lists.
    """

    scheme: str
    host: str = ""
    port: int | None = None
    path: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str, default: str | None = None) -> str | None:
        """Return an option as a text; ``default`` where it is not given."""
        return unquote(self.options[name]) if name in self.options else default

    def names(self, name: str) -> list[str] | None:
        """Return an option as a list of names, separated by commas (a comma in a name is written ``%2C``), or None.

        Raises
        ------
        ValueError
            If a name is empty.
        """
        if name not in self.options:
            return None
        found = [unquote(part) for part in self.options[name].split(",")]
        if not all(found):
            raise ValueError(f"{self.shown}: {name}={shown(self.options[name])}: expected names separated by commas")
        return found

    def number(self, name: str, default: float | None = None, low: float = 0.0) -> float | None:
        """Return an option as a number of at least ``low``.

        Raises
        ------
        ValueError
            If it is not such a number.
        """
        if name not in self.options:
            return default
        value = number_in(self.options[name])
        return checked_number(f"{self.shown}: {name}", self.options[name] if value is None else value, low)

    def count(self, name: str, default: int, low: int = 1) -> int:
        """Return an option as a whole number of at least ``low``.

        Raises
        ------
        ValueError
            If it is none.
        """
        if name not in self.options:
            return default
        value = number_in(self.options[name])
        is_whole = value is not None and value.is_integer()
        return checked_count(f"{self.shown}: {name}", int(value or 0) if is_whole else self.options[name], low)

    def choice(self, name: str, known: Iterable[str], default: str) -> str:
        """Return an option that is one of a few words.

        Raises
        ------
        ValueError
            If it is another; near words are suggested.
        """
        return checked_choice(f"{self.shown}: {name}", self.text(name, default) or default, tuple(known))

    @property
    def shown(self) -> str:
        """The address without its options: safe to show, and short."""
        where = self.host if self.port is None else f"{self.host}:{self.port}"
        slashes = "//" if self.host else ""
        text = f"{self.scheme}:{slashes}{where}{self.path}"
        return text if len(text) <= 200 else f"{text[:199]}…"

    def without(self, taken: Iterable[str]) -> Address:
        """Return the address without some of its options."""
        gone = set(taken)
        left = {name: value for name, value in self.options.items() if name not in gone}
        return replace(self, options=left)

    def check_options(self, known: Iterable[str]) -> None:
        """Raise a ValueError, which names near ones, if there is an option that is not known."""
        check_only(self.shown, self.options, known)


def is_address(text: str) -> bool:
    """Return whether a text is an address and no path: it begins with a scheme, known or with ``//`` behind it.

    Examples
    --------
    >>> [is_address(text) for text in ("tail:rows.csv", "kafka://host/topic", "C:\\\\rows.csv", "notes.csv")]
    [True, True, False, False]
    """
    found = _SCHEME.match(text[:64])
    if found is None or _FOLDER_OF_DRIVE.match(text):
        return False
    return found[1].lower() in SOURCES.names() or text[found.end() : found.end() + 2] == "//"


def parse_address(text: str) -> Address:
    """Take an address apart.

    Raises
    ------
    ValueError
        If its scheme is unknown, it holds a name, a password or an option for one, or an option comes twice. What is
        refused as a credential is not repeated in the message. In an address of a server any ``@`` is taken as the end
        of a password; one in a name is written ``%40``.

    Examples
    --------
    >>> address = parse_address("tail:rows.csv?labels=a,b")
    >>> address.scheme, address.path, address.names("labels")
    ('tail', 'rows.csv', ['a', 'b'])
    """
    if len(text) > LONGEST_ADDRESS:
        raise ValueError(f"an address of {len(text):,} characters; expected at most {LONGEST_ADDRESS:,}")
    found = _SCHEME.match(text)
    scheme = "" if found is None else found[1].lower()
    if scheme not in SOURCES:
        known = [f"{name}:" for name in SOURCES.names()]
        hint = near(scheme, SOURCES.names())
        raise ValueError(f"the scheme {shown(scheme)} of the address is unknown{hint}; expected one of {few(known)}")
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in text):
        raise ValueError(f"{scheme}: the address holds a control character")
    assert found is not None, "the scheme was found"
    of_files = SOURCES.load(scheme).of_files
    # a password may hold any of / ? # and so end what looks like the host
    if not of_files and "@" in text[found.end() :]:
        raise ValueError(
            f"{scheme}: the address holds a user or a password before '@'; give credentials in the environment or "
            "in a file, because addresses are shown, logged and kept in archives (an '@' in a name is written %40)"
        )
    rest, _, query = text[found.end() :].partition("?")
    host, port, path = "", None, rest
    if rest.startswith("//") and not of_files:
        host, port, path = _place(scheme, rest)
    elif of_files and rest.startswith("///"):
        path = rest[2:]
    address = Address(scheme, host, port, unquote(path), _options(scheme, query))
    if "\0" in address.path:
        raise ValueError(f"{scheme}: the address holds a control character")
    return address


def _place(scheme: str, rest: str) -> tuple[str, int | None, str]:
    authority = rest[2:].partition("/")[0]
    path = rest[2 + len(authority) :]
    if "," in authority:  # several servers to begin with
        return authority, None, path
    try:
        parts = urlsplit(f"//{authority}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(
            f"{scheme}: {shown(authority)} is not a host and port; expected one such as localhost:8080"
        ) from None
    return (f"[{host}]" if ":" in host else host), port, path


def _options(scheme: str, query: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in filter(None, query.split("&")):
        raw, equals, value = part.partition("=")
        name = unquote(raw)
        if SECRETS.search(name):
            raise ValueError(
                f"{scheme}: the address has an option {shown(name)}; give credentials in the environment or in a "
                "file, because addresses are shown, logged and kept in archives"
            )
        if not equals or not name:
            raise ValueError(f"{scheme}: expected options such as labels=a,b behind '?', found {shown(name)}")
        if name in options:
            raise ValueError(f"{scheme}: the option {shown(name)} occurs twice; expected it once")
        options[name] = value
    return options


def checked_options(address: Address, options: Mapping[str, Any]) -> Address:
    """Return the address with options given as values of Python put in.

    Raises
    ------
    ValueError
        If one is given twice, or its value cannot be one.
    """
    found = dict(address.options)
    for name, value in options.items():
        if value is None:
            continue
        if SECRETS.search(name):
            raise ValueError(
                f"{address.shown}: {shown(name)}= holds a credential; these come from the environment or a file"
            )
        if name in found:
            raise ValueError(f"{address.shown}: {name}= is given twice, in the address and beside it")
        found[name] = _written(address, name, value)
    return replace(address, options=found)


def _written(address: Address, name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(
            f"{quote(str(k), safe='')}:{'|'.join(quote(str(v), safe='') for v in vs)}" for k, vs in value.items()
        )
    if isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value):
        return ",".join(quote(each, safe="") for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, float, Path)):
        return quote(str(value), safe=",|:" if name in ("labels", "columns", "ignore") else "")
    raise ValueError(f"{address.shown}: {name}={shown(value)}: expected a text, a number, or a list of names")


def source_of(address: Address, others: Iterable[str] = ()) -> Any:
    """Return the ``Source`` of an address; ``others`` are options that are not the source's, but for ``OF_MESSAGES``.

    Raises
    ------
    ImportError
        If it needs a package that is not installed.
    ValueError
        If an option is unknown, or as the source says.
    """
    made = SOURCES.load(address.scheme)
    others, own = list(others), made.options
    address.check_options([*own, *others])
    return made.from_address(address.without(set(others) - set(own) - set(OF_MESSAGES)))
