"""States in files: safetensors, with a number for the format; no pickle, and nothing is imported that a file names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.learners.base.registry import LEARNERS

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FORMAT", "State", "check_format", "class_of", "entry_of", "load_model", "write_state"]

State = dict[str, Any]

FORMAT = 1
"""How states are written. States from before it had a number have the same arrays, and are read."""


def check_format(state: State) -> None:
    """Raise a ValueError if the state has a format that is not known."""
    given = state.get("format", FORMAT)
    if isinstance(given, bool) or given != FORMAT:
        raise ValueError(
            f"the state has the format {given!r}; expected {FORMAT}, or none: another version of streamlab wrote it"
        )


def entry_of(state: State, key: str) -> Any:
    """Return an entry of a state.

    Raises
    ------
    ValueError
        If there is none, naming it.
    """
    if key not in state:
        raise ValueError(f"the state lacks {key!r}")
    return state[key]


def class_of(state: State) -> Any:
    """Return the registered class whose state this is; what a file names is looked up, never imported.

    Raises
    ------
    ValueError
        If no such class is registered, with what to do then.
    """
    name = entry_of(state, "learner")
    if not isinstance(name, str) or name not in LEARNERS:
        raise ValueError(
            f"unknown learner {name!r}: install the package that registers it, or call "
            f"streamlab.learners.LEARNERS.add({name!r}, ...) with its class first"
        )
    return LEARNERS.load(name)


def write_state(state: State, path: str | Path) -> None:
    """Write a state to a safetensors file: arrays as tensors, plain values as JSON in its header."""
    from safetensors.numpy import save_file

    arrays = {k: np.ascontiguousarray(v) for k, v in state.items() if isinstance(v, np.ndarray)}
    rest = {k: v for k, v in state.items() if k not in arrays}
    save_file(arrays, str(path), metadata={"streamlab": json.dumps(rest)})


def read_state(path: str | Path) -> State:
    """Read what ``write_state`` wrote.

    Raises
    ------
    ValueError
        If the file is not one of streamlab's.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="numpy") as file:
            header = (file.metadata() or {}).get("streamlab")
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dictionary)
    except (OSError, SafetensorError) as error:
        raise ValueError(f"not a model that can be read ({error})") from None
    if header is None:
        raise ValueError("a safetensors file, but not one that a streamlab learner wrote")
    rest = json.loads(header)
    if not isinstance(rest, dict):
        raise ValueError("its header is no dictionary")
    return rest | arrays


def load_model(path: str | Path) -> Any:
    """Read a learner or transformer that ``save`` wrote.

    Raises
    ------
    ValueError
        If the file is not one of streamlab's, is of another format, or is of a class that is not registered
        (``LEARNERS``); naming the file.
    """
    try:
        state = read_state(path)
        return class_of(state).from_state(state)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
