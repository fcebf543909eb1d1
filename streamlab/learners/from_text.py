"""Learners by what people type: a registered name or a recipe's, parameters in brackets, the steps of a pipeline."""

from __future__ import annotations

import ast
import difflib
import inspect
import logging
import math
from collections.abc import Mapping
from typing import Any

from streamlab import learners
from streamlab._checks import check_unique, with_type
from streamlab.learners import LEARNERS, RECIPES, Learner, StreamEstimator

__all__ = ["make_learner"]

logger = logging.getLogger("streamlab")
OWN = "streamlab"
REQUIRED = object()
CONSTANTS = {"inf": math.inf, "nan": math.nan}


def parse_learner(text: str, defaults: Mapping[str, Any] | None = None) -> Learner:
    """Return the learner of a text such as ``"SMART(half_life=400)"`` or ``"StandardScaler | BalancedKNN"``.

    Parameters
    ----------
    text
        A name of ``LEARNERS``, or of ``RECIPES`` (their only parameter is ``seed``); where another package's class has
        the name of a recipe, it is the recipe, with a warning. After it, in brackets, its parameters as ``name=value``:
        numbers, ``inf``, ``True``, ``False``, ``None``, texts in quotes, and lists of them. Nothing is executed.
        Between the steps of a pipeline stands ``|``.
    defaults
        Parameters by name for every step that accepts them and that are not given.

    Raises
    ------
    ValueError
        For an unknown name or parameter, one that is needed and not given, or a value that the learner refuses; it
        names the text.

    Examples
    --------
    >>> parse_learner("SMART(half_life=inf)", {"seed": 7}).seed
    7
    """
    try:
        steps = [_step(part, defaults or {}) for part in _split(text, "|")]
        if len(steps) == 1 and isinstance(steps[0], Learner):
            return steps[0]
        if isinstance(steps[-1], Learner):
            return learners.Pipeline(*steps)
        raise ValueError(f"{type(steps[-1]).__name__} is a transformer; expected a learner as the last step")
    except ValueError as error:
        raise ValueError(f"{text}: {error}") from error


def make_learner(name: str, seed: int | None = None) -> Learner:
    """Return a new learner of a recipe, or of a registered class with its defaults.

    Parameters
    ----------
    name
        A name of ``RECIPES`` or ``LEARNERS``; ``streamlab learners`` lists them.
    seed
        Of everything random in it. None: a random one.

    Raises
    ------
    ValueError
        If there is none of this name (near recipes are suggested), or it cannot be made from defaults.

    Examples
    --------
    >>> model = make_learner("NB one per label")
    >>> model.learn_one({"a": 1.0}, {"l": True})
    >>> model.predict_one({"a": 1.0})
    {'l': True}
    >>> make_learner("SMART", seed=7).seed
    7
    """
    if name in LEARNERS and name not in RECIPES:
        return parse_learner(name, None if seed is None else {"seed": seed})
    return RECIPES.load(name).make(seed)


def parameters_of(kind: type) -> dict[str, Any] | None:
    """Return a learner's parameters with their defaults; None if it cannot be made from parameters alone."""
    found = inspect.signature(kind).parameters.values()
    return None if any(p.default is p.empty for p in found) else {p.name: p.default for p in found}


def _declared(kind: Any, name: str) -> dict[str, Any]:
    """Return a learner's parameters with their defaults; ``REQUIRED`` where it has none.

    Raises
    ------
    ValueError
        If it is made of other learners, which no text can give.
    """
    parameters = inspect.signature(kind).parameters.values()
    of_others = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if of_others or (LEARNERS.package(name) == OWN and any(p.default is p.empty for p in parameters)):
        raise ValueError(f"{name} is made of other learners, which only Python code can give it")
    return {p.name: REQUIRED if p.default is p.empty else p.default for p in parameters if p.kind is not p.VAR_KEYWORD}


def _kind_of(name: str) -> tuple[Any, dict[str, Any]]:
    """Return what makes the learner of a name, and its parameters: of this package first, a recipe or a class."""
    is_class = name in LEARNERS
    if name not in RECIPES or (is_class and LEARNERS.package(name) == OWN):
        kind = LEARNERS.load(name)
        return kind, _declared(kind, name)
    if is_class:
        logger.warning(
            "the learner %r of %s is hidden by the recipe of this name: rename its class",
            name, LEARNERS.package(name) or "this session",
        )  # fmt: skip
    recipe = RECIPES.load(name)
    return lambda seed=None: recipe.make(seed), {"seed": None}


def _step(text: str, defaults: Mapping[str, Any]) -> Any:
    name, bracket, rest = map(str.strip, text.partition("("))
    if not name:
        raise ValueError("expected the name of a learner; `streamlab learners` lists them")
    kind, known = _kind_of(name)
    given = _parameters(rest, bracket) if bracket else {}
    for parameter in given:
        if parameter not in known:
            near = difflib.get_close_matches(parameter, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it has: {', '.join(known) or 'none'}"
            raise ValueError(f"{name} has no parameter {parameter!r}; {hint}")
    values = {key: value for key, value in defaults.items() if key in known} | given
    lacking = [f"{key}=" for key, default in known.items() if default is REQUIRED and key not in values]
    if lacking:
        raise ValueError(f"{name} needs {', '.join(lacking)}; expected {name}({lacking[0]}…)")
    try:
        made = kind(**values)
    except ValueError:
        raise
    except Exception as error:  # user code may raise anything
        raise ValueError(f"{name} cannot be made: {with_type(error)}") from error
    if isinstance(made, StreamEstimator):
        made._check_started()
    return made


def _parameters(rest: str, bracket: str) -> dict[str, Any]:
    """Read ``name=value, …)`` without executing anything."""
    try:
        call = ast.parse(f"_{bracket}{rest}", mode="eval").body
    except SyntaxError:
        call = None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise ValueError("expected parameters as (name=value, …)")
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        raise ValueError("expected parameters by name, as (name=value, …)")
    names = [str(keyword.arg) for keyword in call.keywords]
    check_unique("the parameter", names)
    return {name: _value(name, keyword.value) for name, keyword in zip(names, call.keywords, strict=True)}


def _value(name: str, node: ast.expr) -> Any:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = _value(name, node.operand)
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            return -number
    elif isinstance(node, ast.Name) and node.id in CONSTANTS:
        return CONSTANTS[node.id]
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str, bool, type(None))):
        return node.value
    elif isinstance(node, (ast.Tuple, ast.List)):
        return tuple(_value(name, each) for each in node.elts)
    raise ValueError(f"{name}={ast.unparse(node)}: expected a number, inf, True, False, None or a text in quotes")


def _split(text: str, separator: str) -> list[str]:
    """Split a text where the separator stands outside of brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        if character == separator and not quote and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
