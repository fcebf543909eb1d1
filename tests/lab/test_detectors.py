"""River's drift detectors in runs: fed row by row, the same however a run is cut, set back, forked and saved."""

from __future__ import annotations

import pytest
from river import base, datasets, drift, metrics

import streamlab as sl
from streamlab.lab.drift_watch import named_detectors
from streamlab.lab.recipe import made_detectors
from streamlab.measures import evaluate

DETECTORS = {
    "page-hinkley": (drift.PageHinkley(threshold=10), "example_f1"),
    "sets": (drift.binary.DDM(), "subset_accuracy"),
    "windows": drift.ADWIN(),
}


class Mine(drift.PageHinkley):
    """A detector of a user's own."""


def made(detectors=DETECTORS, stream="yeast-rotated", **given):
    return sl.Run(stream, {"SMART": sl.SMART(seed=1), "majority": sl.MajorityLabels()}, detectors=detectors, **given)


def detections(run):
    return [(event.learner, event.detail["detector"], event.position) for event in run.log if event.kind == "detection"]


def test_each_learner_has_a_detector_that_sees_the_measure_of_each_row():
    run = made({"mine": (drift.PageHinkley(threshold=10), "example_f1")}, chunk=1)
    twin, expected = drift.PageHinkley(threshold=10), []
    chunk = next(sl.load("yeast-rotated").chunks(2417))
    model = sl.SMART(seed=1)
    model.bind(run.stream.schema)
    for row in range(len(chunk.X)):
        at = slice(row, row + 1)
        _, Z = model.test_then_train(chunk.X[at], chunk.Y[at])
        counts = sl.measures.Counts.zeros(14).count(chunk.Y[at], Z)
        twin.update(1.0 - evaluate(counts, ["example_f1"])["example_f1"])
        if twin.drift_detected:
            expected.append(("SMART", "mine", row + 1))
    run.advance()
    assert [each for each in detections(run) if each[0] == "SMART"] == expected
    assert expected
    event = next(event for event in run.log if event.kind == "detection" and event.detail["rising"])
    assert event.message.startswith("mine: 1 − F1 (examples) rose: ")


def test_of_classes_one_alone_alarms_where_it_does_in_rivers_own_loop():
    detector, expected, model = drift.PageHinkley(threshold=5), [], HalfNamed()
    for n, (x, y) in enumerate(datasets.ImageSegments().take(400), 1):
        detector.update(float(model.predict_one(x) != y))
        if detector.drift_detected:
            expected.append(("it", "mine", n))
        model.learn_one(x, y)
    stream = sl.load(datasets.ImageSegments(), n_rows=400)
    run = sl.Run(stream, {"it": HalfNamed()}, detectors={"mine": drift.PageHinkley(threshold=5)})
    run.advance()
    assert detections(run) == expected
    assert expected


class HalfNamed(base.Classifier):
    """Answers right for 100 rows, then by turns nothing and wrongly."""

    def __init__(self):
        self.n = 0
        self.rows = [y for _, y in datasets.ImageSegments().take(401)]

    @property
    def _multiclass(self):
        return True

    def learn_one(self, x, y):
        self.n += 1

    def predict_one(self, x):
        if self.n < 100:
            return self.rows[self.n]
        return "sky" if self.n % 2 else None

    def predict_proba_one(self, x):
        raise NotImplementedError


def test_the_table_of_detections_has_a_row_for_each_detector():
    result = sl.prequential(
        "yeast-rotated", {"SMART": sl.SMART(seed=1)}, detectors=DETECTORS | {"never": drift.NoDrift()}
    )
    table = result.detection.set_index("source")
    assert list(table.index) == ["errors", "page-hinkley", "sets", "windows", "never"]
    assert table.detected["page-hinkley"] == 1
    assert table.mean_time_to_detection["page-hinkley"] < table.mean_time_to_detection["errors"]
    assert table.missed["never"] == 1
    assert (result.events.kind == "detection").sum() > 3


def test_seek_fork_and_saving_keep_what_they_know(tmp_path):
    straight, cut = made(), made()
    straight.advance()
    for n in (1, 99, 37, 700):
        cut.advance(n)
    cut.save(tmp_path / "run.slab")
    opened = sl.Run.open(tmp_path / "run.slab")
    opened.advance()
    cut.seek(250)
    cut.advance()
    for run in (cut, opened):
        assert detections(run) == detections(straight)
    straight.seek(1300)
    straight.fork("SMART", "same")
    straight.advance()
    of = {name: [each[1:] for each in detections(straight) if each[0] == name] for name in ("SMART", "same")}
    assert of["same"] == [each for each in of["SMART"] if each[1] > 1300]
    assert of["same"]


def test_errors_count_when_their_labels_are_known():
    late = sl.delay_labels(sl.load("yeast-rotated"), 300)
    delayed = made(stream=late, chunk=1)
    delayed.advance(700)
    delayed.advance(300)
    found = detections(delayed)
    delayed.seek(700)
    delayed.advance(300)
    assert detections(delayed) == found
    # no row is learned before: what is answered at first is wrong everywhere
    assert found[0][2] > 300


def test_a_detector_of_ones_own_is_given_again(tmp_path):
    run = made({"mine": Mine(threshold=10), "theirs": drift.ADWIN()})
    run.advance(1500)
    run.save(tmp_path / "run.slab")
    opened = sl.Run.open(tmp_path / "run.slab", detectors={"mine": Mine(threshold=10)})
    opened.advance()
    run.advance()
    assert detections(opened) == detections(run)
    with pytest.raises(ValueError, match="the detector 'mine' is a 'Mine', and no file can say how such a one is made"):
        sl.Run.open(tmp_path / "run.slab", sl.load("yeast-rotated"))
    with pytest.raises(ValueError, match="detectors='theirs': the file holds this detector"):
        sl.Run.open(tmp_path / "run.slab", detectors={"theirs": drift.ADWIN()})
    with pytest.raises(ValueError, match="'mine' is a Mine, and it is not known"):
        run.to_script(tmp_path / "run.py")


def test_one_of_rivers_metrics_is_watched_like_a_measure():
    (watched,) = named_detectors({"a": (drift.ADWIN(), metrics.multioutput.ExactMatch())}).values()
    assert watched.measure == "river.metrics.multioutput.ExactMatch"


@pytest.mark.parametrize(
    ("detectors", "message"),
    [
        ([drift.ADWIN()], "expected a dictionary of River's drift detectors by name"),
        ({"a": "ADWIN"}, r"detectors\['a'\]: 'ADWIN': expected one of River's drift detectors"),
        ({"a": (drift.ADWIN(), "nope")}, "nope"),
        ({"a": (drift.ADWIN(), "macro_average_precision")}, "is not defined for one row"),
        ({"a": (drift.ADWIN(), "hierarchical_f1")}, "needs a hierarchy of the labels"),
        ({"errors": drift.ADWIN()}, "is what the run calls its own"),
        ({"": drift.ADWIN()}, "detectors: name"),
    ],
)
def test_what_is_wrong_is_named(detectors, message):
    with pytest.raises(ValueError, match=message):
        made(detectors)


def test_a_detector_that_fails_is_named():
    class Failing(drift.NoDrift):
        def update(self, x):
            raise KeyError("oh")

    run = made({"mine": Failing()})
    with pytest.raises(ValueError, match="learner 'SMART': detector 'mine': KeyError: 'oh'"):
        run.advance(100)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"river": "os.path.join", "parameters": {}}, "expected the path of one of River's classes"),
        ({"river": "river.tree.HoeffdingTreeClassifier", "parameters": {}}, "expected one of River's drift detectors"),
        ({"river": "river.drift.ADWIN", "parameters": {"clock": [1]}}, "clock is .* expected a plain value"),
        ({"river": "river.drift.ADWIN", "parameters": {"clock": 10**12}}, "a whole number up to 10,000,000"),
        ({"river": "river.drift.ADWIN", "parameters": {"clocks": 1}}, "clocks"),
        ({"river": "river.drift.ADWIN"}, "parameters=None: expected a table"),
        ([], "detectors.*: expected a table"),
    ],
)
def test_a_file_that_was_altered_is_refused(told, message):
    with pytest.raises(ValueError, match=message):
        made_detectors({"mine": told | {"measure": "hamming_loss"} if told else told})
