"""What a study's page shows, as the query of its address and back.

Nothing in a link is trusted: what is unknown is left out and told, and the page's default stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote

from streamlab.views.kit.text import shown

OVER = {"cumulative": "all rows so far", "faded": "lately, older rows fade", "tenth": "each tenth of the stream"}
"""How the curves average, in words."""
MOST_QUERY, MOST_SETTINGS = 20_000, 400
"""Characters of a query, and settings in it, that are read: a study may have many learners and streams."""
OWN = {"theme"}
"""What the browser's side keeps in the address by itself."""


@dataclass(frozen=True)
class Offered:
    """What there is to choose among, as the study has it: names, the cells' keys, and the rows of each key's stream."""

    measures: Sequence[str]
    learners: Sequence[str]
    streams: Sequence[str]
    rows: Mapping[str, int]


@dataclass(frozen=True)
class Choice:
    """What is shown; empty and None: as the page opens by itself.

    Parameters
    ----------
    measure
        A measure of the study, ``"seconds"`` or ``"bytes"``.
    over
        Of ``OVER``: how the curves average.
    learners, streams
        Those shown; empty: all.
    curves
        The stream whose curves are drawn; empty: the ranks are drawn in their place.
    cell
        The key of the cell that is marked: the one that was looked at last.
    run, at
        The key of the cell that is opened in the monitor, and the row it goes to.
    """

    measure: str = ""
    over: str = ""
    learners: tuple[str, ...] = ()
    streams: tuple[str, ...] = ()
    curves: str = ""
    cell: str = ""
    run: str = ""
    at: int | None = None

    def query(self) -> str:
        """Return it as the query of an address, without the question mark; "" if it says nothing."""
        parts = []
        for name in ("run", "at", "measure", "over", "learners", "streams", "curves", "cell"):
            value = getattr(self, name)
            several = value if isinstance(value, tuple) else () if value in ("", None) else (value,)
            parts += [f"{name}={quote(str(one), safe='')}" for one in several]
        return "&".join(parts)

    @property
    def back(self) -> Choice:
        """What the table shows when one comes back from a run: the same, with the run's cell marked."""
        return replace(self, run="", at=None, cell=self.run or self.cell)


def parse_choice(query: str, offered: Offered) -> tuple[Choice, list[str]]:
    """Return what a query asks for, and a line for everything in it that cannot be had.

    Parameters
    ----------
    query
        The query of an address, with or without the question mark.
    offered
        What the study has.

    Examples
    --------
    >>> offered = Offered(["micro_f1"], ["SMART", "MLHAT"], ["yeast"], {"ab12": 2417})
    >>> choice, refused = parse_choice("?measure=micro_f1&learners=MLHAT&learners=Nobody&run=ab12&at=600", offered)
    >>> choice.learners, choice.run, choice.at
    (('MLHAT',), 'ab12', 600)
    >>> refused
    ['learners=Nobody: not in this study']
    """
    if len(query) > MOST_QUERY:
        return Choice(), [f"the link has {len(query):,} characters; expected at most {MOST_QUERY:,}"]
    known: dict[str, Sequence[str] | Mapping[str, int]] = {
        "measure": offered.measures, "over": list(OVER), "learners": offered.learners, "streams": offered.streams,
        "curves": offered.streams, "cell": offered.rows, "run": offered.rows,
    }  # fmt: skip
    found: dict[str, tuple[str, ...]] = {}
    refused: list[str] = []
    at: tuple[str, str] | None = None
    pairs = [pair for pair in query.lstrip("?").split("&") if pair]
    if len(pairs) > MOST_SETTINGS:
        refused.append(f"the link has {len(pairs):,} settings; the first {MOST_SETTINGS} are read")
    for name, text in parse_qsl("&".join(pairs[:MOST_SETTINGS]), keep_blank_values=True):
        entry = f"{shown(name, 40)}={shown(text, 60)}"
        if name == "at":
            at = (text, entry)
        elif name in known and text in known[name]:
            before = found.get(name, ()) if name in ("learners", "streams") else ()
            found[name] = tuple(dict.fromkeys((*before, text)))
        elif name in known:
            refused.append(f"{entry}: {'not offered here' if name in ('measure', 'over') else 'not in this study'}")
        elif name not in OWN:
            refused.append(f"{entry}: the page has no such setting")
    one = {name: values[0] for name, values in found.items() if name not in ("learners", "streams")}
    several = {name: values for name, values in found.items() if name in ("learners", "streams")}
    row = None
    if at is not None and "run" in one:
        text, entry = at
        end = offered.rows[one["run"]]
        if text.isascii() and text.isdigit() and len(text) < 16 and int(text) <= end:
            row = int(text)
        else:
            refused.append(f"{entry}: expected a whole number from 0 to {end:,}, the rows of this stream")
    elif at is not None:
        refused.append(f"{at[1]}: a row goes with a run")
    return Choice(**one, **several, at=row), refused  # type: ignore[arg-type]
