"""Let numba do in fewer steps what it does: some of its functions are replaced by ones that return the same.

Most of the time that a kernel takes to be compiled is numba's own Python, and a third of that was in these. The machine
code is the same. All but the comparison of options is replaced only in processes that compile our kernels and nothing
else.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import ffi
from numba.core import ir
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction

NO_VARIABLES = frozenset({str, int, float, bool, type(None), ir.Loc})
"""Kinds of values in an instruction that neither are variables nor have any; most are of these."""


def _same_options(options: Any, others: Any) -> Any:
    """Do as numba does, which writes out all options: those that are set on neither side have their defaults."""
    if not isinstance(others, TargetConfig):
        return NotImplemented
    if options._values == others._values:
        return True
    set_here: Any = options._values.keys() | others._values.keys()
    return type(options) is type(others) and all(getattr(options, name) == getattr(others, name) for name in set_here)


def _hash_of_options(options: TargetConfig) -> int:
    """Return one number for a kind of options: numba's own is that of their names, without their values."""
    return hash(type(options))


def _variables_in(instruction: ir.Inst, value: Any) -> list[ir.Var]:
    """Return the variables in what an instruction holds, in order."""
    kind = type(value)
    if kind is ir.Var:
        return [value]
    if kind in NO_VARIABLES:
        return []
    if isinstance(value, ir.Inst):
        return value.list_vars()
    if not isinstance(value, (dict, list, tuple)):
        return [value] if isinstance(value, ir.Var) else []
    found: list[ir.Var] = []
    for each in value.values() if isinstance(value, dict) else value:
        kind = type(each)
        if kind is ir.Var:
            found.append(each)
        elif kind not in NO_VARIABLES:
            found += _variables_in(instruction, each)
    return found


_resolve = BaseFunction.get_call_type


def _signature_of_call(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """Return the signature of a call, which numba looks for among all that an operator could mean, each time.

    What was found is kept, unless it is a function that was made for this call: such a one also depends on the caller.
    """
    key = id(function), context, args
    if not kws and key in _known:
        return _known[key][1]
    found = _resolve(function, context, args, kws)
    if not kws and found is not None and function._impl_keys.get(found.args) is function.typing_key:
        _known[key] = function, found
    return found


_known: dict[Any, tuple[Any, Any]] = {}


def compare_options() -> None:
    """Compare numba's options as they are set, in this process: for each operator that is done with those of many."""
    TargetConfig.__eq__ = _same_options  # type: ignore[method-assign]
    TargetConfig.__hash__ = _hash_of_options  # type: ignore[method-assign]


def install() -> None:
    """Replace the others, in this process, where numba has what they replace."""
    if not (hasattr(ir.Inst, "_rec_list_vars") and hasattr(ffi, "unregister_lock_callback")):
        return
    # nine times for each function, of all its instructions
    ir.Inst._rec_list_vars = _variables_in  # type: ignore[method-assign]
    BaseFunction.get_call_type = _signature_of_call  # type: ignore[method-assign,assignment]
    # each call of LLVM would tell all who time them, one for each kernel under way; nobody reads that here
    for pair in tuple(ffi.lib._lock._cblist):
        ffi.unregister_lock_callback(*pair)
