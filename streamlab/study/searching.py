"""Search: the prequential score of every combination of a learner's parameters, run as the cells of a study."""

from __future__ import annotations

import html
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._checks import checked_count, near, shown, within
from streamlab.lab.fingerprint import mark_as_tuned
from streamlab.learners import Learner
from streamlab.learners.base.composed import Composed
from streamlab.learners.from_text import parse_learner
from streamlab.measures import MEASURES, Measure, measure_names
from streamlab.streams import JoinedStream, Stream, join, load
from streamlab.study.cell import DONE
from streamlab.study.study import Study

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Search", "search"]


def search(
    learner: Learner | str,
    stream: Stream | str | Path,
    parameters: Mapping[str, Any],
    *,
    n: int | None = None,
    rows: int | None = None,
    measure: str | Measure = "micro_f1",
    measures: Iterable[str | Measure] = (),
    chunk: int = 1,
    seeds: int | Iterable[int] = 1,
    seed: int = 1,
    workers: int | None = None,
    results: str | Path | None = None,
    progress: bool = False,
) -> Search:
    """Test every combination of parameter values on a stream, each row before it is learned.

    Parameters
    ----------
    learner
        One that has learned nothing, or a text such as ``"SMART(n_trees=5)"``.
    stream
        A name of the catalogue, a path, or a stream of which it is known how it was made, for other processes make it.
    parameters
        By name the values to be tried, a list for each. Those of a pipeline's step are ``step__name``, as in ``tune``.
        With ``n`` also distributions of ``scipy.stats``.
    n
        Only this many combinations, drawn at random. Default: all.
    rows
        Only the first so many rows of the stream. The others are ``Search.rest``: a fair test.
    measure
        By what the combinations are ordered.
    measures
        Further ones for the table.
    chunk, workers, progress
        As in ``Study`` and its ``run``.
    seeds
        How many seeds each combination runs with, or a list of them; the score is their mean.
    seed
        Of the draws of combinations.
    results
        A folder in which results are kept, so that a search that was ended goes on. Default: they are not kept.

    Returns
    -------
    Search

    Raises
    ------
    ValueError
        For a parameter that the learner has not, or a value that it does not allow, by name; nothing is run then. As
        ``Study``.

    Examples
    --------
    >>> import streamlab as sl
    >>> found = sl.search(sl.SMART(n_trees=5), "yeast", {"half_life": [5, 500]}, rows=300, workers=1)
    >>> found.best_parameters, len(found.table)
    ({'half_life': 500}, 2)
    """
    model = parse_learner(learner) if isinstance(learner, str) else learner
    if not isinstance(model, Learner):
        raise ValueError(f"learner={shown(learner)}: expected a learner that has learned nothing, or a text")
    whole = stream if isinstance(stream, Stream) else load(stream)
    combinations = _combinations(model, parameters, n, seed)
    searched = whole if rows is None else join(_parts(whole), checked_count("rows", rows, 1))
    wanted = measure_names([measure, *((measures,) if isinstance(measures, (str, Measure)) else measures)])
    place = tempfile.TemporaryDirectory() if results is None else nullcontext(str(results))
    with place as folder:
        study = Study(
            {whole.name: searched}, {_called(each): _without_history(_made(model, each)) for each in combinations},
            seeds=seeds, chunk=chunk, measures=wanted, results=folder, name="search",
        )  # fmt: skip
        study.run(workers, progress=progress)
        found = study.results()
    return Search(model, whole, searched, combinations, wanted, found)


class Search:
    """What a search found.

    Attributes
    ----------
    table
        DataFrame, a row for each combination, the best first: its parameters, ``rank``, the measures (means over the
        seeds, and with several seeds ``…_std``), CPU ``seconds`` of the learner, ``status`` and ``message``.
    measure
        The measure that orders it.
    rows
        How many rows of the stream were searched.

    Examples
    --------
    >>> import streamlab as sl
    >>> found = sl.search(sl.MLKNN(), "yeast", {"n_neighbors": [3, 10]}, rows=300, workers=1)
    >>> found.best.n_neighbors, found.rest
    (3, <JoinedStream 'yeast, from row 300': 2,117 rows, 103 features, 14 labels>)
    """

    def __init__(
        self,
        learner: Learner,
        stream: Stream,
        searched: Stream,
        combinations: Sequence[Mapping[str, Any]],
        measures: Sequence[str],
        results: pd.DataFrame,
    ) -> None:
        self._learner, self._stream, self._searched = learner, stream, searched
        self.measure = measures[0]
        self.rows: int = int(searched.n_rows or 0)
        self.table = _table(combinations, measures, results)
        self._combinations = [combinations[place] for place in self.table.index]
        self.table = self.table.reset_index(drop=True)

    @property
    def best_parameters(self) -> dict[str, Any]:
        """The combination with the best score.

        Raises
        ------
        ValueError
            If none came to its end.
        """
        if self.table.status[0] != DONE:
            raise ValueError(f"no combination came to its end; the first: {self.table.message[0]}")
        return dict(self._combinations[0])

    @property
    def best_score(self) -> float:
        """The best score, of the rows that chose it; it flatters."""
        return float(self.table[self.measure][0])

    @property
    def best(self) -> Learner:
        """A new learner with the best parameters, which has learned nothing.

        It remembers the rows on which they were chosen, in copies, clones and files too, and who tests it on them again
        is warned.
        """
        made = _made(self._learner, self.best_parameters)
        mark_as_tuned(made, self._stream, self.rows)
        return made

    @property
    def rest(self) -> Stream:
        """The rows of the stream after those that were searched.

        Raises
        ------
        ValueError
            If all were: give ``search`` fewer ``rows``.
        """
        if self._stream is self._searched or self.rows == self._stream.n_rows:
            raise ValueError("all rows of the stream were searched; expected rows= in search(...)")
        return join(_parts(self._stream), start=self.rows)

    @property
    def _summary(self) -> str:
        return (
            f"{len(self.table)} combinations on the first {self.rows:,} rows of {self._stream.name}, by "
            f"{self.measure}; the best score was chosen by these rows and flatters: test .best on .rest"
        )

    def __repr__(self) -> str:
        return f"{self._summary}\n{self.table}"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self._summary)}</p>{self.table.to_html(float_format='{:.4f}'.format)}"


def _parts(stream: Stream) -> Sequence[Stream]:
    """Return what a part of the stream is joined from: a recipe knows no parts of parts."""
    if not isinstance(stream, JoinedStream):
        return [stream]
    if not stream.is_whole:
        raise ValueError(f"rows: {stream.name!r} is a part of a stream already; expected the whole one")
    return stream.streams


def _combinations(learner: Learner, parameters: Mapping[str, Any], n: int | None, seed: int) -> list[dict[str, Any]]:
    from sklearn.model_selection import ParameterGrid, ParameterSampler

    if not isinstance(parameters, Mapping) or not parameters:
        raise ValueError(f"parameters={shown(parameters)}: expected lists of values by the names of parameters")
    checked_count("n", n, 1, optional=True)
    checked_count("seed", seed)
    for name, values in parameters.items():
        _check_known(learner, name)
        if n is not None and hasattr(values, "rvs"):
            continue
        if not isinstance(values, (list, tuple, range, np.ndarray)) or not len(values):
            kinds = "a list of values" if n is None else "a list of values or a distribution of scipy.stats"
            raise ValueError(f"parameters[{name!r}] is {shown(values)}; expected {kinds}")
    given = dict(parameters)
    is_drawn = n is not None and any(hasattr(values, "rvs") for values in given.values())
    grid = ParameterSampler(given, n, random_state=seed) if is_drawn else ParameterGrid(given)
    if n is not None and not is_drawn and n < len(grid):
        grid = ParameterSampler(given, n, random_state=seed)
    order = list(parameters)
    found = [{name: _plain(each[name]) for name in order} for each in grid]
    unique = list({_called(each): each for each in found}.values())
    for each in unique:
        _made(learner, each)
    return unique


def _check_known(learner: Learner, name: Any) -> None:
    """Raise a ValueError unless a learner has a parameter of this name."""
    part, _, inner = str(name).partition("__")
    if isinstance(learner, Composed) and inner:
        if part not in learner._inner:
            raise ValueError(f"parameters[{name!r}]: there is no part {part!r}; there are: {', '.join(learner._inner)}")
        return _check_known(learner._inner[part], inner)  # type: ignore[arg-type]  # a step is no learner
    known = [each for each in learner._get_params() if not each.startswith("_")]
    if name not in known:
        kind = type(learner).__name__
        raise ValueError(f"parameters[{name!r}]: {kind} has no such parameter{near(str(name), known)}")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _called(combination: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in combination.items())


def _made(learner: Learner, combination: Mapping[str, Any]) -> Learner:
    with within(_called(combination), TypeError):
        made: Learner = learner.clone(dict(combination))
    return made


def _without_history(learner: Learner) -> Learner:
    """Return it without its memory of a former search: this one is no test."""
    learner.tuned_on = None
    return learner


def _table(combinations: Sequence[Mapping[str, Any]], measures: Sequence[str], results: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each combination, the best first; its index is the combination's place in the list."""
    import pandas as pd

    by_name = dict(tuple(results.groupby("learner", sort=False)))
    rows = []
    for each in combinations:
        cells = by_name[_called(each)]
        failed = cells[cells.status != DONE]
        row = {**each}
        for name in measures:
            row[name] = cells[name].mean(skipna=False)
            if len(cells) > 1:
                row[f"{name}_std"] = cells[name].std(skipna=False)
        row["seconds"] = cells.seconds.mean()
        row["status"] = DONE if failed.empty else failed.status.iloc[0]
        row["message"] = "" if failed.empty else failed.message.iloc[0]
        rows.append(row)
    table = pd.DataFrame(rows)
    is_done = table.status == DONE
    scores = table[measures[0]].where(is_done)
    order = scores.sort_values(ascending=not MEASURES[measures[0]].higher_is_better, kind="stable", na_position="last")
    table = table.loc[order.index]
    table.insert(0, "rank", range(1, len(table) + 1))
    return table
