"""Ask for memory ahead of its use: where columns lie far apart, each is awaited for longer than it is worked on."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

__all__ = ["prefetch"]

# for reading, to all caches, of data
READ, ALL_CACHES, DATA = 0, 3, 1


@intrinsic
def prefetch(typingctx, row, i):
    """Ask the memory for the cache line of ``row[i]``, of a contiguous array [.], and go on without it."""

    def code(context, builder, signature, arguments):
        found = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
        number, address = ir.IntType(32), ir.IntType(8).as_pointer()
        place = builder.bitcast(builder.gep(found.data, [arguments[1]]), address)
        kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(fetch, [place, *map(number, (READ, ALL_CACHES, DATA))])
        return context.get_dummy_value()

    return types.none(row, types.int64), code
