"""What pages ask: once, at the first thing that is worth a question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """What a page asks at the first thing worth a question.

    Parameters
    ----------
    row
        Where the run pauses for it; the end of a chunk.
    words
        What happened, and the question.
    answers
        To choose from.
    right
        Place of the right one.
    why
        What is said then.
    lesson, step
        Name of the lesson that explains it, and the number of its step.
    """

    row: int
    words: str
    answers: tuple[str, ...]
    right: int
    why: str
    lesson: str
    step: int = 1


QUESTIONS = {
    "stream_monitor": Question(
        1400,
        "SMART fell at row 1,200, with fading and without: every label took the next one's name. Which comes back?",
        ("SMART without fading, which keeps more", "SMART, whose old evidence fades", "Both, just as fast"),
        1,
        "What was learned before row 1,200 answers with the old names. SMART's evidence halves with every 200 rows, so "
        "that the new names soon count more; without fading the old ones stay in the majority. Play on and see.",
        "forgetting",
    ),
    "drift_lab": Question(
        2700,
        "SMART saw the change within 60 rows, with fading and without. Is seeing it enough to come back from it?",
        ("Yes: who sees it learns it", "No: what was learned before has to go, too"),
        1,
        "Both go on learning, and both saw it. Yet old evidence outvotes new as long as there is more of it: SMART's "
        "fades, without fading it stays. Play on, then make a change of your own by the buttons.",
        "forgetting",
    ),
    "mlhat_tree": Question(
        11400,
        "At row 11,306 a branch of MLHAT's tree was replaced. MLHT, which never takes a split back, fell, too. "
        "Where will MLHT be 2,000 rows from here?",
        ("Back: it goes on learning", "Still low: it learns below tests of the old rule", "Ahead of MLHAT"),
        1,
        "Leaves learn, but the tests above them stay as they are. In MLHAT a rival grew beside the branch from row "
        "10,051 on, when that was wrong more often than before; when the rival was wrong less often, by more than "
        "chance, it took the place. Play on and compare.",
        "branch",
        4,
    ),
    "hedged_tree": Question(
        2000,
        "At row 1,767 HedgedMLHAT split a third time, before it was sure. MLHAT has seen the same rows, and waits. "
        "Who is ahead 2,000 rows from here?",
        ("MLHAT, as early splits do harm", "HedgedMLHAT, as it risks little", "Neither"),
        1,
        "MLHAT splits when it is sure: the bar above its tree says how far it is from that. HedgedMLHAT splits early, "
        "at little risk: a branch keeps what it knew, and counts more than what is below while that is worse.",
        "branch",
        2,
    ),
    "label_hierarchy": Question(
        2800,
        "HierarchicalKNN and FlatKNN fell at note 2,500, where the microphone gets worse. Why do they rise again?",
        ("The microphone becomes better", "Notes of the new microphone are nearer", "All are answered with one family"),
        1,
        "An answer comes from the nearest notes that are remembered. At first those are of the old microphone and "
        "mislead; with each note of the new one nearer ones are found. The picture shows how far down answers go.",
        "level",
    ),
    "balanced_neighbours": Question(
        1400,
        "At row 1,200 each class moved to where the next one was. What has to move before the answers fit again?",
        ("The means of the classes, and the remembered rows", "The number of neighbours", "The features"),
        0,
        "A row is answered by its nearest neighbours. As long as most of those are from before row 1,200, they vote "
        "for the old classes. The crosses, the means, move as old rows fade: by half in 400 rows.",
        "rare",
        7,
    ),
    "council": Question(
        1400,
        "After row 1,200 trust moved. What decides on whom the council counts?",
        ("Who has learned for longest", "Who was right lately", "All count alike"),
        1,
        "After every row trust moves to those that were right, and what was long ago counts less: so it moves most "
        "where the members do not err alike, as here after the labels have changed their names.",
        "trust",
    ),
}
"""By the last part of the page's address."""
