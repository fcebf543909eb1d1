"""The command ``streamlab lesson``: go through a lesson without a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["lesson"]


def lesson(file: Annotated[Path, typer.Argument(help="a lesson: a Markdown file")]) -> None:
    """Go through a lesson without a page, and check every number in its texts; exit code 1 if one is wrong."""
    from streamlab.lessons.catalogue import read_lesson
    from streamlab.lessons.rehearsal import wrong_claims

    found = read_lesson(file)
    wrong = wrong_claims(found)
    for line in wrong:
        typer.echo(line)
    claims = sum(len(step.claims) for step in found.steps)
    typer.echo(
        f"{found.title}: {len(found.steps)} steps, {claims - len(wrong)} of {claims} numbers are as the run has them"
    )
    raise typer.Exit(1 if wrong else 0)
