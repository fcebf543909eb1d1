"""What a page offers and opens with, as data: streams and learners by the words that people read, and the pages."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any

from streamlab.lab.learners import named_learners
from streamlab.learners import LEARNERS, Learner
from streamlab.learners.river_recipes import RIVER_RECIPES
from streamlab.plugins import Registry
from streamlab.schema import Schema
from streamlab.streams import STREAMS, DriftRecipe
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.kit.text import shown

OWN = "streamlab"

OWN_STREAMS = {
    "Yeast genes, labels rotated half-way": "yeast-rotated",
    "Yeast genes": "yeast",
    "Films and their genres, 1940–2014": "movies",
    "Handwritten digits, their bars renamed half-way": "digits-renamed",
    "Handwritten digits: the bars of a display": "digits",
    "Image segments": "segments",
    "Image segments: one of seven classes": "image-segments",
    "Notes of 31 instruments": "instruments",
    "31 instruments, then a worse microphone": "instruments-microphone",
    "Invented songs and their moods": "songs",
    "Invented songs: a branch is replaced": "songs-branches",
    "Regions: a branch is replaced": "syn-branches",
    "Regions: the labels of a branch change": "syn-regions",
}
"""Streams of this package that a page offers, by the words that people read."""

WITHOUT_FADING = "SMART without fading"

OFFERED = (
    "SMART", "MLHAT", "HedgedMLHAT", "Council", "MLHT", "Pruned sets", "Hoeffding trees",
    "Balanced neighbours", "ML-BELS", "GOOWE", "Online bagging", "ML-KNN", "Online logistic", "Neighbours by rank",
    "ARkNN", "MLSAMPkNN", "MLSAkNN", WITHOUT_FADING, "no-change", "majority labels", "HierarchicalKNN", "FlatKNN",
)  # fmt: skip
"""The learners of this package that a page offers, by the names that people read; others' are in the registry."""

CLASSES = {
    "Pruned sets": "PrunedSets", "Hoeffding trees": "HoeffdingTrees",
    "Balanced neighbours": "BalancedKNN", "ML-BELS": "MLBELS", "Online bagging": "OnlineBagging", "ML-KNN": "MLKNN",
    "Online logistic": "OnlineLogistic", "Neighbours by rank": "RankedKNN", WITHOUT_FADING: "SMART",
    "no-change": "NoChange", "majority labels": "MajorityLabels",
}  # fmt: skip
"""The classes of those whose name is not their registered one."""

MADE_OTHERWISE: dict[str, Callable[[int], Learner]] = {
    "Balanced neighbours": lambda seed: _balanced_neighbours(seed),
    "Online bagging": lambda seed: LEARNERS.load("OnlineBagging")(detector="adwin", seed=seed),
    WITHOUT_FADING: lambda seed: LEARNERS.load("SMART")(half_life=math.inf, seed=seed),
    "FlatKNN": lambda seed: LEARNERS.load("FlatKNN")(),
}
"""Those that are not as the registry has them: functions of a seed."""

FOR_HIERARCHIES = ("HierarchicalKNN", "FlatKNN")
"""Those for labels with a hierarchy alone."""

FOR_FLAT_LABELS = ("Council",)
"""Those that refuse labels with a hierarchy."""

# a point of a curve is of 100 rows: the change comes between two of them
RENAMED_SEGMENTS = StreamSpec("image-segments", changes=((0.5195, DriftRecipe("rotate_labels", width=1)),))

DEMONSTRATION = ("SMART", "SMART without fading", "no-change")
"""Learners chosen at first."""


@dataclass(frozen=True)
class Preset:
    """What a page opens with.

    Parameters
    ----------
    stream, stream_title
        What ``load`` takes, or a ``StreamSpec``; and what such a one is called in the choice of streams.
    learners, nested_learners
        Names of the learners chosen at first: on a stream without a hierarchy, and with one.
    river
        Names of River's models chosen at first, of ``RIVER``.
    streams
        Names of the streams offered; None: all.
    view
        Passed to each ``RunView``.
    played
        Rows that have been played when the page opens on this stream: nothing on it is blank then, and what happens
        first comes within ten seconds.
    sees
        What will be seen, in lines, while people wait for the run.
    """

    title: str
    about: str
    stream: Any = "yeast-rotated"
    stream_title: str = ""
    learners: tuple[str, ...] = DEMONSTRATION
    river: tuple[str, ...] = ()
    nested_learners: tuple[str, ...] = FOR_HIERARCHIES
    streams: tuple[str, ...] | None = None
    view: Mapping[str, Any] = field(default_factory=dict)
    played: int = 300
    sees: tuple[str, ...] = ()

    @property
    def has_name(self) -> bool:
        """Whether its stream is one of those that people choose by name."""
        return isinstance(self.stream, str) or bool(self.stream_title)


PRESETS = {
    "stream_monitor": Preset(
        "streamlab · stream monitor",
        "Choose a stream and learners and watch them learn: handwritten digits and the bars of a display that show "
        "them, renamed half-way; SMART forgets and recovers, SMART without fading does not.",
        stream="digits-renamed",
        view={"compared": ("forest", "importance"), "rate": 100.0},
        sees=(
            "▮ green: what the trees have learned since the last change",
            "▨ hatched: what they learned before it, and still hold",
            "① at row 900 every label takes the next one's name. Who forgets in time?",
        ),
    ),
    "drift_lab": Preset(
        "streamlab · drift laboratory",
        "Make a change, and see which learner detects it, what it costs and who comes back: an endless stream with a "
        "strong drift at row 2,500, where every label takes the next one's name; its own drifts begin at row 10,000.",
        stream=StreamSpec("songs", n_rows=None, changes=((0.05, DriftRecipe("rotate_labels", width=1)),)),
        view={"compared": ("forest", "importance"), "measures": ("micro_f1",), "changes": True},
        played=1500,
        sees=(
            "▮ green: what the trees have learned since the last change",
            "▨ hatched: what they learned before it, and still hold",
            "① at row 2,500 every label takes the next one's name; then make a change of your own",
        ),
    ),
    "mlhat_tree": Preset(
        "streamlab · MLHAT's tree",
        "MLHAT's tree of 9,500 rows, just before a drift: then an alternate grows where a branch is wrong more often "
        "than before, and takes over. MLHT never takes a split back.",
        stream="songs-branches",
        learners=("MLHAT", "MLHT"),
        nested_learners=("MLHAT", "MLHT"),
        view={"tab": "Tree", "measures": ("example_f1",)},
        played=9500,
        sees=(
            "◯ each node of the tree: a leaf answers, and splits when it is sure enough which question helps",
            "┄ dashed: a branch that grows in the background where the old one is wrong more often than before",
            "When the new branch is better, it takes the old one's place.",
        ),
    ),
    "hedged_tree": Preset(
        "streamlab · MLHAT beside HedgedMLHAT",
        "Two trees on the same rows: MLHAT splits when it is sure, and waits; HedgedMLHAT splits early, keeps in each "
        "node what it knew, and mixes that with the answer of its branches.",
        stream=StreamSpec("songs", n_rows=100_000, seed=5),
        stream_title="Invented songs: tests that are hard to choose",
        learners=("MLHAT", "HedgedMLHAT"),
        nested_learners=("MLHAT", "HedgedMLHAT"),
        view={"tab": "Tree", "measures": ("example_f1",)},
        played=3400,
        sees=(
            "left: MLHAT waits until it is sure of a split; a ring fills until then",
            "right: HedgedMLHAT splits early, and mixes each node's own answer with that of its branches",
            "Who answers better meanwhile?",
        ),
    ),
    "label_hierarchy": Preset(
        "streamlab · label hierarchy",
        "The hierarchy of the labels: the notes of 31 instruments, answered by nearest neighbours that go down "
        "the hierarchy and by such that do not (these are often ahead: they compare with all rows, and take no wrong "
        "turn; the others show where they went wrong); from note 2,500 on the microphone is worse.",
        stream="instruments-microphone",
        streams=("segments", "instruments", "instruments-microphone"),
        view={"tab": "Hierarchy", "measures": ("hierarchical_f1",)},
        played=2000,
        sees=(
            "the families of 31 instruments: an answer goes down from the top, and may stop where it is unsure",
            "how well each family is answered: a bar for each learner",
            "① at note 2,500 the microphone becomes worse. Which families still hold?",
        ),
    ),
    "balanced_neighbours": Preset(
        "streamlab · balanced neighbours",
        "Class-balanced nearest neighbours: image segments in the plane that separates their classes best; after "
        "row 1,200 each class's mean moves to where that of the class before it was.",
        stream=RENAMED_SEGMENTS,
        stream_title="Image segments, classes renamed half-way",
        learners=("Balanced neighbours", "ML-KNN"),
        view={"measures": ("macro_f1",)},
        sees=(
            "each dot is a row that a learner keeps, in the plane that separates the classes best",
            "Balanced neighbours keeps fifty rows of each class, ML-KNN its latest hundred",
            "① at row 1,200 each class moves to where the one before it was. Who lets go of old rows first?",
        ),
    ),
    "council": Preset(
        "streamlab · a council of learners",
        "Seven learners answer together, and the council learns from every row whom to trust; two of them run alone "
        "beside it, to compare. Yeast genes whose labels rotate half-way, when trust moves.",
        learners=("Council", "HedgedMLHAT", "SMART"),
        view={"tab": "Trust", "measures": ("example_f1",)},
        sees=(
            "seven learners answer together; a line each: how far it is trusted",
            "after every row, trust moves to those that were right",
            "① at row 1,200 the labels change their names. Who is trusted then?",
        ),
    ),
    "river_models": Preset(
        "streamlab · River's models",
        "River's classifiers, as they are: a tree, a forest and a linear model on image segments of seven classes; "
        "at row 1,200 each class takes the next one's name.",
        stream=RENAMED_SEGMENTS,
        stream_title="Image segments, classes renamed half-way",
        learners=(),
        river=("eager adaptive tree", "adaptive random forest", "softmax regression"),
        view={"tab": "Ensemble", "measures": ("accuracy",)},
        played=1900,
        sees=(
            "three models of River's, as they are: a tree, a forest of ten trees, a linear model",
            "▬ a line for each tree of the forest: how often it was right, since when, and what took its place",
            "① at row 1,200 each class takes the next one's name. Which model copes?",
        ),
    ),
}
"""The pages by the last part of their address."""


def offered_streams(only: tuple[str, ...] | None = None) -> dict[str, str]:
    """Return the streams to choose from, by the words that people read: this package's, then those of others."""
    streams = {title: name for title, name in OWN_STREAMS.items() if only is None or name in only}
    return streams if only is not None else streams | _of_others(STREAMS)


def offered_learners(nested: bool) -> dict[str, str]:
    """Return the names of the learners to choose from, by the words that people read."""
    flat = [name for name in OFFERED if name not in FOR_HIERARCHIES]
    own = [*FOR_HIERARCHIES, *(name for name in flat if name not in FOR_FLAT_LABELS)] if nested else flat
    # a name stands for one learner, in the page's address too: this package's
    others = {words: name for words, name in _of_others(LEARNERS, _can_learn).items() if name not in OFFERED}
    return {name: name for name in own} | others


def described_learners(nested: bool) -> dict[str, str]:
    """Return ``offered_learners`` with a second line in the words: what each is, what it shows, and what it costs."""
    return {f"{words}\n{line_of(name)}".strip(): name for words, name in offered_learners(nested).items()}


def who_is(name: str) -> str:
    """Return in a few words what the learner is that pages offer by this name; "" for none of them."""
    return re.split("[:;.]", line_of(name).removeprefix("Baseline: "))[0] if name in OFFERED else ""


def line_of(name: str) -> str:
    """Return the line of a learner that pages offer by this name; another package's without one has its first."""
    if name == WITHOUT_FADING:
        return "SMART that never forgets, to compare: see its old evidence. Fast."
    kind = LEARNERS.load(CLASSES.get(name, name))
    return shown(vars(kind).get("line") or (inspect.getdoc(kind) or "").partition("\n")[0], 160)


def _of_others(registry: Registry[Any], fits: Callable[[Any], bool] = lambda thing: True) -> dict[str, str]:
    """Return what other packages registered, and what was added in this session: with the package's name behind it."""
    found = {name: registry.package(name) for name in registry.names() if registry.package(name) != OWN}
    fitting = {name for name, thing in registry.items() if name in found and fits(thing)} if found else set()
    return {
        shown(f"{name} ({package})" if package else name): name for name, package in found.items() if name in fitting
    }


def _can_learn(kind: Any) -> bool:
    """Whether it is a learner, not a transformer, that can be made without further ado."""
    if not issubclass(kind, Learner):
        return False
    parameters = inspect.signature(kind).parameters.values()
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)


def _made(name: str, seed: int) -> Learner:
    if name in MADE_OTHERWISE:
        return MADE_OTHERWISE[name](seed)
    return _seeded(LEARNERS.load(CLASSES.get(name, name)), seed)


def _of_river(module: str, name: str, seed: int, **parameters: Any) -> Any:
    return _seeded(getattr(import_module(f"river.{module}"), name), seed, **parameters)


def _seeded(kind: Any, seed: int, **parameters: Any) -> Any:
    return kind(**parameters, **({"seed": seed} if "seed" in inspect.signature(kind).parameters else {}))


def _balanced_neighbours(seed: int) -> Learner:
    # transformers are scikit-learn's, too: it takes a second to be imported, and most pages have none
    from streamlab.learners import BalancedKNN, BalancedLDA, StandardScaler

    # few rows of each class, that a change is seen to be overcome
    return StandardScaler() | BalancedLDA(half_life=400) | BalancedKNN(window=50, seed=seed)


def _linear(name: str, seed: int) -> Any:
    from river.preprocessing import StandardScaler

    return StandardScaler() | _of_river("linear_model", name, seed)


RIVER: dict[str, Callable[[int], Any]] = {
    "Hoeffding tree": partial(_of_river, "tree", "HoeffdingTreeClassifier"),
    "Hoeffding adaptive tree": partial(_of_river, "tree", "HoeffdingAdaptiveTreeClassifier"),
    # as soon to split as the forest's trees are; with River's tau of 0.05 it is one leaf of the image segments for ever
    "eager adaptive tree": partial(
        _of_river, "tree", "HoeffdingAdaptiveTreeClassifier", grace_period=50, delta=0.01, tau=0.3
    ),
    "Gaussian naive Bayes": partial(_of_river, "naive_bayes", "GaussianNB"),
    "logistic regression": partial(_linear, "LogisticRegression"),
    "softmax regression": partial(_linear, "SoftmaxRegression"),
    "adaptive random forest": partial(_of_river, "forest", "ARFClassifier"),
    "Mondrian forest": partial(_of_river, "forest", "AMFClassifier"),
    "nearest neighbours": lambda seed: _of_river(
        "neighbors", "KNNClassifier", seed, engine=_of_river("neighbors", "SWINN", seed)
    ),
    **{recipe.name: recipe.make for recipe in RIVER_RECIPES},
}
"""River's learners that are offered: with its defaults; then with the parameters of MLHAT's study."""

RIVER_CHOICE: dict[str, Any] = {
    "label": "River's models",
    "options": list(RIVER),
    "helper_text": "One for each label; where rows have one class, the model as it is. Names in capitals have the "
    "parameters of MLHAT's study; iSOUPT, chains and label sets answer all labels together.",
}
"""The field in which they are chosen."""


def river_name(name: str) -> str:
    """Return what a run calls a model of ``RIVER``: one that is called as a learner here is has "River" before it."""
    return f"River {name}" if name in OFFERED else f"{name[:1].upper()}{name[1:]}"


def make_learners(
    names: Sequence[str], river: Sequence[str], seed: int, schema: Schema | None = None
) -> dict[str, Learner]:
    """Return new learners by name for a stream; those of ``RIVER`` have the names of ``river_name``."""
    made = {name: _made(name, seed) for name in names} | {river_name(name): RIVER[name](seed) for name in river}
    return named_learners(made, schema) if made else {}
