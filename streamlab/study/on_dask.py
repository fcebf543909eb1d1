"""Run cells on the workers of a ``dask.distributed`` cluster; the results are those of this machine to the bit."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from streamlab.study.cell import Cell
from streamlab.study.expected import Expected
from streamlab.study.run_cell import FAILED, Limits, failure, run_cell
from streamlab.study.store import Store

__all__ = ["run_on_dask"]

RETRIES = 2
"""How often the scheduler begins a cell again whose worker was lost."""
AT_ONCE = 200
"""Cells that the scheduler holds for each thread of the cluster: all of a large study at once would fill its memory."""
TOKEN = ".shared"


def run_on_dask(
    cells: Iterable[Cell],
    store: Store,
    limits: Limits,
    client: Any,
    expected: Expected,
    ended: Callable[[Cell, dict[str, Any]], object],
    task: Callable[..., bytes | None] | None = None,
) -> None:
    """Run cells until the result of each is there.

    Parameters
    ----------
    cells, store, limits, expected, ended
        As in ``local.run_locally``. Limits are looked at between the points of a curve: nobody watches from outside.
    client
        A ``dask.distributed.Client``. Workers that see the folder of results write there; those that do not send the
        bytes, and the client writes them.
    task
        What a worker calls in place of ``cell_task``, with the same arguments.

    Raises
    ------
    KeyboardInterrupt
        When it comes; what had ended is kept.
    """
    from dask.distributed import as_completed

    token = secrets.token_hex(8)
    (store.folder / TOKEN).write_text(token)
    waiting = sorted((cell for cell in cells if not store.has(cell.key)), key=expected.seconds)
    asked: dict[str, tuple[Cell, Any]] = {}
    most = AT_ONCE * max(1, sum(client.nthreads().values()))

    def submit() -> Any:
        cell = waiting.pop()
        future = client.submit(
            task or cell_task,
            cell.plain(),
            asdict(limits),
            str(store.folder.resolve()),
            token,
            key=f"cell-{cell.key}-{token}",
            retries=RETRIES,
            pure=True,
            priority=expected.seconds(cell),
        )
        asked[future.key] = cell, future
        return future

    coming = as_completed([submit() for _ in range(min(most, len(waiting)))])
    try:
        for future in coming:
            cell, _ = asked.pop(future.key)
            if future.status == "finished":
                content = future.result()
                if content is not None:
                    store.write(cell.key, content)
            else:
                error = future.exception()
                store.write(cell.key, failure(cell, FAILED, f"{type(error).__name__}: {error}", 0.0))
            future.release()
            about = store.about(cell.key)
            assert about is not None, "the result was written"
            ended(cell, about)
            if waiting:
                coming.add(submit())
    finally:
        client.cancel([future for _, future in asked.values()])
        (store.folder / TOKEN).unlink(missing_ok=True)


def cell_task(cell: Mapping[str, Any], limits: Mapping[str, Any], folder: str, token: str) -> bytes | None:
    """Run a cell in a worker: None if the result was written to the folder, else its bytes."""
    from streamlab.learners.base._one_thread import one_thread

    made = Cell.from_plain(cell)
    shared = _shares(Path(folder), token)
    if shared and Store(folder).has(made.key):  # a worker that was lost had just written it
        return None
    with one_thread():
        content = run_cell(made, Limits(**limits))
    if not shared:
        return content
    Store(folder).write(made.key, content)
    return None


def _shares(folder: Path, token: str) -> bool:
    try:
        return (folder / TOKEN).read_text() == token
    except OSError:
        return False
