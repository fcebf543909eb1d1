"""The papers behind learners, streams and measures, as BibTeX; each of these names its own in ``papers``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

EXPECTED = "a tuple of keys of streamlab's papers.bib, or of BibTeX entries of your own, as in ('@article{key, …}',)"
ENTRY = re.compile(r"^@\w+\{\s*([^\s,{}]+)\s*,.*\}\s*$", re.DOTALL)


@cache
def _shipped() -> dict[str, str]:
    """Return the entries of ``papers.bib`` by key."""
    text = files("streamlab").joinpath("data", "papers.bib").read_text("utf-8")
    return dict(map(_entry, re.split(r"\n(?=@)", text)))


def _entry(paper: str) -> tuple[str, str]:
    """Return the key and the text of a key or a BibTeX entry.

    Raises
    ------
    ValueError
        If it is neither.
    """
    found = ENTRY.match(paper.strip())
    if found is not None:
        return found[1], paper.strip()
    if paper not in _shipped():
        raise ValueError(f"{paper!r} is neither a key of streamlab's papers.bib nor a BibTeX entry")
    return paper, _shipped()[paper]


def bibtex_of(papers: Iterable[str]) -> dict[str, str]:
    """Return BibTeX entries by key.

    Parameters
    ----------
    papers
        Keys of the file ``papers.bib`` of this package, or whole entries.

    Raises
    ------
    ValueError
        If one is neither.

    Examples
    --------
    >>> list(bibtex_of(["kong2011ensemble", "@misc{mine, title = {Mine}}"]))
    ['kong2011ensemble', 'mine']
    """
    return dict(map(_entry, papers))


def are_papers(value: Any) -> bool:
    """Return whether ``bibtex_of`` takes a tuple."""
    try:
        return isinstance(value, tuple) and bool(bibtex_of(value) or not value)
    except (TypeError, ValueError, AttributeError):
        return False
