"""``streamlab study``: run the study of a TOML file, see how far it is, print a table of its results."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from streamlab._side_by_side import cores
from streamlab._tables import print_table

__all__ = ["study"]

study = typer.Typer(no_args_is_help=True, help="Run many learners on many streams, and compare them.")

File = Annotated[Path, typer.Argument(help="the study: a TOML file")]
Results = Annotated[Path | None, typer.Option(help="the folder of results; without it one beside the file")]


@study.callback(invoke_without_command=True)
def main(
    verify: Annotated[
        Path | None,
        typer.Option(
            "--verify",
            metavar="FOLDER",
            help="run a folder of results again, and say what differs: version, data, number",
        ),
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="with --verify: only so many cells, drawn at random")
    ] = None,
    seed: Annotated[int, typer.Option(help="with --sample: of the draw")] = 1,
    workers: Annotated[
        int | None, typer.Option(help="with --verify: processes; without it one for each processor")
    ] = None,
    manifest: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="with --verify: the manifest; without it the one that was written last"),
    ] = None,
) -> None:
    """Run many learners on many streams, and compare them."""
    if verify is None:
        return
    from streamlab.study.manifest import verify as run_again

    found = run_again(
        verify, sample, seed=seed, workers=workers or cores(), progress=sys.stderr.isatty(),
        manifest=manifest,
    )  # fmt: skip
    for line in found.differences:
        typer.echo(line)
    if found.others:
        many = "1 other manifest" if len(found.others) == 1 else f"{len(found.others)} other manifests"
        typer.echo(f"{many}, not run again (--manifest NAME runs one): {', '.join(found.others)}")
    typer.echo(f"{found.manifest}: {found.same} of {found.cells} cells gave the figures of the study, to the bit")
    raise typer.Exit(1 if found.differences else 0)


@study.command()
def run(
    file: File,
    results: Results = None,
    workers: Annotated[int | None, typer.Option(help="processes; without it one for each processor")] = None,
    retry: Annotated[
        list[str] | None,
        typer.Option(
            help="also run again the cells that ended with this status: failed, seconds or memory; repeatable"
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress bar")] = False,
) -> None:
    """Run every cell that has no result yet. Ctrl-C stops it; what has ended is kept, and the next run goes on."""
    made = _read(file, results)
    try:
        made.run(workers, progress=not quiet, retry=retry or ())
    except KeyboardInterrupt:
        typer.echo("stopped; what has ended is kept, and the same command goes on")
        raise typer.Exit(130) from None
    failures = made.failures()
    typer.echo(f"{len(made.cells())} cells, {len(failures)} of them without their end; results in {made.store.folder}")
    for row in failures.itertuples():
        seed = "" if row.seed is None or row.seed != row.seed else f", seed {row.seed}"
        typer.echo(f"  {row.learner} on {row.stream}{seed}: {row.status}: {row.message}")


@study.command()
def status(file: File, results: Results = None) -> None:
    """Show how far the study is: a line for each learner, a column for each stream."""
    made = _read(file, results)
    grid = made.status()
    lines = [[name, *map(str, row)] for name, row in zip(grid.index, grid.values, strict=True)]
    _print(list(grid.columns), lines)
    cells = made.cells()
    counts = cells.status.value_counts()
    typer.echo(", ".join(f"{counts[word]} {word}" for word in counts.index) + f"; results in {made.store.folder}")


@study.command()
def table(
    file: File,
    measure: Annotated[str | None, typer.Option("--measure", "-m", help="of the study; without it its first")] = None,
    results: Results = None,
) -> None:
    """Print the mean over the seeds, a line for each learner, the best average rank first; and what the tests say."""
    made = _read(file, results)
    wanted = measure or made.settings.measures[0]
    try:
        found = made.table(wanted)
    except ValueError as error:
        raise ValueError(f"--measure {error}") from error
    compared = _compared(made, wanted)
    columns = list(found.columns)
    if compared is not None:
        found = found.loc[compared.ranks.index]
        columns.append("rank")
    lines = [[name, *map(_figure, row)] for name, row in zip(found.index, found.values, strict=True)]
    if compared is not None:
        lines = [[*line, f"{rank:.2f}"] for line, rank in zip(lines, compared.ranks, strict=True)]
    _print(columns, lines, f"{wanted}, mean over the seeds")
    if compared is not None:
        typer.echo(compared.sentence)


def _compared(made: Any, measure: str) -> Any:
    """Return what the tests say; None while cells are open, or of a single learner or stream."""
    from streamlab.study import compare

    if (made.cells().status.isin(["open", "running"])).any():
        return None
    try:
        return compare(made.results(), measure)
    except ValueError:
        return None


@study.command()
def cite(file: File) -> None:
    """Print a BibTeX file of what the study uses: its learners, data and measures, and streamlab."""
    typer.echo(_read(file, None).citations.bibtex, nl=False)


@study.command()
def show(
    file: Annotated[
        Path | None, typer.Argument(help="the study: a TOML file; without it a small demonstration")
    ] = None,
    results: Results = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0: any free one")] = 5006,
    address: Annotated[str, typer.Option(help="address to listen on")] = "localhost",
    open_browser: Annotated[bool, typer.Option("--show/--no-show", help="open a browser")] = False,
    allow_origin: Annotated[
        list[str] | None, typer.Option(help="host:port under which browsers reach it, if not this one; repeatable")
    ] = None,
) -> None:
    """Serve a page of the study: its table, how its learners rank, their curves; a click on a figure plays that run."""
    try:
        from streamlab.study.page.page import serve_study
    except ModuleNotFoundError as error:
        raise ValueError(f'the page needs Panel ({error}): pip install "streamlab[app]"') from None
    serve_study(file, results, port=port, address=address, show=open_browser, allow_origin=allow_origin)


def _read(file: Path, results: Path | None) -> Any:
    from streamlab.study import Study

    return Study.read(file, results=results)


def _figure(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4g}" if abs(value) >= 10 else f"{value:.3f}"


def _print(columns: list[str], lines: list[list[str]], title: str = "") -> None:
    """Print a row for each learner, whose name comes before the columns."""
    print_table(["", *columns], lines, title=title, right=columns, whole=["", *columns])
