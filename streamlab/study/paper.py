"""What a paper prints of a study: the table of a comparison; and what it cites, as keys and entries of BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from streamlab.lab.described import LEARNER, RECIPE, RIVER, tables_of
from streamlab.learners import LEARNERS, RECIPES
from streamlab.measures import MEASURES
from streamlab.papers import bibtex_of
from streamlab.streams.catalogue import find_entry
from streamlab.study.definition import Source

__all__ = ["Citations"]

ROUNDING = 1e-12
"""What a deviation of equal scores may come to."""


def latex_of(
    found: Any, decimals: int, spread: bool, transpose: bool, caption: str | None, label: str | None, cite: Any = None
) -> str:
    """Return a ``Comparison``'s ``table`` for booktabs; see its ``to_latex``."""
    table = found.table()
    around = found.spread.reindex(index=table.index, columns=table.columns)
    rows = []
    for name, values in table.iterrows():
        texts = [f"{value:.{decimals}f}" for value in values]
        falling = found.higher_is_better and name != "average rank"
        order = sorted({text for text in texts if text != "nan"}, key=float, reverse=falling)
        mark = dict(zip(order, (r"\textbf", r"\underline"), strict=False))
        texts = [
            ("--" if text == "nan" else f"{mark[text]}{{{text}}}" if text in mark else text)
            + (rf" $\pm$ {_width(width, decimals)}" if spread and width == width else "")
            for text, width in zip(texts, around.loc[name], strict=True)
        ]
        rows.append(texts)
    streams, learners, measures = ({}, {}, {}) if cite is None else (cite.streams, cite.learners, cite.measures)
    names = [_cited(name, streams) for name in found.scores.index]
    names += list(table.index[len(names) :])
    cells = pd.DataFrame(rows, index=names, columns=[_cited(name, learners) for name in table.columns])
    cells = cells.T if transpose else cells
    lines = [" & ".join([row, *texts]) + r" \\" for row, texts in zip(cells.index, cells.to_numpy(), strict=True)]
    if not transpose:
        lines.insert(len(found.scores), r"\midrule")
    if caption is None:
        deviation = r"; $\pm$: standard deviation over seeds" if spread and around.notna().any(axis=None) else ""
        written = _cited(found.title, {found.title: measures.get(found.measure, ())})
        written += escape(found.sentence.removeprefix(found.title))
        caption = f"{written} Bold: the best as printed; underlined: the second{deviation}."
    return "\n".join(
        [
            r"% \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            *([rf"\label{{{label}}}"] if label else []),
            rf"\begin{{tabular}}{{l{'r' * cells.shape[1]}}}",
            r"\toprule",
            " & ".join(["", *cells.columns]) + r" \\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _width(width: float, decimals: int) -> str:
    """Return a deviation as it is printed; one that rounds to 0 is not shown as none, rounding errors are."""
    text = f"{width:.{decimals}f}"
    return f"$<$ {10**-decimals:.{decimals}f}" if width > ROUNDING and float(text) == 0 else text


def _cited(name: Any, keys: Mapping[str, Sequence[str]]) -> str:
    """Return a name with what is cited for it."""
    own = ",".join(keys.get(name, ()))
    return escape(name) + (rf"~\cite{{{own}}}" if own else "")


def escape(text: Any) -> str:
    """Return a text as LaTeX prints it."""
    for plain, latex in (
        ("\\", r"\textbackslash "),
        ("^", r"\^{}"),
        ("&", r"\&"),
        ("%", r"\%"),
        ("_", r"\_"),
        ("#", r"\#"),
        ("$", r"\$"),
    ):
        text = str(text).replace(plain, latex)
    for plain, latex in (("χ²", r"$\chi^2$"), ("α", r"$\alpha$"), ("<", "$<$"), ("–", "--")):
        text = text.replace(plain, latex)
    return text


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
