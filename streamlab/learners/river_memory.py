"""The rows that River's nearest neighbours remember, for the picture of a memory: read, and never changed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.rows_shown import HISTORY, RowsShown, ShownRows
from streamlab.learners.river_models import Reader, is_of, last_step


def is_memory(model: Any) -> bool:
    """Whether a model of River's, or the last step of a pipeline, is of nearest neighbours whose rows can be read.

    Its engine is one of River's, ``LazySearch`` or ``SWINN``; of another the model has its curve alone.
    """
    if not is_of(model, "neighbors", "KNNClassifier"):
        return False
    engine = getattr(last_step(model), "_nn", None)
    is_graph = is_of(engine, "neighbors", "SWINN") and hasattr(engine, "_data") and hasattr(engine, "_uuid")
    return is_graph or (is_of(engine, "neighbors", "LazySearch") and hasattr(engine, "window"))


@dataclass(eq=False, slots=True)
class Row:
    """A row as the engine has it, ``(x, class)``, its number in the stream, and how often it was asked, and right."""

    item: tuple[Any, Any]
    born: int
    asked: int = 0
    right: int = 0


class RiverMemory(RowsShown, Reader):
    """The rows that one of River's nearest neighbours remember, those that came since the beginning of the run.

    A row's neighbours are those that River's own search finds when the model answers the row, noted as it finds them.
    """

    picture: ClassVar[str] = "memory"
    reads = staticmethod(is_memory)

    def __init__(self, learner: Any = None) -> None:
        super().__init__(learner)
        self.now = 0
        self._rows: deque[Row] = deque()
        self._by_item: dict[int, Row] | None = {}
        self._near = np.zeros(0, np.int64)
        self._sizes = np.zeros(HISTORY, np.int64)
        # the row that was answered last, and what was found near it
        self._question: tuple[Any, list[Any]] = (None, [])

    def __getstate__(self) -> dict[str, Any]:
        # a copy's rows are elsewhere
        return super().__getstate__() | {"_by_item": None}

    @property
    def _engine(self) -> Any:
        return last_step(self._learner.model)._nn

    @property
    def _label_names(self) -> Any:
        return self._learner._label_names

    @property
    def n_rows(self) -> int:
        """Rows that are remembered."""
        return _n_rows(self._engine)

    @property
    def window(self) -> int:
        """Rows that are remembered at most."""
        engine = self._engine
        return int(engine.window_size if hasattr(engine, "window_size") else engine.maxlen)

    def standing_words(self) -> dict[str, Any]:
        """Return how the standing is reported: rows until it is dropped."""
        return {
            "measure": "time left",
            "leaves": f"dropped after {self.window:,} rows",
            "best": self.window,
            "worst": 0,
        }

    def ask(self, model: Any, row: Any) -> Any:
        """Return the model's ``predict_proba_one`` of a row, and note what its search finds."""
        engine = last_step(model)._nn
        search, found = engine.search, list[Any]()

        def noting(*args: Any, **options: Any) -> tuple[list[Any], list[float]]:
            answer = search(*args, **options)
            found.extend(answer[0])
            return answer

        # River's classifiers hand out no neighbours (#895 made the index theirs, no issue asks for a method), and a
        # second search would take as long again: this one index notes what it finds, while it makes one answer
        engine.search = noting
        try:
            return model.predict_proba_one(row)
        finally:
            del engine.search
            self._question = (row, found)

    def events(self, model: Any, position: int, row: Any = None) -> list[dict[str, Any]]:
        """Take the row that the model has learned into account, and the rows that have left; nothing else happens."""
        engine = last_step(model)._nn
        item, by_item = _newest(engine), self._by_item
        if by_item is None:
            by_item = self._by_item = {id(each.item): each for each in self._rows}
        (asked, found), self._question = self._question, (None, [])
        # labels may come later than answers: what was found is of another row then
        near = [by_item[id(each)] for each in found if id(each) in by_item] if asked is row else []
        for each in near:
            each.asked += 1
            each.right += each.item[1] == item[1]
        self._near = np.array([each.born for each in near], np.int64)
        if id(item) not in by_item:
            by_item[id(item)] = Row(item, position - 1)
            self._rows.append(by_item[id(item)])
        while len(self._rows) > _n_rows(engine):
            del by_item[id(self._rows.popleft().item)]
        for at in range(self.now + 1, position + 1):
            self._sizes[at % HISTORY] = len(self._rows)
        self.now = position
        return []

    def _shown(self) -> ShownRows:
        rows, places = self._rows, self._learner._labels_of
        Y = np.zeros((len(rows), len(self._label_names)), np.uint8)
        for place, row in enumerate(rows):
            Y[place, places(row.item[1])] = 1
        born, asked, right = (
            np.array([getattr(row, name) for row in rows], np.int64) for name in ("born", "asked", "right")
        )
        return ShownRows(born, self.window - np.arange(len(rows), dtype=np.float64)[::-1], asked, right, Y)

    def _sizes_after(self) -> np.ndarray:
        return self._sizes


def _n_rows(engine: Any) -> int:
    return len(engine.window if hasattr(engine, "window") else engine._data)


def _newest(engine: Any) -> tuple[Any, Any]:
    """Return the row that an engine has taken last; a full graph puts it in the place of the oldest one."""
    if hasattr(engine, "window"):
        return engine.window[-1][0]
    is_round = engine._index and len(engine) == engine.maxlen
    return engine._data[engine._uuid - 1 if is_round else -1].item
