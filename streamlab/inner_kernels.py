"""Compile kernels in less time than numba takes by itself, to the same machine code.

Numba optimises each function together with all that it calls, and turns that into machine code, at every level of a
chain of calls; of a function that Python never calls, both are thrown away. An ``InnerKernel`` ends as the compiler's
intermediate code, which is linked into its callers and optimised with them, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numba
from numba.core import compiler, errors
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import require_global_compiler_lock
from numba.core.registry import CPUDispatcher

from streamlab import quicker_numba

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
        self._way_in: Any = None
        refuse_lost_references(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return without_constants(super().get_call_template, args, kws)

    def __call__(self, *arguments: Any) -> Any:
        if self._way_in is None:
            inner = self

            @numba.njit(nogil=True)
            def way_in(*arguments):
                return inner(*arguments)

            self._way_in = way_in
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
            if counts or not any(said in str(error) for said in NEEDS_COUNTING):
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


class _InnerCompiler(compiler.Compiler):
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


quicker_numba.compare_options()
