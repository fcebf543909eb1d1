"""What the pages on the papers show: pictures beside them, and tables between two marks of their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from benchmarks.harness import MISSING, markdown

__all__ = ["Missing", "Pages", "dot", "with_table"]

END = "<!-- end -->"


class Missing(Exception):
    """A figure cannot be drawn, for the reason given: its data are not there."""


@dataclass(frozen=True)
class Pages:
    """Where figures and tables go.

    Parameters
    ----------
    docs
        The folder of the docs, or another one: pages that are not in it get no table, which is printed all the same.
    published
        The folder of MLHAT's published results; None: they are fetched.
    console
        What tables are printed to.
    """

    docs: Path
    published: Path | None
    console: Console

    def picture(self, name: str) -> Path:
        """Where a picture of the pages goes."""
        return self.docs / "papers" / "img" / f"{name}.svg"

    def put(self, page: str, name: str, header: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
        """Print a table, and put it into its page in place of the one that stands there."""
        table = markdown(header, lines)
        self.console.print(f"\n{page}, {name}\n\n{table}", markup=False, highlight=False, soft_wrap=True)
        path = self.docs / "papers" / f"{page}.md"
        if path.is_file():
            path.write_text(with_table(path.read_text(encoding="utf-8"), name, table), encoding="utf-8")


def with_table(text: str, name: str, table: str) -> str:
    """Return the text with a table between ``<!-- table: NAME -->`` and ``<!-- end -->``.

    Raises
    ------
    ValueError
        If the text has no such marks, or more than one pair.
    """
    begin = f"<!-- table: {name} -->"
    pattern = re.compile(re.escape(begin) + r"\n.*?" + re.escape(END), re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise ValueError(f"expected the marks {begin!r} and {END!r} once in the page")
    return pattern.sub(lambda _: f"{begin}\n\n{table}\n\n{END}", text)


def dot(value: float, digits: int = 3) -> str:
    """A figure as the pages write it, without the zero before the point; a dash for none."""
    if value != value:
        return MISSING
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:,.{digits}f}")
