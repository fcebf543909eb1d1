"""Addresses where the core stands alone: a file that grows, and what the others need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from streamlab.streams.tail import ELSEWHERE, is_address

ALONE = """
import importlib.metadata as metadata
found = metadata.entry_points
metadata.entry_points = lambda **of: metadata.EntryPoints(
    each for each in found(**of) if each.dist is None or each.dist.name != "streamlab-live")
import streamlab.plugins as plugins
plugins.entry_points = metadata.entry_points
import streamlab as sl
"""


@pytest.mark.parametrize(
    ("address", "options"),
    [*((f"{scheme}://host/rows?labels=a", {}) for scheme in ELSEWHERE), ("parts:folder", {"labels": ["a"]}),
     ("tail:rows.csv?labels=a", {"own_process": "yes"})],
)  # fmt: skip
def test_the_core_alone_says_what_to_install(address, options):
    code = f"{ALONE}\nsl.load({address!r}, **{options!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "needs the package streamlab-live: pip install ./packages/streamlab-live" in done.stderr.splitlines()[-1]


def test_paths_and_names_are_no_addresses():
    assert not any(map(is_address, ("yeast", "data/rows.csv", "C:\\rows.csv", "C:/rows.csv", "a b: c", "")))
