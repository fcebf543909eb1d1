"""The table of a comparison as a paper prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

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
        said = _cited(found.title, {found.title: measures.get(found.measure, ())})
        said += escape(found.sentence.removeprefix(found.title))
        caption = f"{said} Bold: the best as printed; underlined: the second{deviation}."
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
