"""Kernels of an inverted index over rows that leave in the order in which they came.

Each coordinate has a queue of the places of the rows that have a value there, the oldest first, and of these values;
the queues lie in one pool. A row that leaves is the oldest of each queue that it is in, so nothing is searched.
"""

from __future__ import annotations

import math

from streamlab.kernels import kernel

__all__ = ["add_to_index", "count_index", "has_index_room", "products", "rebuild_index", "remove_from_index"]

FEWEST = 4
"""Room of a queue at least."""


@kernel(inner=True)
def _roomier(n):
    """Return the room of a queue that is to hold more than ``n``."""
    return max(2 * n, FEWEST)


@kernel(inner=True)
def has_index_room(model, at, n):
    """Whether the pool has room for one more row in the queues of the coordinates ``at[:n]``."""
    wanted = 0
    for k in range(n):
        if model.queue_filled[at[k]] == model.queue_room[at[k]]:
            wanted += _roomier(model.queue_room[at[k]])
    return model.top[0] + wanted <= len(model.pool_places)


@kernel(inner=True)
def add_to_index(model, coordinate, place, value):
    """Add a value to the end of a coordinate's queue; a queue that is full moves to the end of the pool."""
    room, filled, start = model.queue_room[coordinate], model.queue_filled[coordinate], model.queue[coordinate]
    if filled == room:
        first, new = model.queue_first[coordinate], model.top[0]
        for k in range(filled):
            old = start + (first + k) % room
            model.pool_places[new + k] = model.pool_places[old]
            model.pool_values[new + k] = model.pool_values[old]
        room, start = _roomier(room), new
        model.queue_room[coordinate], model.queue[coordinate], model.queue_first[coordinate] = room, start, 0
        model.top[0] += room
    at = start + (model.queue_first[coordinate] + filled) % room
    model.pool_places[at], model.pool_values[at] = place, value
    model.queue_filled[coordinate] = filled + 1


@kernel(inner=True)
def remove_from_index(model, coordinate):
    """Take the oldest value out of a coordinate's queue."""
    model.queue_first[coordinate] = (model.queue_first[coordinate] + 1) % model.queue_room[coordinate]
    model.queue_filled[coordinate] -= 1


@kernel(inner=True)
def products(model, at, values, n, sums):
    """Write the product of a row, ``values[:n]`` in the coordinates ``at``, and each other into ``sums`` [places]."""
    sums[:] = 0.0
    for k in range(n):
        coordinate, value = at[k], values[k]
        start, room, first = model.queue[coordinate], model.queue_room[coordinate], model.queue_first[coordinate]
        filled = model.queue_filled[coordinate]
        before_end = min(filled, room - first)
        for p in range(start + first, start + first + before_end):
            sums[model.pool_places[p]] += value * model.pool_values[p]
        for p in range(start, start + filled - before_end):
            sums[model.pool_places[p]] += value * model.pool_values[p]


@kernel(arrays=True)
def count_index(columns, values, lengths, filled):
    """Count in ``filled`` int32 [coordinates] the values of rows that are there and not missing."""
    for place in range(len(lengths)):
        for k in range(lengths[place]):
            filled[columns[place, k]] += not math.isnan(values[place, k])


@kernel(arrays=True)
def rebuild_index(model, held, oldest):
    """Fill the queues of the first ``held`` places, from the ``oldest`` on; ``queue_room`` is what each is to have."""
    top = 0
    for coordinate in range(len(model.queue_room)):
        model.queue[coordinate] = top
        model.queue_filled[coordinate] = 0
        model.queue_first[coordinate] = 0
        top += model.queue_room[coordinate]
    model.top[0] = top
    for k in range(held):
        place = (oldest + k) % held
        for p in range(model.list_lengths[place]):
            if not math.isnan(model.list_values[place, p]):
                add_to_index(model, model.list_columns[place, p], place, model.list_values[place, p])
