"""What a run offers to be kept: an archive of it, a script and a notebook that make it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from streamlab.lab.absent import AbsentStream
from streamlab.lab.archive import Archive
from streamlab.lab.archive_file import MOST_BYTES, write_archive
from streamlab.lab.archive_members import Collected, collected, members_of
from streamlab.lab.fingerprint import Fingerprint
from streamlab.lab.ownership import Owned, owned
from streamlab.lab.reported import naming_learner
from streamlab.lab.script import notebook_of, script_of
from streamlab.lab.time_machine import TimeMachine
from streamlab.learners.base.contradictions import told
from streamlab.learners.base.saving import check_namesake
from streamlab.streams import Stream, from_recipe, load

__all__ = ["Keeping", "naming", "stream_of"]


class Keeping(Owned):
    """A run that can be saved, opened and written down."""

    stream: Stream
    _machine: TimeMachine
    _ever: dict[tuple[str, type], Any]
    _fingerprint: Fingerprint | None = None

    def save(self, path: str | Path) -> None:
        """Write the whole run to an archive: settings, learners, branches, events, curves, views, snapshots.

        The file is a zip of JSON, safetensors and Parquet, never pickle. The data are not in it, but how the stream is
        made (``Stream.recipe``) and a fingerprint of the rows that have passed, for which they are read once more. It
        is written beside ``path`` and takes its place when the disk has it: whatever happens meanwhile, ``path`` is
        the file of before or the new one.

        Of a run that a player has, the player only collects what there is to write, and goes on.

        Not held, but named: learners of River's, of which there is no flat state, and drifts put in as Python
        functions (``DriftRecipe`` is held).

        Parameters
        ----------
        path
            The file, by custom ``….slab``; replaced if it exists.

        Raises
        ------
        ValueError
            If the run takes more than 512 MiB, or 4,000,000 values of JSON (actions, events, views, snapshots), its
            beginning could not be kept, or another class is registered under the name of a learner's. The file is that
            of before then.
        OSError
            If the file cannot be written.
        """
        found = self._collected()
        fingerprint = self._fingerprint
        if fingerprint is None or fingerprint.stream is not found.first:
            fingerprint = self._fingerprint = Fingerprint(found.first)
        write_archive(Path(path), members_of(found, fingerprint))

    @owned
    def _collected(self) -> Collected:
        self._check_names()
        return collected(self)

    @classmethod
    def open(
        cls,
        path: str | Path,
        stream: Stream | Any = None,
        *,
        learners: Mapping[str, Any] | None = None,
        look_back: bool = False,
        most_bytes: int = MOST_BYTES,
        snapshots: int | None = None,
    ) -> Self:
        """Open an archive: the run as it stood when it was saved.

        With the data it goes on, bit for bit as it would have. Without them it can be looked at: tables, curves,
        events, views and the instants of its snapshots; what needs rows raises a ValueError that says so.

        Parameters
        ----------
        path
            What ``save`` wrote.
        stream
            That with which the run began, or what ``load`` makes it of. None: it is made as the archive says if it is
            one of the catalogue that need not be fetched; else there are no data.
        learners
            Fresh learners by name for those that the archive does not hold (River's): they learn from the beginning
            again what they had learned, which takes its time.
        look_back
            Whether it is opened without the data in any case.
        most_bytes
            Bytes that it may have unpacked, 512 MiB by default.
        snapshots
            Bytes that its snapshots may take from now on; None: as much as when it was saved.

        Raises
        ------
        ValueError
            In one line that names the file: if it is not an archive, cut short, altered, too large or of another
            format; if ``stream`` is not the stream of the run; if a learner is not held and not given.

        Examples
        --------
        >>> import tempfile, streamlab as sl
        >>> folder = tempfile.TemporaryDirectory()
        >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
        >>> run.advance(500)
        500
        >>> run.save(f"{folder.name}/run.slab")
        >>> again = sl.Run.open(f"{folder.name}/run.slab")
        >>> again
        <Run of SMART on 'yeast': 500 of 2,417 instances>
        >>> again.seek(250), again.advance(500)
        (250, 500)
        >>> folder.cleanup()
        """
        path = Path(path)
        with naming(path):
            archive = Archive(path, most_bytes)
            found, fingerprint = stream_of(archive, stream, bool(learners), look_back)
            begun = archive.learners(learners, found)
            settings = archive.settings if snapshots is None else archive.settings | {"snapshots": snapshots}
            run = cls(found, begun, **settings)  # type: ignore[call-arg]
            archive.fill(run, found)
        run._fingerprint = fingerprint
        return run

    @owned
    def to_script(self, path: str | Path) -> None:
        """Write a Python script that makes this run again, bit for bit: its present branch, up to where it stands.

        Raises
        ------
        ValueError
            If it cannot be written down: the stream has no ``recipe``, a learner is one of River's or had learned
            before the run began, another class is registered under the name of a learner's, a drift put in is a Python
            function. Nothing is written then.
        OSError
            If the file cannot be written.
        """
        self._check_names()
        Path(path).write_text(script_of(self), encoding="utf-8")

    @owned
    def to_notebook(self, path: str | Path) -> None:
        """Write a Jupyter notebook that makes this run again; as ``to_script``."""
        self._check_names()
        Path(path).write_text(notebook_of(self), encoding="utf-8")

    def _check_names(self) -> None:
        """Raise a ValueError if a file of the run would name another class than one of its learners is of."""
        for (name, kind), learner_run in self._ever.items():
            with naming_learner(name):
                for each in (kind, *map(type, getattr(learner_run.learner, "parts", ()))):
                    check_namesake(each)

    @property
    def has_data(self) -> bool:
        """Whether the rows are there, so that the run can go on: not where an archive was opened without them."""
        return not isinstance(self.stream, AbsentStream)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn whatever an archive leads to into a ValueError of one line that names the file."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        said = told(error).removeprefix(f"{path}: ")
        if not isinstance(error, ValueError):
            # what no check has foreseen, as in a learner of another package
            said = f"it cannot be read ({type(error).__name__}: {said})"
        raise ValueError(f"{path}: {said}") from None


def stream_of(
    archive: Archive, given: Any, given_learners: bool, look_back: bool = False
) -> tuple[Stream, Fingerprint | None]:
    """Return the stream of an archive, checked, with its fingerprint; one that is absent without the data."""
    absent = archive.snapshots[0].stream
    if look_back:
        return absent, None
    if given is not None:
        stream = given if isinstance(given, Stream) else load(given)
    else:
        try:
            stream = from_recipe(archive.recipe)
        except (ValueError, OSError):
            return absent, None
        if not given_learners and not archive.holds_all:
            return absent, None
    if stream.schema.to_json() != archive.schema.to_json():
        difference = archive.schema.difference(stream.schema) or "their hierarchies differ"
        raise ValueError(f"the run was on another stream than {stream.name!r}: {difference}")
    rows = archive.fingerprint["rows"]
    if not stream.has_rows(0, rows):
        raise ValueError(f"the run was on another stream, or {stream.name!r} has not come to its {rows:,} rows yet")
    fingerprint = Fingerprint(stream)
    other = fingerprint.difference(archive.fingerprint)
    if other:
        raise ValueError(f"the run was on another stream: of its first {rows:,} rows {stream.name!r} has {other}")
    return stream, fingerprint
