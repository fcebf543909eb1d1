"""Values of a lesson's file, taken one by one: what is missing, unknown or of another kind is told in a line."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from streamlab.views.kit.text import shown

__all__ = ["Fields", "read_yaml"]

NEEDED: Any = object()
"""In place of a default: the value has to be there."""


class _Loader(yaml.SafeLoader):
    """YAML without anchors, by which a short text would stand for an endless one, and with each key once."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent) or getattr(self.peek_event(), "anchor", None) is not None:
            raise ValueError("anchors (&name, *name) are not read here")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [each.value for each, _ in node.value if isinstance(each.value, str)]
        for key in keys:
            if keys.count(key) > 1:
                raise ValueError(f"{shown(key, 40)} is given twice")
        return super().construct_mapping(node, deep)


def read_yaml(text: str) -> Any:
    """Return what a text in YAML says.

    Raises
    ------
    ValueError
        If it is not valid YAML, has anchors, gives a key twice, or is nested too deep.
    """
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = "" if mark is None else f" in line {mark.line + 1} of the block"
        raise ValueError(f"invalid YAML{line}: {shown(getattr(error, 'problem', None) or error, 120)}") from None
    except RecursionError:
        raise ValueError("the settings are nested too deep") from None


class Fields:
    """The keys of a mapping, each taken once.

    Parameters
    ----------
    value
        What the file has there.
    where
        How it is called in an error, such as ``"until"``; "" for a whole block.

    Raises
    ------
    ValueError
        If it is not a mapping with texts as keys.
    """

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise ValueError(f"{where or 'the settings'}: expected keys and values, not {shown(repr(value), 60)}")
        self._left = dict(value)
        self._where = where

    def named(self, name: str) -> str:
        """Return how a key is called in an error."""
        return f"{self._where}.{name}" if self._where else name

    def __contains__(self, name: str) -> bool:
        return name in self._left

    def text(self, name: str, default: Any = NEEDED, most: int = 400) -> Any:
        """Take a text that is not empty."""
        return self._taken(name, default, f"a text of at most {most} characters", lambda value: (
            isinstance(value, str) and bool(value.strip()) and len(value) <= most
        ))  # fmt: skip

    def whole(self, name: str, low: int, high: int, default: Any = NEEDED) -> Any:
        """Take a whole number in a range, both ends included."""
        return self._taken(name, default, f"a whole number from {low:,} to {high:,}", lambda value: (
            isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        ))  # fmt: skip

    def number(self, name: str, low: float, high: float, default: Any = NEEDED) -> Any:
        """Take a number in a range, both ends included."""
        return self._taken(name, default, f"a number from {low:g} to {high:g}", lambda value: (
            isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high
        ))  # fmt: skip

    def one_of(self, name: str, choices: Sequence[str], default: Any = NEEDED) -> Any:
        """Take one of some texts."""
        value = self._taken(name, default, "a text", lambda value: isinstance(value, str))
        if value is not default and value not in choices:
            near = difflib.get_close_matches(value, choices, 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise ValueError(f"{self.named(name)}={shown(value, 40)}{hint}: expected one of {', '.join(choices)}")
        return value

    def texts(self, name: str, low: int, high: int, default: Any = NEEDED) -> Any:
        """Take a list of texts, as a tuple."""
        value = self._taken(name, default, f"a list of {low} to {high} texts", lambda value: (
            isinstance(value, list) and low <= len(value) <= high
            and all(isinstance(each, str) and 0 < len(each.strip()) <= 300 for each in value)
        ))  # fmt: skip
        return tuple(value) if isinstance(value, list) else value

    def plain(self, name: str) -> str:
        """Take a text or a number, as a text."""
        value = self._taken(name, NEEDED, "a text or a number", lambda value: (
            isinstance(value, (str, int, float)) and not isinstance(value, bool) and 0 < len(str(value).strip()) <= 80
        ))  # fmt: skip
        return str(value).strip()

    def within(self, name: str) -> Fields | None:
        """Take a mapping; None if there is none."""
        if name not in self._left:
            return None
        return Fields(self._left.pop(name), self.named(name))

    def several(self, name: str, most: int = 20) -> list[Fields]:
        """Take a list of mappings; a single one counts as a list of one."""
        value = self._left.pop(name, [])
        items = value if isinstance(value, list) else [value]
        if len(items) > most:
            raise ValueError(f"{self.named(name)}: {len(items)} of them; expected at most {most}")
        return [Fields(each, f"{self.named(name)}[{i}]" if len(items) > 1 else self.named(name))
                for i, each in enumerate(items)]  # fmt: skip

    def rest(self) -> dict[str, Any]:
        """Take all that is left."""
        rest, self._left = self._left, {}
        return rest

    def end(self, known: Sequence[str]) -> None:
        """Raise ValueError for a key that was not taken."""
        for name in self._left:
            near = difflib.get_close_matches(name, known, 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise ValueError(f"{shown(self.named(name), 60)} is unknown{hint}: expected {', '.join(known)}")

    def _taken(self, name: str, default: Any, expected: str, is_sound: Any) -> Any:
        if name not in self._left:
            if default is NEEDED:
                raise ValueError(f"{self.named(name)} is missing: expected {expected}")
            return default
        value = self._left.pop(name)
        if not is_sound(value):
            raise ValueError(f"{self.named(name)}={shown(repr(value), 60)}: expected {expected}")
        return value
