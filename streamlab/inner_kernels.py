"""Compile kernels in less time than numba takes by itself, to the same arithmetic.

Numba optimises each function together with all that it calls, and turns that into machine code, at every level of a
chain of calls; of a function that Python never calls, both are thrown away. An ``InnerKernel`` ends as the compiler's
intermediate code, which is linked into its callers and optimised with them, once.

Most of the rest is numba's own Python. Kernels have options that are quick to compare (``Flags``). Some of numba's
functions are replaced by ones that return the same in fewer steps, but only in a process that compiles kernels and does
nothing else (``take_fewer_steps``): in all others numba is as it was. What numba itself has in Python, such as
``np.empty``, is an inner kernel there, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, partial
from typing import Any

import numba
from llvmlite.binding import ffi
from numba.core import compiler, errors, ir, transforms
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler_lock import require_global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.registry import CPUDispatcher
from numba.core.types.functions import BaseFunction
from numba.core.typing import Context
from numba.core.typing.templates import _OverloadFunctionTemplate

# ---------------------------------------------------------------------- in fewer steps


NO_VARIABLES = frozenset({str, int, float, bool, type(None), ir.Loc})
"""Kinds of values in an instruction that neither are variables nor have any; most are of these."""


class Flags(compiler.Flags):
    """Numba's options, compared as they are set: for each operator that is done with those of many.

    What numba compiles for a function with such options has them too, or copies. Symbols have the name of this class in
    them, which therefore is numba's: it is the same code.
    """

    def __eq__(self, others: Any) -> Any:
        """Do as numba does, which writes out all options: those that are set on neither side have their defaults."""
        if not isinstance(others, compiler.Flags):
            return NotImplemented
        mine, theirs = self._values, others._values
        return mine == theirs or all(getattr(self, each) == getattr(others, each) for each in mine | theirs)

    def __hash__(self) -> int:
        """Return what numba does, whose number is that of the names of all options, without their values."""
        return HASH_OF_FLAGS


HASH_OF_FLAGS = hash(compiler.Flags())


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


_post_process = PostProcessor.run


def _note_lifetimes(self: PostProcessor, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Do what numba does after each of its steps, without where variables begin, which generators alone ask for."""
    if self.func_ir.is_generator:
        _post_process(self, emit_dels, extend_lifetimes)
        return
    self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = VariableLifetime(self.func_ir.blocks)
    self.func_ir.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


def _optimize_functions(self: CPUCodeLibrary, module: Any) -> None:
    """Do as numba does, but not for functions that are only declared, which are most."""
    module.data_layout = self._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = self._codegen._function_pass_manager()
            passes.run(function, builder)


_jit_decorator: Any = getattr(_OverloadFunctionTemplate, "_get_jit_decorator", None)


def _as_inner(self: Any) -> Any:
    """Return what compiles a function that numba has in Python, such as ``np.empty``: for its callers, too."""
    return partial(_jit_decorator(self), no_cfunc_wrapper=True, pipeline_class=_InnerCompiler)


def take_fewer_steps() -> None:
    """Replace functions of numba, in this process, where it has what they replace."""
    if not (hasattr(ir.Inst, "_rec_list_vars") and hasattr(ffi, "unregister_lock_callback") and _jit_decorator):
        return
    # nine times for each function, of all its instructions
    ir.Inst._rec_list_vars = _variables_in  # type: ignore[method-assign]
    BaseFunction.get_call_type = _signature_of_call  # type: ignore[method-assign,assignment]
    PostProcessor.run = _note_lifetimes  # type: ignore[method-assign]
    CPUCodeLibrary._optimize_functions = _optimize_functions  # type: ignore[method-assign]
    _OverloadFunctionTemplate._get_jit_decorator = _as_inner  # type: ignore[method-assign]
    # each operator looks whether there is more of numba's own; it is all there after the first time
    for context in (CPUContext, Context):
        context.load_additional_registries = cache(context.load_additional_registries)  # type: ignore[method-assign]
    # each call of LLVM would tell all who time them, one for each kernel under way; nobody reads that here
    for pair in tuple(ffi.lib._lock._cblist):
        ffi.unregister_lock_callback(*pair)


# ---------------------------------------------------------------------- kernels that only kernels call

NEEDS_COUNTING = "NRT required", "Only accept returning of array"
"""What numba says of a function that makes an array, or returns one that it did not get, and counts no references."""
OPTIONS = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}


class InnerKernel(CPUDispatcher):
    """A compiled function that other compiled functions call.

    It is in no cache, as its callers hold its code. Called from Python, in a test, it compiles a way in.

    Parameters
    ----------
    py_func, locals, targetoptions
        As numba's dispatchers take them; ``targetoptions`` are the options of ``numba.njit``.
    apart
        Whether no two of its arrays share memory.
    """

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None, apart: bool = False) -> None:
        super().__init__(py_func, locals, OPTIONS | (targetoptions or {}), _ApartCompiler if apart else _InnerCompiler)
        refuse_lost_references(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return without_constants(super().get_call_template, args, kws)

    @cached_property
    def _way_in(self) -> Any:
        return numba.njit(nogil=True)(lambda *arguments: self(*arguments))

    def __call__(self, *arguments: Any) -> Any:
        return self._way_in(*arguments)


def without_constants(template: Callable[..., Any], args: Iterable[Any], kws: Mapping[str, Any]) -> Any:
    """Return a call's template for numbers, not constants: else each compiles a kernel, and all it calls, once more."""
    return template(tuple(map(numba.types.unliteral, args)), {k: numba.types.unliteral(v) for k, v in kws.items()})


def refuse_lost_references(kernel: Any) -> None:
    """Let a kernel refuse to be compiled where numbers of references would be wrong.

    Raises
    ------
    TypeError
        When it is compiled, if it counts no references and makes an array, or if it gets an array from another kernel,
        and only one of them counts.
    """
    compile, counts = kernel._compiler.compile, kernel.targetoptions["_nrt"]

    def compiled(args: Any, return_type: Any) -> Any:
        try:
            result = compile(args, return_type)
        except errors.NumbaError as error:
            if counts or not any(reason in str(error) for reason in NEEDS_COUNTING):
                raise
            raise refusal(kernel.py_func, "makes or returns an array") from None
        for giver in _givers_of_arrays(result):
            if giver.targetoptions.get("_nrt", True) != counts:
                if counts:
                    taker = kernel.py_func.__name__
                    raise refusal(giver.py_func, f"returns an array to {taker}, which counts references")
                raise refusal(kernel.py_func, f"gets an array from {giver.py_func.__name__}, which counts references")
        return result

    kernel._compiler.compile = compiled


def refusal(function: Any, why: str, expected: str = "arrays=True") -> TypeError:
    """Return the error that refuses a kernel's function: why, and the options that were expected."""
    return TypeError(f"the kernel {function.__module__}.{function.__qualname__} {why}: expected @kernel({expected})")


def _givers_of_arrays(result: Any) -> list[CPUDispatcher]:
    """Return the kernels that a compiled one gets arrays from."""
    types, calls = result.type_annotation.typemap, result.type_annotation.calltypes
    givers = []
    for call, signature in calls.items():
        called = types[call.func.name] if getattr(call, "op", "") == "call" else None
        if isinstance(called, numba.types.Dispatcher) and _has_array(signature.return_type):
            givers.append(called.dispatcher)
    return givers


def _has_array(kind: numba.types.Type) -> bool:
    return isinstance(kind, numba.types.Buffer) or any(map(_has_array, getattr(kind, "types", ())))


class KernelCompiler(compiler.Compiler):
    """Numba's compiler, with options that are quick to compare."""

    def compile_extra(self, func: Any) -> Any:
        self.state.flags = Flags(self.state.flags)
        return super().compile_extra(func)


class _InnerCompiler(KernelCompiler):
    """Numba's compiler, except for the last step."""

    def compile_extra(self, func: Any) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = _InnerLibrary(codegen, func.__qualname__)
        return super().compile_extra(func)


class _ApartCompiler(_InnerCompiler):
    """Tells the machine's compiler that arrays share no memory: each loop would ask for it before it begins."""

    def compile_extra(self, func: Any) -> Any:
        self.state.flags.noalias = True
        return super().compile_extra(func)


class _InnerLibrary(JITCodeLibrary):
    """A function's code for linking into that of others; the engine that runs code never has it."""

    def finalize(self) -> None:
        require_global_compiler_lock()
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return _NoEngine()


class _NoEngine:
    """Stands in for the engine that numba gives a function's environment to; these functions have no environment."""

    def set_env(self, env_name: str, env: Any) -> None:
        pass
