"""The ``streamlab`` command: list streams, run learners on one, serve the monitor."""

from __future__ import annotations

import inspect
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="See a learner learn: multi-label data streams, live.",
    pretty_exceptions_enable=False,
)  # fmt: skip

STATIC = "SMART-static"
WIDTH_OF_FILES = 250


@app.command()
def streams() -> None:
    """List the streams that can be loaded by name."""
    from pandas import isna
    from rich.table import Table

    from streamlab.streams import catalogue

    table = Table(box=None, pad_edge=False)
    entries = catalogue()
    for column in entries.columns:
        table.add_column(str(column), justify="right" if entries[column].dtype.kind in "if" else "left")
    for row in entries.itertuples(index=False):
        table.add_row(*("–" if isna(value) else _text(value) for value in row))
    _console().print(table)


@app.command()
def run(
    stream: Annotated[str, typer.Argument(help="a name of `streamlab streams`, or a file")],
    learner: Annotated[
        list[str] | None,
        typer.Option("--learner", "-l", help=f"MLHAT, SMART, {STATIC} …, or steps with | between them; repeatable"),
    ] = None,
    labels: Annotated[
        str | None, typer.Option(help="label columns: names with commas, or how many come first (-3: the last three)")
    ] = None,
    chunk: Annotated[int, typer.Option(help="instances predicted before any of them is learned")] = 100,
    n: Annotated[int | None, typer.Option(help="stop after so many instances")] = None,
    half_life: Annotated[float | None, typer.Option(help="SMART: instances after which one weighs half; inf")] = None,
    n_trees: Annotated[int | None, typer.Option(help="SMART: number of trees")] = None,
    height: Annotated[int | None, typer.Option(help="SMART: levels of a tree")] = None,
    seed: Annotated[int, typer.Option(help="seed of everything random")] = 1,
    measure: Annotated[list[str] | None, typer.Option("--measure", "-m", help="measure to show; repeatable")] = None,
    over: Annotated[str, typer.Option(help="curves: chunk, faded or cumulative")] = "chunk",
    zero_division: Annotated[float, typer.Option(help="what 0/0 counts as: 0 or 1")] = 0.0,
    out: Annotated[Path | None, typer.Option(help="write the curves to this .parquet or .csv file")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress bar")] = False,
) -> None:
    """Test, then train, learners on a stream; print a summary, write the curves."""
    from rich.console import Console
    from rich.table import Table

    from streamlab.evaluate import prequential
    from streamlab.lab.history import with_curves
    from streamlab.measures import MEASURES
    from streamlab.measures.catalogue import measure_names
    from streamlab.streams import load

    if out is not None and out.suffix not in (".parquet", ".csv"):
        raise ValueError(f"--out {out}: expected a name that ends in .parquet or .csv")
    if out is not None and not out.resolve().parent.is_dir():
        raise ValueError(f"--out {out}: there is no folder {out.resolve().parent}")
    if out is not None and out.is_dir():
        raise ValueError(f"--out {out}: expected a file, this is a folder")
    if over not in ("chunk", "faded", "cumulative"):
        raise ValueError(f"--over {over}: expected chunk, faded or cumulative")
    source = load(stream, labels=_labels(labels))
    nested = source.schema.hierarchy is not None
    wanted = measure_names(measure or ["hierarchical_f1" if nested else "micro_f1"])
    if out is not None:
        with_curves(wanted, nested)
    settings = {"half_life": half_life, "n_trees": n_trees, "height": height}
    settings = {name: value for name, value in settings.items() if value is not None}
    learners = {name: _learner(name, settings, seed) for name in learner or ["SMART", "NoChange", "MajorityLabels"]}
    result = prequential(
        source,
        learners,
        chunk=chunk,
        n=n,
        measures=wanted,
        zero_division=zero_division,
        progress=not quiet,
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("learner")
    for heading in (*(MEASURES[m].title for m in wanted), "instances", "instances/s", "CPU s", "memory"):
        table.add_column(heading, justify="right")
    for name, row in result.summary.iterrows():
        table.add_row(
            name,
            *(f"{row[m]:.4f}" for m in wanted),
            f"{row.instances:,.0f}",
            f"{row.instances_per_second:,.0f}",
            f"{row.seconds:.3f}",
            f"{row.bytes / 1e6:.2f} MB",
        )
    _console().print(table)
    if result.run.stream.drifts:
        _console().print(_detection_table(result.detection))
    if out is not None:
        curves = result.curves_over(over)
        if out.suffix == ".parquet":
            curves.to_parquet(out, index=False)
        else:
            curves.to_csv(out, index=False)
        Console(stderr=True).print(f"{len(curves):,} rows of curves in {out}")


def _detection_table(detection: Any) -> Any:
    """How well the stream's drifts were noticed, for people."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="drifts", title_justify="left")
    table.add_column("learner")
    table.add_column("noticed by")
    for heading in ("noticed", "after (instances)", "false alarms", "recovered", "after (instances)"):
        table.add_column(heading, justify="right")
    for row in detection.itertuples():
        after, recovery = (
            "" if math.isnan(value) else f"{value:,.0f}" for value in (row.mean_time_to_detection, row.recovery_time)
        )
        noticed, recovered = (f"{n} of {row.drifts}" for n in (row.detected, row.recovered))
        table.add_row(row.learner, row.source, noticed, after, str(row.false_alarms), recovered, recovery)
    return table


@app.command()
def monitor(
    port: Annotated[int, typer.Option(help="port to listen on; 0: any free one")] = 5006,
    address: Annotated[str, typer.Option(help="address to listen on")] = "localhost",
    show: Annotated[bool, typer.Option("--show/--no-show", help="open a browser")] = False,
    allow_origin: Annotated[
        list[str] | None, typer.Option(help="host:port under which browsers reach it, if not this one; repeatable")
    ] = None,
) -> None:
    """Serve the stream monitor, at /drift_lab the drift laboratory, and its views alone, large.

    These are at /mlhat_tree MLHAT's tree, at /label_hierarchy the hierarchy of the labels, at /balanced_neighbours
    class-balanced nearest neighbours.
    """
    try:
        import panel as pn

        from streamlab.views.page.balanced_show import BalancedShow
        from streamlab.views.page.drift_lab import DriftLab
        from streamlab.views.page.hierarchy_show import HierarchyShow
        from streamlab.views.page.monitor import Monitor
        from streamlab.views.page.tree_show import TreeShow
    except ModuleNotFoundError as error:
        raise ValueError(f'the monitor takes Panel ({error}): pip install "streamlab[app]"') from None

    pn.extension(reconnect=True)

    pages = {
        "stream_monitor": Monitor,
        "drift_lab": DriftLab,
        "mlhat_tree": TreeShow,
        "label_hierarchy": HierarchyShow,
        "balanced_neighbours": BalancedShow,
    }
    pn.serve(
        {name: lambda page=page: page().served() for name, page in pages.items()},
        port=port,
        address=address,
        show=show,
        title={name: page.title for name, page in pages.items()},
        websocket_origin=allow_origin or None,
        compress_response=True,
        # uploads come through the socket
        websocket_max_message_size=500 * 1024 * 1024,
    )


def _learner(name: str, settings: dict[str, float], seed: int):
    """A learner by its name, or a pipeline by the names of its steps with | between them."""
    import streamlab
    from streamlab.learners import Learner, StreamEstimator

    def made(kind: type, **extra: float):
        accepted = inspect.signature(kind).parameters
        chosen = {key: value for key, value in {**settings, "seed": seed}.items() if key in accepted}
        return kind(**{**chosen, **extra})

    if name == STATIC:
        return made(streamlab.SMART, half_life=math.inf)
    known = {
        n: c
        for n in streamlab.__all__
        if isinstance(c := getattr(streamlab, n, None), type)
        and issubclass(c, StreamEstimator)
        and c not in (Learner, streamlab.OnePerLabel, streamlab.Pipeline)
    }
    learners = sorted([STATIC, *(n for n, c in known.items() if issubclass(c, Learner))])
    *transformers, last = (step.strip() for step in name.split("|"))
    steps = sorted(n for n in known if n not in learners)
    for step in transformers:
        if step not in steps:
            raise ValueError(f"--learner {name}: {step!r} is no transformer; choose among {', '.join(steps)}")
    if last not in learners or last == STATIC:
        raise ValueError(f"--learner {name}: unknown; choose among {', '.join(learners)}")
    made_steps = [made(known[step]) for step in (*transformers, last)]
    return streamlab.Pipeline(*made_steps) if transformers else made_steps[0]


def _labels(text: str | None) -> Any:
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        return text if text.endswith(".xml") else [name.strip() for name in text.split(",") if name.strip()]


def _console() -> Console:
    """Standard output; where it is no terminal, tables are not folded to the width of one."""
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=WIDTH_OF_FILES)


def _text(value: Any) -> str:
    return f"{value:,}" if isinstance(value, (int, float)) else str(value)


def main() -> None:
    """The entry of the ``streamlab`` command: what is wrong with the input is said in one line."""
    try:
        app()
    except (ValueError, OSError) as error:
        sys.stderr.write(f"streamlab: {' '.join(str(error).split())}\n")
        sys.exit(2)
