"""What replaces functions of numba returns what they do: the compiler gets the same code."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CODE = """
import re
import numba, numpy as np
from numba.core import compiler, ir
from streamlab import inner_kernels

def inner(a, i):
    return a[i] * 2 if i % 3 else -a[i] // 2.0

def outer(a, b, flag):
    total, k = 0.0, 0
    for i, x in enumerate(a):
        while k < len(b) and (b[k] > x or not flag):
            k += 1
        total += called(a, i) + max(x, 1) + a[-1] ** 2 + np.sqrt(abs(x)) + (i & 1)
        b[k % b.shape[0]] = np.int64(total) << 1
    return total, k, (a.shape[0] == 3) | flag

def compiled(**options):
    global called
    called = numba.njit(**options)(inner)
    kernel = numba.njit(fastmath={"contract"}, **options)(outer)
    kernel(np.arange(5.0), np.arange(3), True)
    kernel(np.arange(5), np.arange(3), np.False_)
    numbered = re.compile(r"B[0-9]+v[0-9]+|0x[0-9a-f]+|\\[[0-9]+ x i8\\]")
    return [numbered.sub("", text) for text in kernel.inspect_llvm().values()]

numbas = ir.Inst._rec_list_vars
before = compiled()
assert compiled(pipeline_class=inner_kernels.KernelCompiler) == before
inner_kernels.take_fewer_steps()
assert ir.Inst._rec_list_vars is not numbas
assert compiled() == before
assert compiled(pipeline_class=inner_kernels.KernelCompiler) == before
assert any(found for _, found in inner_kernels._known.values())

ours, numbas = inner_kernels.Flags(), compiler.Flags()
assert hash(ours) == hash(numbas)
assert ours == numbas and numbas == ours
ours.nrt = True
assert ours != numbas and numbas != ours and ours.copy() == ours and type(ours.copy()) is type(ours)
numbas.nrt, numbas.noalias = True, False
assert ours == numbas and numbas == ours and ours.summary() == numbas.summary()
"""


@pytest.mark.nightly
def test_a_function_is_compiled_to_the_same_code():
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    environment.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
