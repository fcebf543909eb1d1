"""Run cells on the workers of a ``dask.distributed`` cluster; the results are those of this machine to the bit."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import structs

from streamlab._checks import with_type
from streamlab._files import write_whole
from streamlab.study.cell import FAILED, Cell, Limits, failure, run_cell
from streamlab.study.progress import Expected
from streamlab.study.store import Store

RETRIES = 2
"""How often the scheduler begins a cell again whose worker was lost."""
AT_ONCE = 200
"""Cells that the scheduler holds per thread of the cluster: all cells of a large study would fill its memory."""
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
    ConnectionError
        If the cluster is lost; what had ended is kept, and all other cells are open as before.
    """
    from dask.distributed import as_completed

    token = secrets.token_hex(8)
    write_whole(store.folder / TOKEN, token)
    waiting = sorted((cell for cell in cells if not store.has(cell.key)), key=expected.seconds)
    asked: dict[str, tuple[Cell, Any]] = {}
    most = AT_ONCE * max(1, sum(client.nthreads().values()))

    def submit() -> Any:
        cell = waiting.pop()
        future = client.submit(
            task or cell_task,
            cell.plain(),
            structs.asdict(limits),
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
            content = _outcome(cell, future)
            if content is not None:
                store.write(cell.key, content)
            future.release()
            about = store.about(cell.key)
            if about is None:
                raise ConnectionError(f"{cell.learner} on {cell.stream}: its worker neither wrote nor sent a result")
            ended(cell, about)
            if waiting:
                coming.add(submit())
    finally:
        (store.folder / TOKEN).unlink(missing_ok=True)
        if client.status == "running":
            with suppress(OSError):  # the scheduler went meanwhile; what ended the run is what is said
                client.cancel([future for _, future in asked.values()])


def _outcome(cell: Cell, future: Any) -> bytes | None:
    """Return the bytes of a result, or None where the worker wrote them; raise ConnectionError if the cluster is lost.

    Only what the task raised, or workers that die of it again and again, is a failure of the cell.
    """
    if future.status == "error":
        error = future.exception()
        return failure(cell, FAILED, with_type(error), 0.0)
    lost: Exception | None = None
    if future.status == "finished":
        try:
            content: bytes | None = future.result()
            return content
        except Exception as error:  # it was lost before it was fetched
            lost = error
    raise ConnectionError(
        f"the cluster was lost (Dask says {future.status!r} of {cell.learner} on {cell.stream}); the cells without a "
        "result are open, run the study again"
    ) from lost


def cell_task(cell: Mapping[str, Any], limits: Mapping[str, Any], folder: str, token: str) -> bytes | None:
    """Run a cell in a worker: None if the result was written to the folder, else its bytes."""
    from streamlab.learners.points.point_learner import one_thread

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
