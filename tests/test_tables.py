"""The face of results in a notebook: a table, whatever names and numbers it is given."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab._tables import result_html
from tests.study.made import study

EVIL = "<script>alert('1')</script>&\"x"

TAGS = {"div", "p", "b", "table", "thead", "tbody", "tr", "th", "td"}


def parsed(html: str) -> ElementTree.Element:
    """The face as a tree: it is well-formed, and brings no script and no address along."""
    root = ElementTree.fromstring(html)
    assert {each.tag for each in root.iter()} <= TAGS
    assert not re.search(r"https?:|javascript:|\son\w+=", html)
    return root


def rows(root: ElementTree.Element) -> list[list[str]]:
    return [[cell.text or "" for cell in row.iter() if cell.tag in ("th", "td")] for row in root.iter("tr")]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Every kind of result, of learners whose names are not to be trusted."""
    made = study(tmp_path_factory.mktemp("face"), learners={EVIL: "NoChange", "SMART": "SMART"}, seeds=1)
    before = made._repr_html_()
    is_left = not made._results.exists()
    made.run(1)
    learners = {EVIL: sl.NoChange(), "SMART": sl.SMART(seed=1)}
    return {
        "before": before if is_left else "a folder was made",
        "evaluation": sl.prequential("yeast-rotated", learners, n=1500)._repr_html_(),
        "folds": sl.cross_validate("yeast", {EVIL: sl.BalancedKNN()}, folds=2, repeats=2)._repr_html_(),
        "study": made._repr_html_(),
        "comparison": sl.compare(made.results(), "micro_f1")._repr_html_(),
    }


def test_an_evaluation_shows_its_measures(results):
    root = parsed(results["evaluation"])
    head, evil, smart = rows(root)
    assert head == ["", "micro_f1", "subset_accuracy", "hamming_loss", "example_precision", "example_recall",
                    "seconds", "bytes"]  # fmt: skip
    assert (evil[0], smart[0]) == (EVIL, "SMART")
    assert re.fullmatch(r"0\.\d{3}", smart[1])
    assert "Events: drift (1), " in results["evaluation"]


def test_folds_a_study_and_a_comparison_have_a_face_too(results):
    assert rows(parsed(results["before"]))[1:] == [[name, "not run yet", "not run yet"] for name in (EVIL, "SMART")]
    _, evil = rows(parsed(results["folds"]))
    assert re.fullmatch(r"0\.\d{3} ± 0\.\d{3}", evil[1])
    root = parsed(results["study"])
    assert [row[0] for row in rows(root)] == ["", EVIL, "SMART"]
    assert [row[0] for row in rows(parsed(results["comparison"]))][-1] == "average rank"


def test_a_table_of_anything():
    table = pd.DataFrame({"<a>": [1234.5, np.nan, 0.12345], "b": [3, EVIL, None]}, index=["x", 7, EVIL])
    assert rows(parsed(result_html(EVIL, table, notes=[EVIL]))) == [
        ["", "<a>", "b"], ["x", "1,234", "3"], ["7", "–", EVIL], [EVIL, "0.123", "–"],
    ]  # fmt: skip
    assert "40 rows more are not shown" in result_html("long", pd.DataFrame({"a": range(100)}))
