"""A service knows which measures it counted, whatever is installed later."""

from __future__ import annotations

import streamlab as sl
from tests.lab.test_archive_measures import install  # noqa: F401

from streamlab_live.service.service import newest_run, save_run


def test_a_service_goes_on_from_its_snapshot_after_an_installation(install, tmp_path):  # noqa: F811
    run = sl.Run("yeast", {"it": sl.NoChange()})
    run.advance(200)
    save_run(run, tmp_path, 3)
    install()
    again = newest_run(tmp_path, run.stream)
    assert again is not None
    assert again.position == 200
    assert list(again.summary) == list(run.summary)
