"""Learners by what people type: a registered name or a recipe's, parameters in brackets, the steps of a pipeline."""

from __future__ import annotations

import ast
import difflib
import inspect
import math
from collections.abc import Mapping
from typing import Any

from streamlab.learners import LEARNERS, RECIPES, Learner, Pipeline

__all__ = ["parameters_of", "parse_learner"]

CONSTANTS = {"inf": math.inf, "nan": math.nan}


def parse_learner(text: str, defaults: Mapping[str, Any] | None = None) -> Learner:
    """Return the learner of a text such as ``"SMART(half_life=400)"`` or ``"StandardScaler | BalancedKNN"``.

    Parameters
    ----------
    text
        A name of ``LEARNERS``, or of ``RECIPES`` (their only parameter is ``seed``); after it, in brackets, its
        parameters as ``name=value``: numbers, ``inf``, ``True``, ``False``, ``None``, texts in quotes, and lists of
        them. Nothing is executed. Between the steps of a pipeline stands ``|``.
    defaults
        Parameters by name for every step that accepts them and that are not given.

    Raises
    ------
    ValueError
        For an unknown name or parameter, or a value that the learner refuses; it names the text.

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
            return Pipeline(*steps)
        last = type(steps[-1]).__name__
        raise ValueError(f"{last} is a transformer, not a learner; expected a learner as the last step")
    except ValueError as error:
        raise ValueError(f"{text}: {error}") from error


def parameters_of(kind: type) -> dict[str, Any] | None:
    """Return a learner's parameters with their defaults; None if it cannot be made from parameters alone."""
    found = {}
    for parameter in inspect.signature(kind).parameters.values():
        if parameter.default is parameter.empty:
            return None
        found[parameter.name] = parameter.default
    return found


def _step(text: str, defaults: Mapping[str, Any]) -> Any:
    name, bracket, rest = text.partition("(")
    name = name.strip()
    if not name:
        raise ValueError("expected the name of a learner; `streamlab learners` lists them")
    kind: Any = RECIPES.load(name).make if name in RECIPES else LEARNERS.load(name)
    known = {"seed": None} if name in RECIPES else parameters_of(kind)
    if known is None:
        raise ValueError(f"{name} is made of other learners, which only Python code can give it")
    given = _parameters(rest, bracket) if bracket else {}
    for parameter in given:
        if parameter not in known:
            near = difflib.get_close_matches(parameter, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it has: {', '.join(known) or 'none'}"
            raise ValueError(f"{name} has no parameter {parameter!r}; {hint}")
    return kind(**{key: value for key, value in defaults.items() if key in known} | given)


def _parameters(rest: str, bracket: str) -> dict[str, Any]:
    """Read ``name=value, …)`` without executing anything."""
    try:
        call = ast.parse(f"_{bracket}{rest.strip()}", mode="eval").body
    except SyntaxError:
        call = None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise ValueError("expected parameters as (name=value, …)")
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        raise ValueError("expected parameters by name, as (name=value, …)")
    names = [str(keyword.arg) for keyword in call.keywords]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"the parameter {twice!r} is given twice")
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
