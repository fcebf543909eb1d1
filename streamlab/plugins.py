"""Registries: this package and others add learners, streams, pictures and measures by name, through entry points."""

from __future__ import annotations

import difflib
import logging
import operator
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

import numpy as np

__all__ = ["HOOKS", "Registry"]

logger = logging.getLogger("streamlab")
OWN = "streamlab"
T = TypeVar("T")
IMPORTING = threading.RLock()
"""Held while things are imported, of whatever kind: where one thread imports a package while another imports a module
in it, Python gives one of them a module that has only begun."""


class Registry(Generic[T]):
    """Things of one kind by name, imported on first use.

    They come from the entry points of every installed package, this one included, and from :meth:`add`. A package adds
    a learner by one line of its ``pyproject.toml``::

        [project.entry-points."streamlab.learners"]
        MyLearner = "my_package:MyLearner"

    Where two packages use the same name, this package's own wins, then the first in alphabetical order of the
    packages; the other is named in a warning. What cannot be imported is left out, with a warning: one broken package
    does not take the others along.

    Parameters
    ----------
    group
        The entry points' group, such as ``"streamlab.learners"``.
    kind
        What one of them is called in messages, such as ``"learner"``.
    check
        Called as ``check(name, thing)`` when a thing is first used; raises ValueError if it is not of the kind.
    of
        The class that each thing is an instance of. Where that has a ``name``, it is the one in the registry.
    several
        Whether an entry point may give a tuple of things, each with its own ``name``, as well as one. Then a file of
        measures takes one line. The entry point's name says only what they have in common, and all entry points are
        imported when a name is first asked for.

    Examples
    --------
    >>> from streamlab.learners import LEARNERS
    >>> "SMART" in LEARNERS
    True
    >>> LEARNERS.load("SMART").__name__
    'SMART'
    """

    def __init__(
        self,
        group: str,
        kind: str,
        check: Callable[[str, T], None] | None = None,
        *,
        of: type[T] | None = None,
        several: bool = False,
    ) -> None:
        self.group = group
        self.kind = kind
        self._check = check
        self._of = of
        self._several = several
        self._found: dict[str, EntryPoint] | None = None
        self._finding: dict[str, EntryPoint] | None = None
        self._loaded: dict[str, T] = {}
        self._broken: dict[str, str] = {}
        self._packages: dict[str, tuple[EntryPoint, str]] = {}
        self.edition = 0
        """Raised whenever something is added or taken away in this session."""

    def _entries(self) -> dict[str, EntryPoint]:
        if self._found is None:
            with IMPORTING:  # another thread waits until all are found
                if self._found is None and self._finding is None:
                    self._finding = {}
                    try:
                        self._find(self._finding)
                        self._found = self._finding
                    finally:
                        self._finding = None
                elif self._found is None:
                    # a plug-in that asks for names while it is imported gets those found so far
                    assert self._finding is not None
                    return self._finding
        assert self._found is not None
        return self._found

    def _find(self, found: dict[str, EntryPoint]) -> None:
        """Fill ``found``."""
        installed = entry_points(group=self.group)
        for entry in sorted(installed, key=lambda e: (_package(e) != OWN, _package(e), e.name)):
            for name, thing in self._things(entry):
                if name in found:
                    if found[name].value != entry.value:
                        logger.warning(
                            "the %s %r of the package %s is hidden by that of %s",
                            self.kind, name, _package(entry), _package(found[name]),
                        )  # fmt: skip
                    continue
                if thing is not None and not self._accepted(name, thing):
                    continue
                found[name] = entry

    def _things(self, entry: EntryPoint) -> list[tuple[str, Any]]:
        """What an entry point gives: names with things; None stands for a thing that is imported on first use."""
        if not self._several:
            return [(entry.name, None)]
        try:
            given = entry.load()
        except (Exception, SystemExit) as error:  # user code may raise anything, or be a script that ends
            logger.warning("%s", self._not_imported(entry.name, entry, error))
            return []
        things = given if isinstance(given, (tuple, list)) else (given,)
        return [(getattr(thing, "name", entry.name), thing) for thing in things]

    def _accepted(self, name: str, thing: Any) -> bool:
        try:
            self._accept(name, thing)
        except ValueError as error:
            logger.warning("%s", error)
            return False
        return True

    def _not_imported(self, name: str, entry: EntryPoint, error: BaseException) -> str:
        return (
            f"the {self.kind} {name!r} of the package {_package(entry)} cannot be imported: "
            f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        )

    def names(self) -> list[str]:
        """Every name, this package's own first, each package's in alphabetical order; imports nothing."""
        return [*dict.fromkeys([*self._entries(), *self._loaded])]

    def __contains__(self, name: object) -> bool:
        return name in self._loaded or name in self._entries()

    def __len__(self) -> int:
        return len(self.names())

    def load(self, name: str) -> T:
        """Import the thing of this name.

        Raises
        ------
        ValueError
            If there is none of this name (near names are suggested), it cannot be imported, or is not of the kind.
        """
        entry = self._entries().get(name)  # first: where one entry point gives several things, this imports them
        if name not in self._loaded:
            if entry is None:
                near = difflib.get_close_matches(str(name), self.names(), n=3, cutoff=0.5)
                known = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(self.names())}"
                raise ValueError(f"unknown {self.kind} {name!r}; {known}")
            try:
                with IMPORTING:
                    thing = entry.load()
            except (Exception, SystemExit) as error:  # user code may raise anything, or be a script
                raise ValueError(self._not_imported(name, entry, error)) from error
            self._accept(name, thing)
        return self._loaded[name]

    def items(self) -> Iterator[tuple[str, T]]:
        """Every name with its thing, imported; what cannot be imported is left out, with one warning."""
        for name in self.names():
            try:
                yield name, self.load(name)
            except ValueError as error:
                if name not in self._broken:
                    self._broken[name] = str(error)
                    logger.warning("%s", error)

    def package(self, name: str) -> str:
        """The package a name comes from; "" if it was added in this session."""
        entry = self._entries().get(name)
        if entry is None:
            return ""
        read_of, package = self._packages.get(name, (None, ""))
        if read_of is not entry:
            # once: it is read from a file of many lines
            package = _package(entry)
            self._packages[name] = entry, package
        return package

    def name_of(self, thing: T) -> str | None:
        """The name under which a thing is registered, or None."""
        for name, known in self._loaded.items():
            if known is thing:
                return name
        value = _place(thing)
        return next((n for n, e in self._entries().items() if e.value == value or self._is(n, thing)), None)

    def _is(self, name: str, thing: T) -> bool:
        if name != getattr(thing, "__name__", getattr(thing, "name", None)):
            return False
        try:
            return self.load(name) is thing
        except ValueError:
            return False

    def add(self, name: str, thing: T) -> Callable[[], None]:
        """Register a thing for this session: from a notebook or a test. Returns a function that takes it away again.

        A class that a notebook's cell defines once more takes the place of its former self.

        Raises
        ------
        ValueError
            If the name is taken, or the thing is not of the kind.
        """
        if name in self and (name in self._entries() or _place(self._loaded[name]) != _place(thing)):
            raise ValueError(f"there is a {self.kind} {name!r} already")
        self._accept(name, thing)
        self.edition += 1
        return lambda: self.remove(name, thing)

    def remove(self, name: str, thing: T) -> None:
        """Take a thing away that was added in this session; nothing happens if it is not there, or another is."""
        if self._loaded.get(name) is thing and name not in self._entries():
            del self._loaded[name]
            self.edition += 1

    def place(self, name: str) -> str | None:
        """Return where another process finds a thing of this session, ``"module:name"``; None: by its entry point.

        Raises
        ------
        ValueError
            If no other process can import it.
        """
        thing = self.load(name)
        if name in self._entries():
            return None
        place = _place(thing) if self._of is None else _place_of_object(thing)
        if not _is_importable(thing, place):
            raise ValueError(
                f"the {self.kind} {name!r} was added in this session and is {place}, which no other process can "
                "import: move it to a file of its own, my_module.py, and add what you import from there"
            )
        return place

    def _accept(self, name: str, thing: T) -> None:
        if self._of is not None and not isinstance(thing, self._of):
            found = type(thing).__name__
            raise ValueError(f"the {self.kind} {name!r} is a {found}; expected a {self._of.__name__}")
        own = getattr(thing, "name", name) if self._of is not None else name
        if own != name:
            raise ValueError(f"the {self.kind} {name!r} has the name {own!r}; expected the same")
        if self._check is not None:
            self._check(name, thing)
        self._loaded[name] = thing


HOOKS: Registry[Callable[..., Any]] = Registry("streamlab.doors", "hook")
"""What a lower floor offers and a higher one or a wing does, by name: the lower one asks here, and imports neither."""


def _place(thing: Any) -> str:
    return f"{getattr(thing, '__module__', '')}:{getattr(thing, '__qualname__', '')}"


def _place_of_object(thing: Any) -> str:
    """Return the module and the name there of an object, which does not say where it is."""
    modules = {name: dict(getattr(module, "__dict__", {})) for name, module in sys.modules.copy().items()}
    places = [f"{module}:{name}" for module, names in modules.items() for name, each in names.items() if each is thing]
    return next((place for place in places if _is_importable(thing, place)), places[0] if places else "in no module")


def _is_importable(thing: Any, place: str) -> bool:
    """Return whether another process with the same search path can import an object."""
    module, _, name = place.partition(":")
    try:
        found = operator.attrgetter(name)(sys.modules[module]) is thing
    except (KeyError, AttributeError):
        return False
    package = module.partition(".")[0]
    # not importlib.util.find_spec: that knows modules which were made by hand, or loaded from elsewhere
    finders = [finder.find_spec for finder in sys.meta_path if hasattr(finder, "find_spec")]
    return found and package != "__main__" and any(find(package, None) is not None for find in finders)


def _package(entry: EntryPoint) -> str:
    """Return the name of an entry point's package; "?" where what is left of it, such as no METADATA, says none."""
    dist: Any = entry.dist
    try:
        return str(dist.name or "?")
    except Exception:  # as it is with this version of Python
        return "?"


# ---------------------------------------------------------------------- what the code of other packages is handed


def is_foreign(code: Any) -> bool:
    """Return whether a function, a class or an object that is called is another package's, or of a notebook."""
    module = getattr(code, "__module__", None) or type(code).__module__
    return str(module).partition(".")[0] != OWN


def read_only(value: Any) -> Any:
    """Return a view of an array that cannot be written to, a copy of a SciPy matrix; anything else as it is."""
    if isinstance(value, np.ndarray):
        view = value.view()
        view.flags.writeable = False
        return view
    return value.copy() if hasattr(value, "tocsr") else value
