"""Learners as plain values that JSON knows: described by name and parameters, and made again for a seed."""

from __future__ import annotations

import copy
import inspect
import itertools
import math
import operator
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import EllipsisType
from typing import Any

import numpy as np
from river.base import Base
from river.compose import Pipeline as RiverPipeline
from river.compose import TransformerUnion

from streamlab import learners
from streamlab._checks import checked_text, is_count, within
from streamlab.lab.learners import named_learners
from streamlab.learners import LEARNERS, RECIPES, Learner
from streamlab.learners.base.composed import is_chain
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.from_text import parse_learner
from streamlab.measures import MEASURES

LEARNER, RECIPE, RIVER, STEPS, PARAMETERS = "learner", "recipe", "river", "steps", "parameters"
TUPLE, PAIRS = "tuple", "pairs"
SEED = "seed"
DEEPEST = 20
AROUND_RIVER = {"OnePerLabel": "classifier", "RiverClassifier": "classifier", "TargetsAsLabels": "regressor"}
"""Learners around one of River's, with the parameter that takes it."""


def describe(learner: Any) -> dict[str, Any]:
    """Return a learner as plain values, all its parameters by name, except for its seeds, which a study sets.

    Parameters
    ----------
    learner
        A learner that has learned nothing, a River classifier, or a text as ``streamlab run --learner`` takes it:
        ``"SMART(half_life=50)"``, ``"StandardScaler | BalancedKNN"``, the name of a recipe.

    Raises
    ------
    ValueError
        For what is neither, or a parameter that is neither a plain value nor such an object.

    Examples
    --------
    >>> import streamlab as sl
    >>> describe(sl.NoChange())
    {'learner': 'NoChange', 'parameters': {}}
    """
    if isinstance(learner, str):
        if learner.strip() in RECIPES:
            return {RECIPE: learner.strip()}
        learner = parse_learner(learner)
    found = describe_whole(learner)
    for part in tables_of(found):
        if SEED in part.get(PARAMETERS, {}):
            part[PARAMETERS][SEED] = None
    return found


def describe_whole(learner: Any) -> dict[str, Any]:
    """Return a learner as plain values, its seeds too: ``make_described(found, ...)`` makes the same one.

    Raises
    ------
    ValueError
        As ``describe``.
    """
    return _described(next(iter(named_learners(learner).values())), type(learner).__name__, 0)


def _described(thing: Any, where: str, depth: int) -> dict[str, Any]:
    if is_chain(thing):
        steps = [_described(step, f"{where}, {name}", depth + 1) for name, step in thing.steps.items()]
        return {STEPS: steps, PARAMETERS: {"chunk": thing.chunk}}
    river_steps = _river_steps(thing)
    if river_steps is not None:
        named = [[name, _plain(step, f"{where}, {name}", depth + 1)] for name, step in river_steps.items()]
        return {RIVER: _path_of(thing), STEPS: named, PARAMETERS: {}}
    parameters = {
        name: _plain(value, f"{where}: {name}", depth + 1) if name != SEED or is_count(value) else None
        for name, value in own_parameters(thing).items()
    }
    if isinstance(thing, StreamEstimator):
        name = LEARNERS.name_of(type(thing))
        if name is None:
            raise ValueError(
                f"{where}: {type(thing).__name__} is not registered, so no other process can make it; expected an "
                'entry point "streamlab.learners" of the package that brings it along, or LEARNERS.add'
            )
        return {LEARNER: name, PARAMETERS: parameters}
    return {RIVER: _path_of(thing), PARAMETERS: parameters}


def _path_of(thing: Any) -> str:
    return f"{type(thing).__module__}.{type(thing).__qualname__}"


def _river_steps(thing: Any) -> dict[str, Any] | None:
    """Return the parts of River's compositions by name, in order; None for anything else."""
    if isinstance(thing, RiverPipeline):
        return dict(thing.steps)
    return dict(thing.transformers) if isinstance(thing, TransformerUnion) else None


def own_parameters(thing: Any) -> dict[str, Any]:
    """Return what an estimator was made with; River's ``_get_params`` takes parts that are estimators to pieces.

    Raises
    ------
    ValueError
        If it does not keep a parameter under its name, or takes any number of them.
    """
    found = {}
    for name, parameter in inspect.signature(type(thing)).parameters.items():
        is_loose = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        value = getattr(thing, name, inspect.Parameter.empty)
        if value is inspect.Parameter.empty or (is_loose and value):
            star = "*" * ((parameter.kind == parameter.VAR_POSITIONAL) + 2 * (parameter.kind == parameter.VAR_KEYWORD))
            raise ValueError(
                f"{type(thing).__name__}: its parameter {star}{name} cannot be described, so that no other process can "
                "make it; a learner that needs it is registered as a recipe (streamlab.recipes)"
            )
        if not is_loose:
            found[name] = None if _replaces_none(thing, name, parameter.default, value) else value
    return found


def _replaces_none(thing: Any, name: str, default: Any, value: Any) -> bool:
    """Return whether River put a number or a container in place of None, as the depth that this process may reach.

    What another process would put there is for that one to say. Parts that are objects are described as they are.
    """
    if default is not None or value is None or isinstance(thing, StreamEstimator):
        return False
    if isinstance(value, (Base, bool, str, list, tuple)):
        return False
    if callable(value):  # a function that River chose, and has no public name for
        return str(getattr(value, "__module__", "")).startswith("river._")
    try:
        twin = thing.clone({name: None})
        return bool(getattr(twin, name) == value)
    except Exception:  # who cannot be made without it was given it
        return False


def described_part(thing: Any, where: str) -> dict[str, Any]:
    """Return one of River's objects, such as a detector, as plain values, its seeds too; errors as ``describe``."""
    return _plain(thing, where, 0)


def _plain(value: Any, where: str, depth: int) -> Any:
    if depth > DEEPEST:
        raise ValueError(f"{where}: parts within parts, more than {DEEPEST} deep")
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, list):
        return [_plain(each, where, depth + 1) for each in value]
    if isinstance(value, tuple):
        return {TUPLE: [_plain(each, where, depth + 1) for each in value]}
    is_river = isinstance(value, Base) and type(value).__module__.partition(".")[0] == "river"
    if isinstance(value, StreamEstimator) or is_river:
        return _described(value, where, depth)
    if isinstance(value, Mapping):
        # as pairs, for tables with names are learners. Thresholds by label have no order, experts have one
        are_learners = any(isinstance(each, Base) for each in value.values())
        pairs = value.items() if are_learners else sorted(value.items())
        return {PAIRS: [[key, _plain(each, where, depth + 1)] for key, each in pairs]}
    raise ValueError(
        f"{where} is {value!r}: a study describes learners by numbers, texts, flags, and learners or River's objects "
        "made of them; a learner that needs more is registered as a recipe (streamlab.recipes)"
    )


def make_described(description: Mapping[str, Any], seed: int | EllipsisType | None) -> Learner:
    """Return the learner of a description, with this seed wherever it takes one.

    Parameters
    ----------
    description
        What ``describe`` returned, perhaps from a file of somebody else's: it can name registered learners and recipes
        and River's classes alone.
    seed
        None: a random one; ``...``: those of the description.

    Raises
    ------
    ValueError
        If it names what is not there, or gives parameters that are refused.
    """
    made = _made(description, seed, 0)
    return next(iter(named_learners(made).values()))


def _made(part: Any, seed: int | EllipsisType | None, depth: int) -> Any:
    if isinstance(part, list):
        return [_made(each, seed, depth + 1) for each in part]
    if not isinstance(part, Mapping):
        return part
    if depth > DEEPEST:
        raise ValueError(f"a learner's description has parts within parts, more than {DEEPEST} deep")
    if set(part) == {TUPLE}:
        return tuple(_made(each, seed, depth + 1) for each in part[TUPLE])
    if set(part) == {PAIRS}:
        return {key: _made(each, seed, depth + 1) for key, each in part[PAIRS]}
    if set(part) == {RECIPE}:
        return RECIPES.load(part[RECIPE]).make(None if seed is ... else seed)
    given = part.get(PARAMETERS)
    if not isinstance(given, Mapping):
        raise ValueError(f"a learner's description is {part!r}; expected its name and parameters")
    parameters: dict[str, Any] = {
        name: _made(value, seed, depth + 1) if name != SEED or seed is ... else seed for name, value in given.items()
    }
    if STEPS in part and RIVER in part:
        return _made_of_rivers_steps(part, seed, depth)
    if STEPS in part:
        return learners.Pipeline(*(_made(step, seed, depth + 1) for step in part[STEPS]), **parameters)
    kind: Any = LEARNERS.load(part[LEARNER]) if LEARNER in part else river_class(part.get(RIVER))
    try:
        return kind(**parameters)
    except TypeError as error:
        raise ValueError(f"{kind.__name__}: {error}") from None


def _made_of_rivers_steps(part: Mapping[str, Any], seed: int | EllipsisType | None, depth: int) -> Any:
    kind: Any = river_class(part[RIVER])
    steps = part[STEPS]
    are_named = (
        isinstance(steps, list)
        and bool(steps)
        and all(isinstance(step, list) and len(step) == 2 and isinstance(step[0], str) for step in steps)
    )
    if not are_named or not issubclass(kind, (RiverPipeline, TransformerUnion)):
        raise ValueError(f"a learner's description is {part!r}; expected one of River's pipelines and its named steps")
    made = [(name, _made(step, seed, depth + 1)) for name, step in steps]
    for name, step in made:
        if not isinstance(step, Base):
            raise ValueError(f"{kind.__name__}, {name}: {step!r}; expected one of River's estimators")
    return kind(*made)


def river_class(path: Any) -> type:
    """Return a class of River by its path, ``"river.tree.HoeffdingTreeClassifier"``.

    Raises
    ------
    ValueError
        If it is another package's, or there is none.
    """
    if not isinstance(path, str) or path.partition(".")[0] != "river" or path.count(".") < 2:
        raise ValueError(f"{path!r}: expected the path of one of River's classes, river.tree.HoeffdingTreeClassifier")
    module, _, name = path.rpartition(".")
    try:
        found = getattr(import_module(module), name, None)
    except ImportError:
        found = None
    if not inspect.isclass(found) or not issubclass(found, Base):
        raise ValueError(f"{path!r}: River has no such class; expected an estimator or a part of one")
    return found


def imports_of(description: Mapping[str, Any]) -> dict[str, Any]:
    """Return what another process imports before it makes a described learner; empty where entry points are enough.

    Kept beside a description, not in it: a description may be of a file, and what a file names is never imported.

    Raises
    ------
    ValueError
        If a learner was added in this session, and no other process can import it.
    """
    places = {part[LEARNER]: LEARNERS.place(part[LEARNER]) for part in tables_of(description) if LEARNER in part}
    added = {name: place for name, place in places.items() if place is not None}
    return {"path": list(sys.path), "learners": added} if added else {}


def import_added(imports: Mapping[str, Any]) -> None:
    """Register what the session of another process has added: learners (``imports_of``) and measures.

    Raises
    ------
    ValueError
        If one of them cannot be imported here.
    """
    sys.path += [place for place in imports.get("path", ()) if place not in sys.path]
    for what, registry in (("learners", LEARNERS), ("measures", MEASURES.registry)):
        for name, place in imports.get(what, {}).items():
            module, _, path = place.partition(":")
            try:
                thing = operator.attrgetter(path)(import_module(module))
            except (ImportError, AttributeError) as error:
                raise ValueError(
                    f"the {what[:-1]} {name!r} is {place}, which cannot be imported here ({error}): it has to be where "
                    "the workers run, too"
                ) from None
            registry.add(name, thing)


def tables_of(part: Any) -> Iterator[Mapping[str, Any]]:
    """Yield a description, and every table within it."""
    if isinstance(part, list):
        for each in part:
            yield from tables_of(each)
    elif isinstance(part, Mapping):
        yield part
        for value in part.values():
            yield from tables_of(value)


def is_seeded(description: Mapping[str, Any]) -> bool:
    """Return whether the learner of a description takes a seed: if not, it runs once for all seeds."""
    if RECIPE in description:
        return any(_seeds(RECIPES.load(description[RECIPE]).make(1)))
    return any(SEED in part for part in tables_of(description))


def _seeds(thing: Any, depth: int = 0) -> Iterator[bool]:
    if depth > DEEPEST or not isinstance(thing, Base):
        return
    steps = list((thing.steps if is_chain(thing) else _river_steps(thing) or {}).values())
    parameters = {} if steps else own_parameters(thing)
    yield SEED in parameters
    for value in (*steps, *parameters.values()):
        yield from _seeds(value, depth + 1)


def with_parameters(description: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a description in which a registered learner has other parameters; they are checked by making it.

    Raises
    ------
    ValueError
        If it is not a single learner, has no such parameter, or refuses the value.
    """
    if not given:
        return description
    if LEARNER not in description:
        raise ValueError(f"parameters {', '.join(given)} go with a registered learner, not with a pipeline or recipe")
    known = description[PARAMETERS]
    for name in given:
        if name not in known:
            raise ValueError(f"{description[LEARNER]} has no parameter {name!r}; it has {', '.join(known) or 'none'}")
    changed = copy.deepcopy(description)
    for name, value in given.items():
        is_infinite = isinstance(value, float) and math.isinf(value)
        changed[PARAMETERS][name] = value if is_infinite else _plain(value, name, 0)
    make_described(changed, 1)
    return changed


def learners_of(learners: Any) -> dict[str, dict[str, Any]]:
    """Return the learners of a study by name, as plain values.

    Parameters
    ----------
    learners
        A dictionary by name, or a list, of learners, River classifiers and texts (``"SMART(half_life=50)"``, recipes,
        ``"StandardScaler | SMART"``); or of tables with ``use`` (such a text; default the name) and parameters, of
        which a list of values gives one learner for each: ``"SMART, half_life=50"``. With ``use = "OnePerLabel"`` (or
        ``"TargetsAsLabels"``) and ``classifier`` (or ``regressor``), the path of a class of River's, further
        parameters are that class's.

    Raises
    ------
    ValueError
        For what is not a learner, an unknown parameter, or two of one name; it names the learner.
    """
    if not isinstance(learners, Mapping):
        listed = [learners] if not isinstance(learners, (list, tuple)) else list(learners)
        named = {each if isinstance(each, str) else type(each).__name__: each for each in listed}
        if len(named) < len(listed):
            raise ValueError("learners: two have the same name; expected a dictionary with a name for each")
        learners = named
    if not learners:
        raise ValueError("learners: expected at least one")
    found: dict[str, dict[str, Any]] = {}
    for name, given in learners.items():
        checked_text("learners: name", name)
        with within(f"learners[{name!r}]", TypeError):
            made = _learners(name, given)
        for each, description in made.items():
            if each in found:
                raise ValueError(f"learners: two are called {each!r}")
            found[each] = description
    return found


def _learners(name: str, given: Any) -> dict[str, dict[str, Any]]:
    if given is None:
        given = {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        return {name: describe(given)}
    options = dict(given)
    use = options.pop("use", name)
    checked_text("use", use)
    lists = {key: value for key, value in options.items() if isinstance(value, list)}
    found = {}
    for values in itertools.product(*lists.values()):
        chosen = dict(zip(lists, values, strict=True))
        suffix = "".join(f", {key}={value}" for key, value in chosen.items())
        found[name + suffix] = _with_options(use, options | chosen)
    return found


def _with_options(use: str, options: dict[str, Any]) -> dict[str, Any]:
    if use not in AROUND_RIVER:
        return with_parameters(describe(use), options)
    inner = AROUND_RIVER[use]
    own = {key: options.pop(key) for key in ("decision", "threshold") if key in options}
    path = options.pop(inner, None)
    if path is None:
        raise ValueError(f"{use} needs {inner}=, the path of one of River's classes")
    try:
        return describe(LEARNERS.load(use)(river_class(path)(**options), **own))
    except TypeError as error:
        raise ValueError(f"{path}: {error}") from None
