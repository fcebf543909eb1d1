"""A run written down: a Python script that makes it again bit for bit."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from msgspec import to_builtins
from msgspec.structs import asdict

from streamlab.lab.described import (
    LEARNER,
    PAIRS,
    PARAMETERS,
    RECIPE,
    RIVER,
    SEED,
    STEPS,
    TUPLE,
    described_part,
    river_class,
    tables_of,
)
from streamlab.lab.events import COMPLETE, DRIFT, FORK, JOIN, MARK, REMOVE, STEP, TUNE, Action
from streamlab.lab.learners import Settings
from streamlab.lab.recipe import LOST, MEASURE, STATE, action_to_json, describe_detectors, first_recipes
from streamlab.learners import LEARNERS
from streamlab.measures import default_measures
from streamlab.streams import DRIFTS

DEFAULTS = Settings()
LONG = 100


def script_of(run: Any) -> str:
    """Return the run's present branch, up to where it stands, as a Python script.

    Raises
    ------
    ValueError
        If it cannot be written: the stream is of arrays or has no recipe, a learner had learned before the run began,
        has no seed or is made of functions or of a class that only this session has, a drift is a Python function.
    """
    title, parts = _parts(run)
    code = [f"# {comment}\n{lines}" if comment else lines for comment, lines in parts]
    return "\n\n".join([f'"""{title}"""', *code]) + "\n"


def _parts(run: Any) -> tuple[str, list[tuple[str, str]]]:
    """Return a title, and the code in parts, each with a sentence about it."""
    machine = run._machine
    machine.begin()
    first = next(iter(machine.store), None)
    if first is None:
        raise ValueError("the run cannot be written down: its beginning was not kept")
    if first.stream.recipe is None:
        raise ValueError(
            f"the run cannot be written down: it is not known how its stream {first.stream.name!r} was made; "
            "expected a stream from sl.load, with drift and delays by functions such as sl.rotate_labels"
        )
    actions = [(action, action_to_json(action)) for action in machine.path[: machine.done]]
    recipes = first_recipes(first.state())
    detectors = describe_detectors(run._learners.settings.detectors)
    made = [*recipes.values(), *(record["learner"] for _, record in actions if isinstance(record.get("learner"), dict))]
    name = "".join(c if c.isprintable() and c not in '"\\' else " " for c in first.stream.name)
    title = f"Make a run on {name} again."
    parts = [
        ("", "\n".join(["import streamlab as sl", *_imports_of([*made, *detectors.values()])])),
        ("The stream.", "\n".join(_stream_lines(first.stream.recipe))),
        ("The learners on it.", _run_line(run, recipes, detectors)),
    ]
    position, is_ended = 0, False
    for action, record in actions:
        if action.position > position:
            parts.append(("", f"run.advance({action.position - position})"))
            position = action.position
        if action.is_after_end and not is_ended:
            parts.append(("", "run.advance()"))
            is_ended = True
        parts.append((f"After {position:,} instances.", _action_line(action, record)))
    if run.position > position or (run.finished and not is_ended):
        ahead = "" if run.finished else run.position - position
        parts.append(("", f"run.advance({ahead})"))
    parts.append(("How they did.", "print(run.summary)"))
    added = {name: LEARNERS.place(name) for name in LEARNERS.names() if any(_loaded(name) in code for _, code in parts)}
    for name, place in added.items():
        if place is not None:
            module, _, path = place.partition(":")
            line = f"sl.learners.LEARNERS.add({_written(name)}, {module}.{path})"
            parts.insert(1, ("A learner from outside.", f"import {module}\n{line}"))
    return title, parts


def _loaded(name: str) -> str:
    return f"sl.learners.LEARNERS.load({_written(name)})"


def _stream_lines(recipe: Mapping[str, Any], name: str = "stream") -> list[str]:
    """Return how a stream is made, under a name."""
    changes = []
    while "change" in recipe:
        changes.append(recipe)
        recipe = recipe["stream"]
    lines = []
    if "parts" in recipe:
        parts = {f"part_{place}": part for place, part in enumerate(recipe["parts"], 1)}
        for part_name, part in parts.items():
            lines += _stream_lines(part, part_name)
        rows = "" if recipe["rows"] is None else f", {_written(recipe['rows'])}"
        lines.append(f"{name} = sl.streams.join([{', '.join(parts)}]{rows})")
    else:
        source = recipe.get("source", recipe.get("file"))
        lines.append(f"{name} = sl.load({_arguments([source], recipe['options'])})")
    for change in reversed(changes):
        if change["change"] not in DRIFTS:  # an archive may say anything
            raise ValueError("the run cannot be written down: it is not known how its stream was made")
        made = change["change"]
        is_own = DRIFTS.package(made) == "streamlab"
        put = f"sl.{made}" if is_own else f"sl.streams.DRIFTS.load({_written(made)}).put"
        lines.append(f"{name} = {put}({_arguments([], change['parameters'], name)})")
    return lines


def _run_line(run: Any, learners: Mapping[str, Any], detectors: Mapping[str, Any]) -> str:
    settings = run._learners.settings
    chosen = asdict(settings) | {"measures": _named_measures(run)}
    # snapshots change no number
    left_out = ("snapshots", "detectors", "importance")
    given = {name: value for name, value in chosen.items() if name not in left_out and value != getattr(DEFAULTS, name)}
    options = "".join(f", {name}={_written(value)}" for name, value in given.items())
    if settings.importance is not None:
        options += f", importance={_written(to_builtins(settings.importance) or True)}"
    if detectors:
        watching = [f"{_written(n)}: ({code_of(how, n)}, {_written(how[MEASURE])})" for n, how in detectors.items()]
        options += f", detectors={{{', '.join(watching)}}}"
    each = [f"{_written(name)}: {code_of(recipe, name)}" for name, recipe in learners.items()]
    line = f"run = sl.Run(stream, {{{', '.join(each)}}}{options})"
    if len(line) <= LONG:
        return line
    inside = "".join(f"    {one},\n" for one in each)
    return f"learners = {{\n{inside}}}\nrun = sl.Run(stream, learners{options})"


def _imports_of(recipes: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the lines that import River's classes."""
    paths = dict.fromkeys(
        str(part[RIVER]).rpartition(".") for each in recipes for part in tables_of(each) if RIVER in part
    )
    return [f"from {module} import {name}" for module, _, name in paths]


def _named_measures(run: Any) -> list[str] | None:
    """Return the measures of a run, None where they are the default: an archive names them in any case."""
    usual = default_measures(run.stream.schema.hierarchy is not None, run.stream.schema.classes is not None)
    given = run._learners.settings.measures
    return None if given in (None, usual) else list(given)


def code_of(recipe: Mapping[str, Any], name: str) -> str:
    """Return how a learner is made, as Python code."""
    if STATE in recipe:
        raise ValueError(f"the run cannot be written down: {name!r} had learned before the run began, or has no seed")
    if LOST in recipe:
        raise ValueError(
            f"the run cannot be written down: {name!r} is a {recipe[LOST]}, and it is not known how such a one is made"
        )
    return _code(recipe)


def _code(part: Mapping[str, Any]) -> str:
    """Return how what is described is made: its class with the parameters that are not the default ones."""
    if RECIPE in part:
        return f"sl.make_learner({_written(part[RECIPE])}, {_written(part.get(SEED))})"
    given = part[PARAMETERS]
    if RIVER in part:
        kind, called = river_class(part[RIVER]), str(part[RIVER]).rpartition(".")[2]
        if STEPS in part:
            return f"{called}({', '.join(f'({_written(name)}, {_code(step)})' for name, step in part[STEPS])})"
    elif STEPS in part:
        steps = list(map(_code, part[STEPS]))
        is_usual = given["chunk"] == 100 and len(steps) > 1
        return " | ".join(steps) if is_usual else f"sl.Pipeline({', '.join(steps)}, chunk={given['chunk']!r})"
    else:
        name = part[LEARNER]
        kind = LEARNERS.load(name)
        called = f"sl.{name}" if name.isidentifier() and LEARNERS.package(name) == "streamlab" else _loaded(name)
    known = inspect.signature(kind).parameters
    others = {name: value for name, value in given.items() if not _is_default(value, known[name].default)}
    return f"{called}({', '.join(f'{name}={_written(value)}' for name, value in others.items())})"


def _is_default(value: Any, default: Any) -> bool:
    try:
        return bool(described_part(default, "") == value)
    except ValueError:
        return False


def _action_line(action: Action, detail: Mapping[str, Any]) -> str:
    if action.kind == TUNE:
        return f"run.tune({_arguments([detail['learner']], detail['parameters'])})"
    if action.kind == DRIFT:
        drift = detail["change"]
        if LOST in drift:
            raise ValueError(
                f"the run cannot be written down: the drift put in after {action.position:,} instances is a Python "
                "function; expected a sl.DriftRecipe"
            )
        return f"run.put_drift(sl.DriftRecipe({_arguments([drift['drift']], drift['parameters'])}), at={detail['at']})"
    if action.kind == FORK:
        more = {} if detail["train_on"] is None else {"train_on": detail["train_on"]}
        return f"run.fork({_arguments([detail['learner'], detail['name']], {**more, **detail['parameters']})})"
    if action.kind == JOIN:
        trained = f", train_on={detail['train_on']}" if detail["train_on"] else ""
        return f"run.join({_written(detail['name'])}, {code_of(detail['learner'], detail['name'])}{trained})"
    if action.kind == REMOVE:
        return f"run.remove({_written(detail['name'])})"
    if action.kind == MARK:
        return "run.mark()"
    if action.kind == STEP:
        return f"run.set_step({detail['rows']})"
    assert action.kind == COMPLETE, action.kind
    return "run.complete_curves()"


def _arguments(first: list[Any], named: Mapping[str, Any], stream: str = "") -> str:
    plain = [*([stream] if stream else []), *map(_written, first)]
    if all(key.isidentifier() for key in named):
        return ", ".join([*plain, *(f"{key}={_written(value)}" for key, value in named.items())])
    listed = ", ".join(f"{key!r}: {_written(value)}" for key, value in named.items())
    return ", ".join([*plain, f"**{{{listed}}}"])


def _written(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(_written, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, str) and value.isprintable() and not {'"', "\\"} & set(value):
        return f'"{value}"'
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, Mapping):
        if value.keys() & {LEARNER, RIVER, STEPS}:
            return _code(value)
        if set(value) == {TUPLE}:
            return _written(tuple(value[TUPLE]))
        pairs = value[PAIRS] if set(value) == {PAIRS} else value.items()
        return f"{{{', '.join(f'{_written(key)}: {_written(each)}' for key, each in pairs)}}}"
    raise ValueError(f"the run cannot be written down: {type(value).__name__} is not a plain value")
