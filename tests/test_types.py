"""What a type checker knows of the public names: every member has a type, and only these may be anything."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys

import pytest

import streamlab as sl

ANYTHING = {
    "Chunk.X": "an array, or scipy's CSR, which has no types",
    "PrequentialResult.plot": "what Matplotlib draws, which the core does not need",
    "PrequentialResult.to_arrow": "pyarrow has no types",
    "Run.view": "a view is of a higher floor",
    "load_model": "whatever was saved",
}
MADE_BY_SCIKIT_LEARN = {"BalancedKNN.set_score_request", "MLKNN.set_score_request"}
TOLD = re.compile(r'Type of "[^"]+" is "(.*)"', re.DOTALL)


def members(name: str) -> list[str]:
    """The public members that a class has of this package."""
    kinds = [kind for kind in getattr(sl, name).__mro__ if kind.__module__.startswith("streamlab")]
    found = {member for kind in kinds for member in {*vars(kind), *inspect.get_annotations(kind)}}
    return sorted(member for member in found if not member.startswith("_"))


def lines() -> dict[str, str]:
    """A line that reveals its type for each public name and member."""
    found = {}
    for name in sl.__all__:
        found[name] = f"reveal_type(sl.{name})"
        if inspect.isclass(getattr(sl, name)):
            found |= {f"{name}.{member}": f"reveal_type(cast(sl.{name}, 0).{member})" for member in members(name)}
    return found


@pytest.mark.nightly
def test_every_public_member_has_a_type(tmp_path):
    pytest.importorskip("pyright", reason="pyright is not installed")
    asked = lines()
    head = ["from typing import cast", "import streamlab as sl"]
    (tmp_path / "asked.py").write_text("\n".join([*head, *asked.values()]))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    told = json.loads(done.stdout)["generalDiagnostics"]
    assert not [each["message"] for each in told if each["severity"] == "error"]
    types = {}
    for each in told:
        revealed = TOLD.match(each["message"])
        if revealed is not None:
            types[[*asked][each["range"]["start"]["line"] - len(head)]] = revealed[1]
    assert set(types) == set(asked)
    assert {name for name, said in types.items() if "Unknown" in said} == MADE_BY_SCIKIT_LEARN
    assert {name for name, said in types.items() if re.search(r"(^|-> )Any$", said)} == set(ANYTHING)
