"""ARFF files in both multi-label dialects, MEKA's and MULAN's, and Clus's, as tables whose header says the roles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from streamlab._checks import checked_flag, existing_file, within
from streamlab.streams._sparse import WIDE
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._arff_header import choose_labels
from streamlab.streams.readers._arff_source import ArffSource
from streamlab.streams.readers._text import checked_encoding
from streamlab.streams.tables.guess import Guess, guess_of
from streamlab.streams.tables.kinds import LABELS
from streamlab.streams.tables.opening import say
from streamlab.streams.tables.roles import Named
from streamlab.streams.tables.table_stream import TableStream

__all__ = ["ArffStream"]


class ArffStream(TableStream):
    """A multi-label ARFF file, read in bounded memory as often as asked for.

    Parameters
    ----------
    path
        The file; unpacked on the way if its name ends in ``.gz``.
    labels
        Which attributes are the labels. None (default): those named in the XML file beside it (MULAN; nested labels
        become a hierarchy), else the attribute of type ``hierarchical`` (Clus), else as many as ``-C`` in the
        relation's name says (MEKA: the first n, or the last if n is negative). Else an integer in MEKA's sense, a name,
        a list of names, or the path of an XML file. Where it is one nominal attribute, its values are classes
        (``Schema.classes``).
    ignore
        Attributes to leave out; those of type string and date are in any case, with a warning unless they are named.
    sparse
        Whether chunks are CSR. None (default): if the first row is written as a sparse one, and there are at least
        10,000 features.
    encoding
        What the file is written in; default UTF-8.
    limits
        What reading the file may take; default ``LoadLimits()``.
    cancel
        Called without arguments between blocks while the file is opened; opening stops with ``LoadCancelled`` if it
        returns true.

    Attributes
    ----------
    schema : Schema
        Features and labels in the order of the attributes.
    n_rows : int

    Raises
    ------
    ValueError
        On opening and while reading, naming file, line and column: a wrong header, labels that cannot be found, ragged
        rows, unknown categories, a cell that is not a finite number, bytes in another encoding, a damaged gzip, a limit
        passed.

    Notes
    -----
    Opening passes over the file once, to count its rows and to look at its labels. A label is an attribute of 0 and 1,
    TRUE and FALSE, no and yes …; one of other categories has a label for each. A ``?`` there is a label that is not
    known, which ``labelling`` hides. Clus's ``hierarchical`` attributes have a label for each node.

    Rows may be dense or sparse; between the cells of dense ones stand commas, blanks or tabs, and perhaps a comma
    behind the last. What a sparse row leaves out is 0, and the first category of a nominal attribute. ``?``
    is missing, and so is ``nan``, which some programs write. Numbers are read exactly as ``float`` reads them.

    References
    ----------
    https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/, https://waikato.github.io/meka/,
    http://mulan.sourceforge.net/format.html. Departure: attributes of type string and date are left out, relational
    ones refused, and so are weights of instances.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "notes.arff"
    ...     header = "@relation notes\\n@attribute pitch numeric\\n@attribute loud {0,1}\\n"
    ...     _ = path.write_text(header + "@data\\n60,1\\n62,0\\n")
    ...     stream = ArffStream(path, labels=["loud"])
    ...     chunk = next(stream.chunks(10))
    >>> stream.schema.labels, chunk.X.tolist(), chunk.Y.tolist()
    (('loud',), [[60.0], [62.0]], [[1], [0]])
    """

    def __init__(
        self,
        path: str | Path,
        *,
        labels: int | str | Path | Sequence[str] | None = None,
        ignore: str | Sequence[str] = (),
        sparse: bool | None = None,
        encoding: str = "utf-8",
        limits: LoadLimits | None = None,
        cancel: Callable[[], object] | None = None,
    ) -> None:
        path = existing_file(path)
        watch = LoadWatch(path, limits, cancel)
        source = ArffSource(path, checked_encoding(encoding), watch)
        names, above = choose_labels(source.header, path, labels, watch)
        with within(str(path)):
            named = Named(labels=names, ignore=ignore)
        guess = guess_of(source, None, named)
        guess.check()
        roles = [column.role for column in guess.columns]
        source.as_words = {j for j, role in enumerate(roles) if role in LABELS}
        is_sparse = checked_flag("sparse", sparse, optional=True)
        if is_sparse is None:
            is_sparse = source.is_sparse and roles.count("feature") >= WIDE
        super().__init__(source, guess.columns, watch=watch, above=above, sparse=is_sparse)
        say(guess, self)
        self.encoding, self.relation = encoding, source.header.relation


def guess_arff(
    path: str | Path, *, limits: LoadLimits | None = None, cancel: Callable[[], object] | None = None
) -> Guess:
    """Return the attributes of an ARFF file, those that look like labels as labels.

    Raises
    ------
    ValueError
        As ``ArffStream`` does, except for labels that are not found.
    """
    path = existing_file(path)
    source = ArffSource(path, "utf-8", LoadWatch(path, limits, cancel))
    return replace(guess_of(source, None, Named()), format="arff", _head=source.head(), _reader=ArffStream)
