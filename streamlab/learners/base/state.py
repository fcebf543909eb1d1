"""A state: what contradicts itself in it, files of it, which class it belongs to; copies of what a learner keeps."""

from __future__ import annotations

import inspect
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from streamlab._checks import existing_file, one_line, shown, with_type
from streamlab.bundle import Bundle, owned
from streamlab.learners.base.registry import LEARNERS

__all__ = ["load_model"]


T = TypeVar("T")


def contradiction(owner: str, what: str) -> ValueError:
    """Return the error for a state that its learner cannot have written.

    Parameters
    ----------
    owner
        Name of the learner.
    what
        The entry, what it holds and what was expected.
    """
    return ValueError(f"the state of {owner} contradicts itself: {what}")


def entry_of(owner: str, state: Mapping[str, Any], key: str) -> Any:
    """Return an entry of a state.

    Raises
    ------
    ValueError
        If there is none, naming it.
    """
    if key not in state:
        raise contradiction(owner, f"it lacks {key!r}; expected what was written")
    return state[key]


def json_entry(owner: str, state: Mapping[str, Any], key: str, kind: type[T]) -> T:
    """Return an entry that is a JSON text, read.

    Parameters
    ----------
    owner
        Name of the learner.
    state
        The state.
    key
        The entry.
    kind
        What it must be: ``dict`` or ``list``.

    Raises
    ------
    ValueError
        If it is missing, no text, no JSON, nested too deeply, or of another kind.
    """
    text, expected = entry_of(owner, state, key), "a JSON list" if kind is list else "a JSON dictionary"
    if not isinstance(text, str):
        raise contradiction(owner, f"{key} is {shown(text)}; expected a JSON text")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise contradiction(owner, f"{key} is not readable JSON ({one_line(error)}); expected {expected}") from None
    if not isinstance(value, kind):
        raise contradiction(owner, f"{key} is {shown(value)}; expected {expected}")
    return value


@contextmanager
def refusing(owner: str) -> Iterator[None]:
    """Turn whatever error a state leads to into a ValueError that names the learner.

    Errors that a check expects name the entry, too; this is for all others, such as those of another package's learner.
    """
    try:
        yield
    except ValueError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as error:
        raise contradiction(owner, f"it cannot be read ({with_type(error)})") from error


State = dict[str, Any]
FORMAT = 1
"""How states are written. States from before it had a number have the same arrays, and are read."""


def check_state(owner: str, state: Any) -> None:
    """Raise a ValueError unless it is a dictionary of a known format, of the learner ``owner``."""
    if not isinstance(state, Mapping):
        raise contradiction(owner, f"it is {shown(state)}; expected a dictionary")
    given = state.get("format", FORMAT)
    if type(given) is not int or given != FORMAT:
        raise ValueError(
            f"the state of {owner} has the format {shown(given)}; expected {FORMAT}, or none: another version of "
            "streamlab wrote it"
        )
    learner = entry_of(owner, state, "learner")
    if not isinstance(learner, str) or learner != owner:
        raise ValueError(f"this is the state of the learner {shown(learner)}; expected that of {owner}")


def class_of(name: Any) -> Any:
    """Return the registered class of this name; what a file names is looked up, never imported.

    Raises
    ------
    ValueError
        If no such class is registered, with what to do then.
    """
    if not isinstance(name, str) or name not in LEARNERS:
        raise ValueError(
            f"unknown learner {shown(name)}: install the package that registers it (an editable one again, by "
            "`pip install -e .`, after its entry points have changed), or call "
            f"streamlab.learners.LEARNERS.add({shown(name)}, ...) with its class first"
        )
    return LEARNERS.load(name)


def check_namesake(kind: type) -> None:
    """Raise a ValueError if another class is registered under the name of this one: a file would open as the other.

    One that is not registered passes: it may be before the file is opened. So does the same class of a module that was
    loaded again, but not one that a notebook defined again.
    """
    name, place = kind.__name__, (kind.__module__, kind.__qualname__)
    if name not in LEARNERS:
        return
    try:
        other = LEARNERS.load(name)
    except ValueError:
        return  # no file opens as what cannot be imported
    is_again = place == (other.__module__, other.__qualname__) and place[0] != "__main__" and "<locals>" not in place[1]
    if other is not kind and not is_again:
        raise ValueError(
            f"{'.'.join(place)} has the name of another learner, {other.__module__}.{other.__qualname__}: its files "
            "would open as that one; rename the class"
        )


def state_bytes(state: State) -> bytes:
    """Return a safetensors file: arrays as tensors, in its header plain values and a checksum as JSON.

    The bytes are the same for equal states.
    """
    from safetensors.numpy import save

    arrays = {key: np.ascontiguousarray(value) for key, value in state.items() if isinstance(value, np.ndarray)}
    rest = {key: value for key, value in state.items() if key not in arrays}
    rest["checksum"] = _checksum(json.dumps(rest), arrays)
    # in one entry: the library writes several in an order that changes from call to call
    return save(arrays, metadata={"streamlab": json.dumps(rest)})


def read_state(source: str | Path | bytes) -> State:
    """Read what ``state_bytes`` gave, from a file or as it is.

    Raises
    ------
    ValueError
        If it is not one of streamlab's, or was damaged since. Files from before there was a checksum are read.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        raw = source if isinstance(source, bytes) else Path(source).read_bytes()
        arrays = load(raw)
        metadata = json.loads(raw[8 : 8 + int.from_bytes(raw[:8], "little")]).get("__metadata__", {})
    except (OSError, SafetensorError, AttributeError, LookupError, TypeError, ValueError) as error:
        # the library's errors for dtypes that NumPy does not have are of several kinds
        raise ValueError(
            f"not a model that can be read ({one_line(error)}); expected a file that `save` wrote"
        ) from None
    if "streamlab" not in metadata:
        raise ValueError("a safetensors file, but not one that a streamlab learner wrote")
    rest = json_entry("the file", metadata, "streamlab", dict)
    given = rest.pop("checksum", None)
    found = _checksum(json.dumps(rest), arrays)
    if given not in (None, found):
        raise ValueError(f"damaged: its checksum is {found}; expected {shown(given)}, as when it was written")
    return rest | arrays


def _checksum(rest: str, arrays: Mapping[str, np.ndarray]) -> str:
    """Return CRC-32 of the plain values, and of the arrays' names, dtypes, shapes and values, as eight digits."""
    value = zlib.crc32(rest.encode())
    for name, array in sorted(arrays.items()):
        value = zlib.crc32(f"{name} {array.dtype.str} {array.shape}".encode(), value)
        value = zlib.crc32(array.data, value)
    return f"{value:08x}"


def load_model(source: str | Path | bytes) -> Any:
    """Read a learner or transformer that ``save`` wrote, or ``to_bytes`` gave.

    Parameters
    ----------
    source
        The file, or the bytes.

    Returns
    -------
    Learner or StreamTransformer
        As it was when it was saved.

    Raises
    ------
    ValueError
        If the file is not one of streamlab's, was damaged or altered, is of another format, or is of a class that is
        not registered (``LEARNERS``); naming the file.

    Examples
    --------
    >>> import tempfile, streamlab as sl
    >>> model = sl.NoChange()
    >>> model.learn_one({"a": 1.0}, {"x": True, "y": False})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/m.safetensors")
    ...     again = sl.load_model(f"{folder}/m.safetensors")
    >>> again.predict_one({"a": 2.0})
    {'x': True, 'y': False}
    >>> sl.load_model(model.to_bytes()).predict_one({"a": 2.0})
    {'x': True, 'y': False}
    """
    if not isinstance(source, bytes):
        source = existing_file(source)
    try:
        state = read_state(source)
        return class_of(entry_of("the file", state, "learner")).from_state(state)
    except ValueError as error:
        name = f"a model of {len(source):,} bytes" if isinstance(source, bytes) else source
        raise ValueError(f"{name}: {error}") from None


def stored_length(owner: str, state: Mapping[str, Any], key: str, axis: int = 0) -> int:
    """Return the length of an array of a state that is not yet checked.

    Raises
    ------
    ValueError
        If the state lacks it, or it is not an array with such an axis.
    """
    values = state.get(key)
    if not isinstance(values, np.ndarray) or values.ndim <= axis:
        found = "missing" if values is None else f"a {type(values).__name__}"
        raise contradiction(owner, f"{key} is {found}; expected an array of {axis + 1} dimensions or more")
    return values.shape[axis]


def own_arrays(value: Any) -> Any:
    """Return a value whose arrays can be written to, those in its dictionaries, lists and tuples too.

    A learner could not learn into arrays that are read-only, and kernels would be compiled again for them. Arrays that
    can be written to are not copied.
    """
    if isinstance(value, np.ndarray):
        return owned(value)
    if hasattr(value, "owned"):
        return value.owned()
    if type(value) is dict:
        return {name: own_arrays(part) for name, part in value.items()}
    if type(value) is list:
        return [own_arrays(part) for part in value]
    if isinstance(value, tuple):
        parts = [own_arrays(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def bytes_of(values: Iterable[Any]) -> int:
    """Return the bytes of arrays and parts, and of those in tuples and bundles of arrays."""
    n_bytes = 0
    for value in values:
        is_group = isinstance(value, Bundle) or (isinstance(value, tuple) and hasattr(value, "_fields"))
        for each in value if is_group else [value]:
            n_bytes += 0 if isinstance(each, (np.generic, type)) else getattr(each, "nbytes", 0)
    return n_bytes


class Part:
    """What a learner has in an attribute: plain values and arrays, which are copied and counted with its own."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(own_arrays(state))

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        return bytes_of(vars(self).values())


def as_declared(kind: type, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters read from JSON, which knows no tuples: lists are tuples where the default is one."""
    if not any(isinstance(value, list) for value in parameters.values()):
        return parameters
    declared = inspect.signature(kind).parameters
    return {
        name: _tupled(value) if name in declared and isinstance(declared[name].default, tuple) else value
        for name, value in parameters.items()
    }


def _tupled(value: Any) -> Any:
    return tuple(map(_tupled, value)) if isinstance(value, list) else value
