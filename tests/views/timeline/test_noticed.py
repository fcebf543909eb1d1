"""Which drift a detection is of."""

from __future__ import annotations

from streamlab.views.timeline.event_rows import Noticed


def test_the_first_detection_of_each_learner_counts_and_only_soon_enough():
    noticed = Noticed(within=500)
    assert noticed.delay("a", 900) is None
    noticed.begin(1000)
    assert [noticed.delay("a", 1100), noticed.delay("a", 1200), noticed.delay("b", 1500)] == [100, None, 500]
    assert noticed.delay("c", 1501) is None
    noticed.begin(2000, 100)
    assert noticed.delay("c", 2599) == 599


def test_a_detection_before_the_latest_drift_is_of_the_one_before():
    noticed = Noticed()
    noticed.begin(1000)
    noticed.begin(1200)
    assert noticed.delay("a", 1150) == 150
    assert noticed.delay("a", 1250) == 50


def test_a_detection_is_of_the_drift_that_its_evidence_reaches_back_to():
    noticed = Noticed()
    noticed.begin(1208)
    noticed.begin(1300)
    assert noticed.behind(1312, 1190) == (1, 2), "too near to tell"
    assert noticed.behind(1312, 1250) == noticed.behind(1312) == (2, 2)
    assert noticed.behind(1100, 1000) == (0, 0)
    assert [noticed.delay("a", 1312, 1190), noticed.delay("b", 1312, 1250)] == [104, 12]
    assert noticed.delay("a", 1400, 1301) == 100
