"""Data sets by their address in a repository: ``river:Name`` and ``openml:ID``."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from streamlab._checks import call, check_only, near, shown, within
from streamlab.schema import Feature
from streamlab.streams.openers import Opener
from streamlab.streams.stream import Stream, with_source

__all__ = ["OPENML", "RIVER"]


def _open_river(
    source: str, *, labels: Any, limits: Any, cancel: Callable[[], object] | None, **options: Any
) -> Stream:
    """Open one of River's data sets by the name of its class; options are its own, and those of ``RiverStream``."""
    from river import datasets
    from river.datasets.base import Dataset

    from streamlab.streams.readers.river import RiverStream

    if labels is not None:
        raise ValueError(f"{source}: labels={labels!r} does not go with a River data set")
    name = source.partition(":")[2]
    known: dict[str, Any] = {
        each: kind
        for module in (datasets, datasets.synth)
        for each, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Dataset)
    }
    if name not in known:
        raise ValueError(f"{source}: River has no data set {shown(name)}{near(name, list(known))}")
    ours = [each for each in inspect.signature(RiverStream).parameters if each != "dataset"]
    own = {each: value for each, value in options.items() if each not in ours}
    check_only(source, own, [*inspect.signature(known[name]).parameters, *ours])
    given = {each: value for each, value in options.items() if each in ours}
    return with_source(RiverStream(known[name](**own), **given), source, options, is_file=False)


def _open_openml(
    source: str, *, labels: Any, limits: Any, cancel: Callable[[], object] | None, **options: Any
) -> Stream:
    """Fetch a data set of openml.org by its number, once; its targets, or ``labels``, become labels."""
    import pandas as pd
    from sklearn.datasets import fetch_openml

    from streamlab.streams.fetch import cache_folder, reason_of
    from streamlab.streams.readers.arrays import ArrayStream
    from streamlab.streams.tables.opening import labels_of, open_pair

    number = source.partition(":")[2]
    if not number.isdecimal():
        raise ValueError(f"{source}: {shown(number)} is no number of a data set; expected one such as openml:40589")
    named = [labels] if isinstance(labels, str) else labels
    if named is not None and not (isinstance(named, (list, tuple)) and named):
        raise ValueError(f"{source}: labels={shown(labels)}: expected names of columns")
    try:
        with warnings.catch_warnings():
            # of versions, and of a parser that is chosen
            warnings.simplefilter("ignore")
            found = fetch_openml(
                data_id=int(number),
                data_home=cache_folder(),
                target_column="default-target" if named is None else list(named),
                n_retries=1,
                parser="liac-arff",  # the other one fails at TRUE and FALSE, which multi-label sets have
            )
    except OSError as error:
        raise ConnectionError(f"{source}: openml.org could not be reached ({reason_of(error)})") from None
    except (KeyError, ValueError) as error:
        raise ValueError(f"{source}: {error.args[0] if error.args else error}") from None
    if not found.target_names:
        raise ValueError(f"{source}: no column is named as its target there; expected labels=, names of columns")
    Y = pd.DataFrame(found.target)
    Y.columns = pd.Index(found.target_names)
    name = found.details["name"]
    if hasattr(found.data, "columns"):
        with within(source):
            stream = open_pair(found.data, Y, name=name, **options)
    else:
        flags, told = labels_of(Y, source)
        schema = replace(told, features=tuple(map(Feature, found.feature_names)))
        stream = call(ArrayStream, source, found.data, flags, schema=schema, name=name, **options)
    return with_source(stream, source, {"labels": labels, **options}, is_file=False)


RIVER = Opener(lambda source: isinstance(source, str) and source.startswith("river:"), _open_river)
OPENML = Opener(lambda source: isinstance(source, str) and source.startswith("openml:"), _open_openml)
