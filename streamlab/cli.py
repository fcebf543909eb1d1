"""The ``streamlab`` command: list streams and learners, run learners on a stream, serve the monitor."""

from __future__ import annotations

import inspect
import math
import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from streamlab._checks import checked_choice, checked_count, within
from streamlab._tables import console, print_table
from streamlab.plugins import HOOKS, Registry

__all__ = ["main"]

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="See a learner learn: multi-label data streams, live.",
    pretty_exceptions_enable=False,
)  # fmt: skip

COMMANDS: Registry[Any] = Registry("streamlab.commands", "command")
"""Further commands by name: functions, or groups of commands (``typer.Typer``); each is in a file without a screen."""
for _name, _command in COMMANDS.items():
    if isinstance(_command, typer.Typer):
        app.add_typer(_command, name=_name)
    else:
        app.command(_name)(_command)

FIRST_PAGE = ("streamlab.lab.preparing:run_kernels", "streamlab.learners.smart.smart:SMART")
"""What the stream monitor compiles first, as ``compiling.order`` takes it."""
OPTIONS = ("labels", "hierarchy", "chunk", "n", "seed", "zero_division", "over", "measure")
"""Parameters that are options of the command line, too."""
ONLY_PYTHON = "ignore|nominal|missing|encoding|separator|decimal|header|skip_lines|classes|tags|tag_separator|text"
"""Parameters of ``load`` that are not."""


HIERARCHY = "what parts the steps of paths of labels, such as /, or the columns of their levels, with commas"


@app.command()
def streams(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD]...", help="only those whose name or sentence has all of these")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="also those that are fetched when they are loaded")] = False,
) -> None:
    """List the streams that can be loaded by name: those that come along, and those that are generated."""
    from pandas import isna

    from streamlab.streams.catalogue import catalogue, generated_names

    entries = catalogue()
    generated = generated_names()
    kinds = ["generated" if e.name in generated else str(e.where) for e in entries.itertuples()]
    entries = entries.assign(kind=["shipped" if kind == "bundled" else kind for kind in kinds])
    asked = [word.lower() for word in words or ()]
    texts = (entries["name"] + " " + entries["what"]).str.lower()
    found = entries[[all(word in text for word in asked) for text in texts]]
    listed = found if every or asked else found[~found["kind"].isin(["fetched", "cached"])]
    order = {"shipped": 0, "generated": 2, "fetched": 4, "cached": 3}
    listed = listed.sort_values("kind", key=lambda kinds: kinds.map(lambda kind: order.get(kind, 1)), kind="stable")
    columns = ("name", "kind", "rows", "features", "labels", "licence", "what")
    rows = [
        ["–" if isna(value) else _text(value) for value in row]
        for row in listed[list(columns)].itertuples(index=False)
    ]  # fmt: skip
    if rows:
        print_table(columns, rows, right=("rows", "features", "labels"))
    more = len(found) - len(listed)
    if more:
        console().print(
            f"and {more:,} more, fetched when they are loaded: streamlab streams --all, or a word of theirs"
        )
    if not len(found):
        raise ValueError(
            f"streams {' '.join(words or ())}: no stream has these words; streamlab streams --all lists all"
        )


@app.command()
def learners() -> None:
    """List the learners and transformers that --learner takes, with their parameters, then the recipes."""
    from streamlab.learners import LEARNERS, RECIPES
    from streamlab.learners.from_text import parameters_of

    rows = []
    for name, kind in LEARNERS.items():
        parameters = parameters_of(kind)
        if parameters is not None:
            sentence = " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
            values = ", ".join(f"{key}={_value(value)}" for key, value in parameters.items())
            rows.append((name, LEARNERS.package(name), sentence, values))
    print_table(("learner", "package", "what it is", "parameters"), rows, whole=("learner", "package"))
    recipes = [recipe for _, recipe in RECIPES.items()]
    for group in dict.fromkeys(recipe.group for recipe in recipes):
        described = [(recipe.name, recipe.about) for recipe in recipes if recipe.group == group]
        print_table(("recipe", "what it is"), described, title=group, whole=("recipe",))


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="a table: CSV, TSV, Parquet, JSON lines or ARFF")],
    labels: Annotated[
        str | None, typer.Option(help="label columns: names with commas, or how many come first (-3: the last three)")
    ] = None,
    hierarchy: Annotated[str | None, typer.Option(help=HIERARCHY)] = None,
) -> None:
    """Read a file, and say what each of its columns is taken for, why, and what else its readers have to say."""
    import warnings

    from rich.markup import escape

    from streamlab.streams.load import load
    from streamlab.streams.tables.guess import guess_table
    from streamlab.streams.tables.kinds import table_of

    named: dict[str, Any] = {"labels": _labels(labels), "hierarchy": _hierarchy(hierarchy)}
    remarks: list[str] = []
    columns, wrong = None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            stream = load(file, **_given(named))
            columns = getattr(stream, "columns", None)
            remarks.append(repr(stream)[1:-1])
        except ValueError as error:
            wrong = error
            if file.is_file() and not file.name.removesuffix(".gz").endswith((".arff", ".svm", ".libsvm")):
                guess = guess_table(file, **named)
                columns = table_of(guess.columns)
                remarks += [question.text for question in guess.questions]
    if columns is not None:
        print_table(list(columns.columns), columns.itertuples(index=False))
    for line in [*remarks, *(str(each.message) for each in caught)]:
        console().print(escape(line))
    if wrong is not None:
        raise wrong


@app.command()
def run(
    stream: Annotated[str, typer.Argument(help="a name of `streamlab streams`, or a file")],
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            help='a name of `streamlab learners`, with parameters "SMART(half_life=50)", or the steps of a pipeline '
            '"StandardScaler | BalancedKNN"; repeatable',
        ),
    ] = None,
    labels: Annotated[
        str | None, typer.Option(help="label columns: names with commas, or how many come first (-3: the last three)")
    ] = None,
    hierarchy: Annotated[str | None, typer.Option(help=HIERARCHY)] = None,
    chunk: Annotated[int, typer.Option(help="instances predicted before any of them is learned")] = 100,
    n: Annotated[int | None, typer.Option(help="stop after this many instances")] = None,
    seed: Annotated[int, typer.Option(help="seed of every learner that takes one and is not given its own")] = 1,
    measure: Annotated[list[str] | None, typer.Option("--measure", "-m", help="measure to show; repeatable")] = None,
    over: Annotated[str, typer.Option(help="curves: chunk, faded or cumulative")] = "chunk",
    zero_division: Annotated[float, typer.Option(help="what 0/0 counts as: 0 or 1")] = 0.0,
    importance: Annotated[bool, typer.Option("--importance", help="say which features matter most to each")] = False,
    out: Annotated[Path | None, typer.Option(help="write the curves to this .parquet or .csv file")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress bar")] = False,
) -> None:
    """Test, then train, learners on a stream; print a summary, write the curves."""
    from rich.console import Console

    from streamlab.evaluate import prequential
    from streamlab.lab.history import with_curves
    from streamlab.lab.importance_report import foremost
    from streamlab.measures import MEASURES, main_measure, measure_names
    from streamlab.streams import load

    if out is not None and out.suffix not in (".parquet", ".csv"):
        raise ValueError(f"--out {out}: expected a name that ends in .parquet or .csv")
    if out is not None and not out.resolve().parent.is_dir():
        raise ValueError(f"--out {out}: there is no folder {out.resolve().parent}")
    if out is not None and out.is_dir():
        raise ValueError(f"--out {out}: expected a file, this is a folder")
    checked_choice("over", over, ("chunk", "faded", "cumulative"))
    checked_count("seed", seed)
    source = load(stream, **_given({"labels": _labels(labels), "hierarchy": _hierarchy(hierarchy)}))
    with within("--measure"):
        wanted = measure_names(measure or [main_measure(source.schema)])
    if out is not None:
        with_curves(wanted, source.schema)
    learners = {text: _parsed(text, seed) for text in learner or ["SMART", "NoChange", "MajorityLabels"]}
    result = prequential(
        source,
        learners,
        chunk=chunk,
        n=n,
        measures=wanted,
        zero_division=zero_division,
        progress=not quiet,
        importance=importance,
    )
    headings = [*(MEASURES[m].title for m in wanted), "instances", "instances/s", "CPU s", "memory"]
    rows = [
        [
            str(name),
            *(f"{row[m]:.4f}" for m in wanted),
            f"{row.instances:,.0f}",
            f"{row.instances_per_second:,.0f}",
            f"{row.seconds:.3f}",
            f"{row.bytes / 1e6:.2f} MB",
        ]
        for name, row in result.summary.iterrows()
    ]
    matter = ["what matters"] if importance else []
    for row in rows if matter else ():
        asked = result.run.learner_runs[row[0]].importance
        row.append(", ".join(foremost(asked)) if asked is not None else "")
    print_table(["learner", *headings, *matter], rows, right=headings)
    if result.run.stream.drifts:
        _print_detection(result.detection)
    if out is not None:
        from streamlab.lab.tables import write_table

        curves = result.curves_over(over)
        write_table(curves, out)
        Console(stderr=True).print(f"{len(curves):,} rows of curves in {out}")


def _print_detection(detection: Any) -> None:
    """Print how well the stream's drifts were detected."""
    soon = "after (instances)"
    headings = ("detected", soon, "by chance", "false alarms", "before → settled at", "lost", "recovered", soon)
    rows = []
    for row in detection.itertuples():
        after, recovery = (
            "" if math.isnan(value) else f"{value:,.0f}" for value in (row.mean_time_to_detection, row.recovery_time)
        )
        detected = f"{row.detected} of {row.drifts}"
        recovered = f"{row.recovered} of {row.affected}" if row.affected else "" if row.unjudged else "no clear fall"
        levels = f"{row.level:.2f} → {row.plateau:.2f}" if row.affected else ""
        lost = f"{row.lost:,.0f}" if row.affected else ""
        chance = f"{row.by_chance:.0%}" if after else ""
        cells = (detected, after, chance, str(row.false_alarms), levels, lost, recovered, recovery)
        rows.append((row.learner, row.source, *cells))
    print_table(("learner", "detected by", *headings), rows, title="drifts", right=headings)


@app.command()
def warm(
    learner: Annotated[
        list[str] | None, typer.Argument(metavar="[LEARNER]...", help="only these; names of `streamlab learners`")
    ] = None,
) -> None:
    """Compile all kernels ahead of a class; later starts read them from a cache."""
    import time

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from streamlab.lab.preparing import all_parts
    from streamlab.lab.preparing import warm as warmed

    titles = [part.title for part in all_parts(learner or ())]
    errors = Console(stderr=True)
    began = time.perf_counter()
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task("preparing", total=len(titles))
        typer.echo(f"{'part':<24} {'processor':>9} {'clock':>9}")
        for part, processor, clock in warmed(learner or ()):
            typer.echo(f"{part:<24} {processor:7.1f} s {clock:7.1f} s")
            bar.advance(task)
    typer.echo(f"{len(titles)} parts are ready after {time.perf_counter() - began:.1f} s")


@app.command()
def replay(
    archive: Annotated[Path, typer.Argument(help="what `Run.save` wrote: ….slab")],
    stream: Annotated[
        str | None,
        typer.Option(help="the run's data: a name or a file; needed where the archive cannot say how they are made"),
    ] = None,
    labels: Annotated[str | None, typer.Option(help="label columns of the file, as for `run`")] = None,
) -> None:
    """Do a saved run again from nothing, and compare it bit for bit; the exit code is 1 at the first difference."""
    from streamlab.lab.replay import replay as replayed
    from streamlab.streams import load

    found = replayed(archive, None if stream is None else load(stream, labels=_labels(labels)))
    if found.is_identical:
        typer.echo(f"identical: {found.position:,} instances, {found.compared:,} figures of curves and events")
        return
    typer.echo(f"different {found.difference}")
    raise typer.Exit(1)


@app.command()
def monitor(
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0: any free one")] = 5006,
    address: Annotated[str, typer.Option(help="address to listen on")] = "localhost",
    show: Annotated[bool, typer.Option("--show/--no-show", help="open a browser")] = False,
    allow_origin: Annotated[
        list[str] | None, typer.Option(help="host:port under which browsers reach it, if not this one; repeatable")
    ] = None,
    most_pages: Annotated[int | None, typer.Option(min=1, help="pages open at once; 20 without it")] = None,
    most_upload_mb: Annotated[
        int | None, typer.Option(min=1, help="MB that an upload may have; 200 without it")
    ] = None,
    lesson: Annotated[
        list[Path] | None, typer.Option(help="offer the lesson of this Markdown file too; repeatable")
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="let pages open live streams: files and servers that you can read")
    ] = False,
) -> None:
    """Serve the start page, the stream monitor at /stream_monitor, the drift laboratory at /drift_lab, and more.

    The others show a picture each, large: MLHAT's tree at /mlhat_tree, beside that of HedgedMLHAT at /hedged_tree, the
    hierarchy of the labels at /label_hierarchy, class-balanced nearest neighbours at /balanced_neighbours, and a
    council of learners with its trust in each at /council. /study shows a small study; `streamlab study
    show` shows one of yours.
    """
    from streamlab.compiling import order

    # before anything that takes time is imported; another page that is opened first does not wait for it
    first = [order(part, urgent=False, likely=True) for part in FIRST_PAGE]
    try:
        from streamlab.lab.preparing import compile_ahead
        from streamlab.views.hosting.limits import LIMITS, remove_at_exit_signal, remove_left_behind
        from streamlab.views.hosting.serving import HERE, StartPage, free_port, serve_pages
        from streamlab.views.page.pages import PAGES, make_page
        from streamlab.views.page.presets import PRESETS
    except ModuleNotFoundError as error:
        raise ValueError(f'the monitor needs Panel ({error}): pip install "streamlab[app]"') from None

    added = [HOOKS.load("add_lesson")(path) for path in lesson or ()]
    if (live or LIMITS.live) and (address not in (*HERE, "::1") or allow_origin):
        raise ValueError(
            "--live, or STREAMLAB_LIVE=1, works on this machine only: anyone with a page open could read your files "
            "and servers; expected --address localhost and no --allow-origin"
        )
    LIMITS.live = live or LIMITS.live
    LIMITS.pages = most_pages or LIMITS.pages
    LIMITS.upload_megabytes = most_upload_mb or LIMITS.upload_megabytes
    compile_ahead(first)
    remove_left_behind()
    remove_at_exit_signal()
    port = port or free_port(address)
    for each in added:
        typer.echo(f"lesson: http://{address}:{port}/stream_monitor?lesson={each.name}")

    others = PAGES.names()  # each is imported when it is first opened: the study's takes a second
    serve_pages(
        {name: lambda name=name: make_page(name).served() for name in PRESETS}
        | {name: lambda name=name: PAGES.load(name)().served() for name in others},
        {name: preset.title for name, preset in PRESETS.items()} | {name: f"streamlab · {name}" for name in others},
        port=port,
        address=address,
        show=show,
        allow_origin=allow_origin,
        extra_patterns=[("/", StartPage)],
        # uploads come through the socket, 10 MiB a message
        websocket_max_message_size=64 * 1024 * 1024,
    )


def _parsed(text: str, seed: int) -> Any:
    """Return the learner of a ``--learner`` option."""
    from streamlab.learners.from_text import parse_learner

    try:
        return parse_learner(text, {"seed": seed})
    except ValueError as error:
        raise ValueError(f"--learner {error}") from error


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(value)


def _labels(text: str | None) -> Any:
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        return text if text.endswith(".xml") else [name.strip() for name in text.split(",") if name.strip()]


def _hierarchy(text: str | None) -> Any:
    return text.split(",") if text and "," in text else text


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str) else f"{value:,}"


def _in_options(message: str) -> str:
    """Return a message with the options of the command line in place of Python's parameters.

    Examples
    --------
    >>> _in_options("chunk=0: expected a whole number"), _in_options("a.csv: labels= names 'k', which is not a column")
    ('--chunk 0: expected a whole number', "a.csv: --labels names 'k', which is not a column")
    """
    if message.startswith("--"):
        # it names its option already; what follows are a learner's parameters, as they are written there
        return message
    own = re.sub(
        rf"(?<![\w.(-])({'|'.join(OPTIONS)})=(\s?)",
        lambda found: f"--{found[1].replace('_', '-')} ",
        message,
    )
    own = own.replace("limits=LoadLimits(", "streamlab.load(…, limits=LoadLimits(").replace("=...)", "=...))")
    return f"{own} (in Python, with streamlab.load)" if re.search(rf"(?<![\w.(-])({ONLY_PYTHON})=", own) else own


def main() -> None:
    """The entry of the ``streamlab`` command: what is wrong with the input is said in one line."""
    try:
        app()
    except (ValueError, OSError) as error:
        sys.stderr.write(f"streamlab: {_in_options(' '.join(str(error).split()))}\n")
        sys.exit(2)
