"""The demonstration of the tree: things happen while people look, whatever the seed."""

from __future__ import annotations

import inspect

import pytest

pytest.importorskip("panel_material_ui")

from streamlab.views.page.tree_show import TreeShow

import streamlab as sl
from streamlab.lab import Run
from streamlab.views.page.presets import make_learners

SPEED = 250
"""Instances a second that a page opens with."""


@pytest.mark.parametrize("seed", range(4))
def test_the_tree_splits_in_20_seconds_and_an_alternate_takes_over_in_two_minutes(seed):
    stream = sl.load(inspect.signature(TreeShow).parameters["stream"].default)
    run = Run(stream, make_learners(list(TreeShow.learners), [], seed), alarms=None)
    run.advance(120 * SPEED)
    first = {event.kind: event.position for event in reversed(list(run.log)) if event.learner == "MLHAT"}
    assert first["split"] < 20 * SPEED
    assert stream.drifts[0].start < first["alternate_started"] < first["alternate_promoted"] < 120 * SPEED
