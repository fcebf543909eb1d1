"""One line for who uses River: the page of one run, served by the script."""

from __future__ import annotations

import panel as pn
import pytest
from river import datasets, linear_model, naive_bayes, preprocessing, tree

import streamlab as sl
from streamlab.learners import NoChange
from streamlab.views.page.pages import SeenPage
from streamlab.views.page.run_view import RunView


@pytest.fixture
def served(monkeypatch):
    """What a script has served, in place of a server that goes on until it is interrupted."""
    found = {}
    monkeypatch.setattr(pn, "serve", lambda pages, **options: found.update(options, pages=pages))
    return found


def test_a_script_serves_the_run_with_its_baselines(served):
    run = sl.see(datasets.ImageSegments(), tree.HoeffdingAdaptiveTreeClassifier(seed=1), rate=None)
    assert list(run.learner_runs) == ["HoeffdingAdaptiveTreeClassifier", "no change", "majority"]
    assert isinstance(run.learner_runs["HoeffdingAdaptiveTreeClassifier"].learner, sl.RiverClassifier)
    assert served["show"]
    assert served["address"] == "localhost"
    assert list(served["pages"]) == ["see"]
    # a page that is loaded again goes on with the run
    first = SeenPage(run, {"rate": None})
    assert first.view.look["measures"] == ("accuracy",)
    first.view.player.step(200).result(60)
    first.close()
    again = SeenPage(run, {})
    assert again.view.run.position == 200
    again.close()


def test_models_by_name_a_pipeline_by_its_last_step_and_label_sets_without_baselines(served):
    scaled = preprocessing.StandardScaler() | linear_model.LogisticRegression()
    assert next(iter(sl.see(datasets.Phishing(), scaled).learner_runs)) == "LogisticRegression"
    run = sl.see("yeast", {"a": naive_bayes.GaussianNB(), "b": sl.NoChange()})
    assert list(run.learner_runs) == ["a", "b"]
    assert list(sl.see(datasets.Phishing(), sl.NoChange(), baselines=False).learner_runs) == ["NoChange"]


def test_kernels_are_compiled_before_the_page_is_there(monkeypatch):
    # else the first Play of a new machine stands at row 0 for seconds, and nothing says why
    done: list[str] = []
    monkeypatch.setattr(NoChange, "prepare", classmethod(lambda cls: done.append(cls.__name__)))
    monkeypatch.setattr("streamlab.lab.preparing.run_kernels", lambda: done.append("run"))
    monkeypatch.setattr(pn, "serve", lambda pages, **options: done.append("page"))
    sl.see("yeast", sl.NoChange())
    assert done[-3:] == ["run", "NoChange", "page"]


def test_what_a_loop_of_ones_own_cannot_do_is_not_offered_and_it_is_said_why():
    run = sl.Run(sl.load(datasets.Phishing()), {"nb": naive_bayes.GaussianNB()})
    free = RunView(run)
    assert free.timeline._offers["fork"]
    assert not free.fork_panel.button.disabled
    assert all(free.settings_of.form(each).fork_button.visible for each in free.settings_of.groups)
    free.close()
    run.stream.is_fixed = True
    view = RunView(run)
    assert view.timeline._offers == {"fork": "", "drift": ""}
    assert view.fork_panel.button.disabled
    assert "loop alone" in view.fork_panel.button.label
    assert not any(
        each.visible for each in (view.fork_panel.origin, view.fork_panel.parameter, view.fork_panel.fork_name)
    )
    assert not any(view.settings_of.form(each).fork_button.visible for each in view.settings_of.groups)
    view.close()


def test_a_tab_that_there_is_not_is_refused_before_a_page_is_served(served):
    with pytest.raises(ValueError, match="tab='Trees': expected 'Naive Bayes'"):
        sl.see(datasets.Phishing(), naive_bayes.GaussianNB(), tab="Trees")
    with pytest.raises(ValueError, match="measures: measure 'hierarchical_f1' needs a hierarchy"):
        sl.see(datasets.Phishing(), naive_bayes.GaussianNB(), measures=["hierarchical_f1"])
    assert not served


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ({"over": "all"}, "over='all': expected"),
        ({"measures": 5}, "measures: 'int' object"),
        ({"measures": ["none"]}, "unknown measure 'none'"),
        ({"rate": "x"}, "rate='x'"),
        ({"tab": 5}, "tab=5"),
        ({"compared": 3}, "compared=3"),
    ],
)
def test_what_a_view_is_told_is_checked_where_it_is_given(option, says):
    run = sl.Run(sl.load(datasets.Phishing()), {"nb": naive_bayes.GaussianNB()})
    with pytest.raises(ValueError, match=says):
        run.view(**option)
