"""What a paper cites of a study: keys of BibTeX for each learner, stream and measure, and the entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from streamlab.lab.described import LEARNER, RECIPE, RIVER, tables_of
from streamlab.learners import LEARNERS, RECIPES
from streamlab.measures import MEASURES
from streamlab.papers import bibtex_of
from streamlab.streams.catalogue import find_entry
from streamlab.study.definition import Source
from streamlab.study.latex import escape

__all__ = ["Citations"]

SOFTWARE, OF_EVALUATION = "streamlab", "gama2013evaluating"
OF_RIVER, OF_OPENML = "montiel2021river", "vanschoren2013openml"
Keys = dict[str, tuple[str, ...]]


class Citations(NamedTuple):
    """What a paper cites of a study.

    Attributes
    ----------
    learners, streams, measures
        By the names that the study gives them, keys of BibTeX; none where nothing is known to be cited.
    bibtex
        A BibTeX file: the entry of each key, of streamlab, and of the evaluation by testing, then training. A comment
        says which are whose.

    Examples
    --------
    >>> found = citations_of({}, {}, ["micro_f1"])
    >>> list(found.measures)
    ['micro_f1']
    """

    learners: Keys
    streams: Keys
    measures: Keys
    bibtex: str


def citations_of(learners: Mapping[str, Any], sources: Mapping[str, Source], measures: Iterable[str]) -> Citations:
    """Return what is cited of described learners, of streams, and of measures.

    Raises
    ------
    ValueError
        If two entries of different text have one key.
    """
    groups: dict[str, dict[str, Iterable[str]]] = {
        "learner": {name: _of_learner(description) for name, description in learners.items()},
        "stream": {name: (*each.papers, *_of_stream(each.recipe)) for name, each in sources.items()},
        "measure": {name: MEASURES[name].papers for name in measures},
    }
    entries = bibtex_of([SOFTWARE, OF_EVALUATION])
    found: dict[str, Keys] = {}
    lines = [r"% What this study used, and what is cited for it. Addresses need \usepackage{url}."]
    lines.append(f"% evaluation: {SOFTWARE}, {OF_EVALUATION}")
    for group, papers in groups.items():
        keys: Keys = {}
        for name, given in papers.items():
            own = bibtex_of(given)
            for key, text in own.items():
                if entries.setdefault(key, text) != text:
                    raise ValueError(f"the {group} {name!r}: its BibTeX entry has the key {key!r} of another one")
            keys[name] = tuple(own)
            lines.append(f"% {group} {' '.join(name.split())}: {', '.join(own) or 'no source is known'}")
        found[group] = keys
    text = "\n".join([*lines, "", "\n\n".join(entries.values()), ""])
    return Citations(found["learner"], found["stream"], found["measure"], text)


def _of_learner(description: Any) -> Iterator[str]:
    for table in tables_of(description):
        if LEARNER in table:
            yield from getattr(LEARNERS.load(table[LEARNER]), "papers", ())
        if RECIPE in table:
            yield from RECIPES.load(table[RECIPE]).papers
        if RIVER in table or RECIPE in table:
            yield OF_RIVER


def _of_stream(recipe: Mapping[str, Any]) -> Iterator[str]:
    if "change" in recipe:
        yield from _of_stream(recipe["stream"])
        return
    if "parts" in recipe:
        for part in recipe["parts"]:
            yield from _of_stream(part)
        return
    name = recipe.get("source", "")
    repository, _, number = name.partition(":")
    if repository == "river":
        yield OF_RIVER
    elif repository == "openml":
        yield OF_OPENML
        yield _data(name, f"data set {number} of OpenML", f"https://www.openml.org/d/{number}")
    elif name:
        entry = find_entry(name)
        yield from entry.papers
        if not entry.papers and entry.source:
            yield SOFTWARE if entry.source == SOFTWARE else _data(name, entry.what, entry.source)


def _data(name: str, what: str, source: str) -> str:
    """Return an entry for data that no paper is known for."""
    key = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
    where = rf"\url{{{source}}}" if re.fullmatch(r"https?://\S+", source) else escape(source)
    # BibTeX sorts what has no author by its key
    fields = {"key": key, "title": escape(f"{name}: {what}"), "howpublished": where}
    lines = [f"  {field:<12} = {{{value}}}," for field, value in fields.items()]
    return "\n".join([f"@misc{{data-{key},", *lines, "}"])
