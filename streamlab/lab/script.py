"""A run written down: a Python script, or a notebook, that makes it again bit for bit."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from streamlab.lab.actions import COMPLETE, DRIFT, FORK, JOIN, MARK, REMOVE, STEP, TUNE, Action
from streamlab.lab.checks import under
from streamlab.lab.described import own_parameters
from streamlab.lab.drift_watch import Watched
from streamlab.lab.learners import Settings
from streamlab.learners import LEARNERS, Learner
from streamlab.learners.base.composed import is_chain
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.measures import default_measures
from streamlab.streams import DRIFTS, DriftRecipe, Stream

DEFAULTS = Settings()
LONG = 100


def script_of(run: Any) -> str:
    """Return the run's present branch, up to where it stands, as a Python script.

    Raises
    ------
    ValueError
        If it cannot be written: the stream is of arrays or has no recipe, a learner is River's, had learned before
        the run began or is a class that only this session has, a drift is a Python function.
    """
    title, parts = _parts(run)
    code = [f"# {said}\n{lines}" if said else lines for said, lines in parts]
    return "\n\n".join([f'"""{title}"""', *code]) + "\n"


def notebook_of(run: Any) -> str:
    """Return the same as a Jupyter notebook, in JSON.

    Raises
    ------
    ValueError
        As ``script_of``.
    """
    title, parts = _parts(run)
    cells: list[dict[str, Any]] = [_cell("markdown", f"# {title}")]
    for said, code in parts:
        if said:
            cells.append(_cell("markdown", said))
        cells.append(_cell("code", code))
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _cell(kind: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


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
    begun = _begun(first.state(), first.stream)
    name = "".join(c if c.isprintable() and c not in '"\\' else " " for c in first.stream.name)
    title = f"Make a run on {name} again."
    parts = [
        ("", "\n".join(["import streamlab as sl", *_imports_of(run._learners.settings.detectors)])),
        ("The stream.", "\n".join(_stream_lines(first.stream.recipe))),
        ("The learners on it.", _run_line(run, begun)),
    ]
    position, is_ended = 0, False
    for action in machine.path[: machine.done]:
        if action.position > position:
            parts.append(("", f"run.advance({action.position - position})"))
            position = action.position
        if action.is_after_end and not is_ended:
            parts.append(("", "run.advance()"))
            is_ended = True
        parts.append((f"After {position:,} instances.", _action_line(action)))
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


def _run_line(run: Any, learners: Mapping[str, str]) -> str:
    settings = run._learners.settings
    told = {each.name: getattr(settings, each.name) for each in fields(settings)} | {"measures": _named_measures(run)}
    # snapshots change no number
    given = {name: value for name, value in told.items() if name != "snapshots" and value != getattr(DEFAULTS, name)}
    detectors = _detectors_written(given.pop("detectors", {}))
    said = "".join(f", {name}={_written(value)}" for name, value in given.items()) + detectors
    each = [f"{_written(name)}: {made}" for name, made in learners.items()]
    line = f"run = sl.Run(stream, {{{', '.join(each)}}}{said})"
    if len(line) <= LONG:
        return line
    inside = "".join(f"    {one},\n" for one in each)
    return f"learners = {{\n{inside}}}\nrun = sl.Run(stream, learners{said})"


def _detectors_written(detectors: Mapping[str, Watched]) -> str:
    """Return the argument ``detectors`` as Python code, "" where there is none; see ``_imports_of``."""
    said = []
    for name, each in detectors.items():
        kind = type(each.detector)
        try:
            known = inspect.signature(kind).parameters
            found = {key: value for key, value in own_parameters(each.detector).items() if value != known[key].default}
            parameters = {key: _written(value) for key, value in found.items()}
        except ValueError:
            parameters = None
        if parameters is None or not _is_rivers(kind):
            raise ValueError(f"the run cannot be written down: the detector {name!r} is a {kind.__name__} of its own")
        made = f"{kind.__name__}({', '.join(f'{key}={value}' for key, value in parameters.items())})"
        said.append(f"{_written(name)}: ({made}, {_written(each.measure)})")
    return f", detectors={{{', '.join(said)}}}" if said else ""


def _imports_of(detectors: Mapping[str, Watched]) -> list[str]:
    """Return the lines that import the classes of detectors."""
    kinds = dict.fromkeys(type(each.detector) for each in detectors.values())
    return [f"from {kind.__module__} import {kind.__name__}" for kind in kinds]


def _is_rivers(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "river"


def _named_measures(run: Any) -> list[str] | None:
    """Return the measures of a run, None where they are the default: an archive names them in any case."""
    usual = default_measures(run.stream.schema.hierarchy is not None, run.stream.schema.classes is not None)
    given = run._learners.settings.measures
    return None if given in (None, usual) else list(given)


def _begun(state: Mapping[str, Any], stream: Stream) -> dict[str, str]:
    """Return the learners with which the run began, as Python code."""
    found = {}
    for place, name in enumerate(state["learners"]):
        own = under(state, f"learner.{place}.model.")
        if not own:
            raise ValueError(f"the run cannot be written down: {name!r} is River's, and its parameters are not known")
        model = LEARNERS.load(own["learner"]).from_state(own)
        fresh = model.clone().bind(stream.schema).state()
        if not _same(own, fresh):
            raise ValueError(f"the run cannot be written down: {name!r} had learned before the run began")
        found[name] = _constructor(model)
    return found


def _same(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    def plain(value: Any) -> Any:
        return (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value

    return first.keys() == second.keys() and all(plain(first[key]) == plain(second[key]) for key in first)


def _constructor(model: StreamEstimator) -> str:
    """Return how a learner is made: its class with the parameters that are not the default ones."""
    if is_chain(model):
        steps = " | ".join(map(_constructor, model.parts))
        if model.chunk == 100 and len(model.parts) > 1:
            return steps
        return f"sl.Pipeline({', '.join(map(_constructor, model.parts))}, chunk={model.chunk!r})"
    kind = type(model)
    name = LEARNERS.name_of(kind)
    if name is None:
        raise ValueError(f"the run cannot be written down: {kind.__name__} is not registered (sl.learners.LEARNERS)")
    is_own = name.isidentifier() and LEARNERS.package(name) == "streamlab"
    called = f"sl.{name}" if is_own else _loaded(name)
    known = inspect.signature(kind).parameters
    given = {key: value for key, value in own_parameters(model).items() if not _equal(value, known[key].default)}
    return f"{called}({', '.join(f'{key}={_written(value)}' for key, value in given.items())})"


def _equal(value: Any, default: Any) -> bool:
    return value == default or (isinstance(default, tuple) and value == list(default))


def _action_line(action: Action) -> str:
    detail = action.detail
    if action.kind == TUNE:
        return f"run.tune({_arguments([detail['learner']], detail['parameters'])})"
    if action.kind == DRIFT:
        drift = detail["change"]
        if not isinstance(drift, DriftRecipe):
            raise ValueError(
                f"the run cannot be written down: the drift put in after {action.position:,} instances is a Python "
                "function; expected a sl.DriftRecipe"
            )
        return f"run.put_drift(sl.DriftRecipe({_arguments([drift.name], drift.parameters)}), at={detail['at']})"
    if action.kind == FORK:
        more = {} if detail["train_on"] is None else {"train_on": detail["train_on"]}
        return f"run.fork({_arguments([detail['learner'], detail['name']], {**more, **detail['parameters']})})"
    if action.kind == JOIN:
        learner = detail["learner"]
        if not isinstance(learner, Learner) or LEARNERS.name_of(type(learner)) is None or not _is_fresh(learner):
            raise ValueError(
                f"the run cannot be written down: the learner {detail['name']!r}, which joined after "
                f"{action.position:,} instances, is River's or had learned before"
            )
        trained = f", train_on={detail['train_on']}" if detail["train_on"] else ""
        return f"run.join({_written(detail['name'])}, {_constructor(learner)}{trained})"
    if action.kind == REMOVE:
        return f"run.remove({_written(detail['name'])})"
    if action.kind == MARK:
        return "run.mark()"
    if action.kind == STEP:
        return f"run.set_step({detail['rows']})"
    assert action.kind == COMPLETE, action.kind
    return "run.complete_curves()"


def _is_fresh(learner: Learner) -> bool:
    try:
        return _same(learner.state(), learner.clone().state())
    except ValueError:  # River's have no state
        return False


def _arguments(first: list[Any], named: Mapping[str, Any], stream: str = "") -> str:
    plain = [*([stream] if stream else []), *map(_written, first)]
    if all(key.isidentifier() for key in named):
        return ", ".join([*plain, *(f"{key}={_written(value)}" for key, value in named.items())])
    said = ", ".join(f"{key!r}: {_written(value)}" for key, value in named.items())
    return ", ".join([*plain, f"**{{{said}}}"])


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
        return f"{{{', '.join(f'{_written(key)}: {_written(each)}' for key, each in value.items())}}}"
    if isinstance(value, StreamEstimator):
        return _constructor(value)
    raise ValueError(f"the run cannot be written down: {type(value).__name__} is not a plain value")
