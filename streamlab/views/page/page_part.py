"""What wings and other packages add to a page of the monitor: a section of its sidebar, a panel, sources of streams."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from streamlab.plugins import Registry
from streamlab.streams import Stream

__all__ = ["PARTS", "PagePart"]

logger = logging.getLogger("streamlab")
Answer = TypeVar("Answer")


class PagePart:
    """A part of a page; every method does nothing by itself, and a subclass says what it has.

    A package adds one by a line of its ``pyproject.toml``::

        [project.entry-points."streamlab.page_parts"]
        lessons = "my_package:MyPart"

    Parameters
    ----------
    monitor
        The page: its choices and its link have been read, and it shows nothing yet.

    Attributes
    ----------
    header, sidebar, above
        What it shows in the page's header, in its drawer, which asks for it when it opens first, and above the run.
    """

    header: Sequence[Any] = ()
    sidebar: Sequence[Any] = ()
    above: Sequence[Any] = ()

    def __init__(self, monitor: Any) -> None:
        self._monitor = monitor

    @classmethod
    def of(cls, monitor: Any) -> PagePart:
        """Return the part of a page."""
        return cls(monitor)

    @staticmethod
    def lessons() -> Sequence[str]:
        """Return the names that ``lesson=`` in a page's address may have."""
        return ()

    @property
    def is_open(self) -> bool:
        """Whether it leads through the page now, as a lesson does: the page then waits for all its learners."""
        return False

    def beside(self, content: Any) -> Any:
        """Return the page's content, with what is to be beside it."""
        return content

    def begin_page(self) -> bool:
        """Begin the page's first run; False: the page does."""
        return False

    def restart(self) -> bool:
        """Start the run again; False: the page does."""
        return False

    def query(self) -> str:
        """Return what the page's address is to say; "": what the page says."""
        return ""

    def about(self) -> str:
        """Return what the start page is to call the page; "": what the page says."""
        return ""

    def open(self, source: Any, cancelled: Callable[[], bool]) -> Stream | None:
        """Return the stream of a source that this part gave to ``begin_with``; None: it is another's. In a thread."""
        return None

    def started(self, source: Any, stream: Stream) -> None:
        """Take note that a run on this stream is about to be shown."""

    def shown(self, view: Any) -> None:
        """Take a view that the page has just made, of a run at its first row."""

    def refused(self, source: Any, message: str) -> bool:
        """Say why a source cannot be opened; returns whether it is one of this part's."""
        return False

    def forget(self) -> None:
        """Leave the stream that is open to another page."""

    def close(self) -> None:
        """Free what the part holds; may be called more than once."""


def _check(name: str, made: object) -> None:
    if not (isinstance(made, type) and issubclass(made, PagePart)):
        raise ValueError(f"the part {name!r} of a page is {made!r}; expected a subclass of PagePart")


PARTS: Registry[type[PagePart]] = Registry("streamlab.page_parts", "part of a page", _check)
"""Parts of pages by name: those of the entry points ``streamlab.page_parts`` and those added in this session."""


def lesson_names() -> list[str]:
    """Return the names that ``lesson=`` in a page's address may have."""
    return [name for _, part in PARTS.items() for name in part.lessons()]


class PageParts:
    """The parts of one page, as if they were one; a part that cannot be made is left out with a warning."""

    def __init__(self, monitor: Any) -> None:
        self._made: dict[str, PagePart] = {}
        for name, part in PARTS.items():
            try:
                self._made[name] = part.of(monitor)
            except Exception:
                logger.warning("the part %r of a page cannot be shown", name, exc_info=True)

    def __iter__(self) -> Iterator[PagePart]:
        return iter(self._made.values())

    def __getitem__(self, name: str) -> Any:
        return self._made[name]

    def all(self, place: Callable[[PagePart], Sequence[Any]]) -> list[Any]:
        """Return what all parts show in one of their places."""
        return [each for part in self for each in place(part)]

    @property
    def is_open(self) -> bool:
        """Whether one leads through the page now."""
        return any(part.is_open for part in self)

    def beside(self, content: Any) -> Any:
        """Return the page's content, with what all have beside it."""
        for part in self:
            content = part.beside(content)
        return content

    def first(self, duty: Callable[[PagePart], Answer]) -> Answer | None:
        """Return the first answer of a part that is not None, False or ""; None: there is no such."""
        return next(filter(None, map(duty, self)), None)

    def every(self, duty: Callable[[PagePart], None]) -> None:
        """Have all parts do something."""
        for part in self:
            duty(part)
