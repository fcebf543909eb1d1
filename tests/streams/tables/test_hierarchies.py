"""Labels of tables that stand below others: as paths, in columns of levels, or by the parents of each."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.cli import _hierarchy
from streamlab.streams import guess_table

X = [i * 0.5 + 0.25 for i in range(12)]
PATHS = ["s/violin", "s/cello", "w/flute", "w/reeds/oboe"] * 3
NODES = ("s", "s/cello", "s/violin", "w", "w/flute", "w/reeds", "w/reeds/oboe")
LEVELS = pd.DataFrame([[*p.split("/"), None][:3] for p in PATHS], columns=["l1", "l2", "l3"]).assign(x=X)
ABOVE = {"violin": "s", "cello": "s", "flute": "w", "oboe": "reeds", "reeds": "w", "harp": "s"}


def sets_of(stream) -> list[set[str]]:
    Y = np.concatenate([chunk.Y for chunk in stream.chunks(5)])
    return [{name for name, flag in zip(stream.schema.labels, row, strict=True) if flag} for row in Y]


def ends_with_all_above(path: str) -> set[str]:
    steps = path.split("/")
    return {"/".join(steps[: i + 1]) for i in range(len(steps))}


def is_right(stream) -> bool:
    tree = stream.schema.hierarchy
    names = {name: stream.schema.labels[tree.parents[j]] for j, name in enumerate(NODES) if tree.parents[j] >= 0}
    above = {name: name.rpartition("/")[0] for name in NODES if "/" in name}
    return (stream.schema.labels, names, sets_of(stream)) == (NODES, above, [*map(ends_with_all_above, PATHS)])


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ({"what": PATHS}, {"labels": "what", "hierarchy": "/"}),
        ({"what": [path.replace("/", " > ") for path in PATHS]}, {"labels": "what", "hierarchy": ">"}),
        ({"what": [path.replace("/", "|") for path in PATHS]}, {"labels": "what", "hierarchy": "|"}),
        (LEVELS[["l1", "l2", "l3"]], {"hierarchy": ["l1", "l2", "l3"]}),
    ],
)
@pytest.mark.whole
def test_paths_have_a_label_for_each_step(columns, options):
    stream = sl.load(pd.DataFrame({"x": X, **columns}), **options)
    names = [name.replace(options["hierarchy"], "/") if "labels" in options else name for name in stream.schema.labels]
    stream.schema = sl.Schema(stream.schema.features, tuple(names), stream.schema.hierarchy)
    assert is_right(stream)
    assert stream.schema.classes is None


def test_a_row_may_have_several_paths_and_names_of_columns_may_be_paths():
    frame = pd.DataFrame({"x": X, "t": ["s/violin;w", "w/flute", "s"] * 4})
    stream = sl.load(frame, labels="t", tag_separator=";", hierarchy="/")
    assert sets_of(stream)[:3] == [{"s", "s/violin", "w"}, {"w", "w/flute"}, {"s"}]
    frame = pd.DataFrame({"x": X, "s/violin": [1, 0] * 6, "w/flute": [1, 1, 0] * 4})
    assert sets_of(sl.load(frame, labels=-2, hierarchy="/"))[:3] == [
        {"s", "s/violin", "w", "w/flute"},
        {"w", "w/flute"},
        {"s", "s/violin"},
    ]


def test_leaves_alone_get_those_above_them_and_nodes_need_no_row():
    leaves = [path.split("/")[-1] for path in PATHS]
    for source in (pd.DataFrame({"x": X, "k": leaves}), (np.array([X]).T, leaves), (pd.DataFrame({"x": X}), leaves)):
        stream = sl.load(source, hierarchy=ABOVE)
        assert stream.schema.labels == ("s", "violin", "cello", "w", "flute", "reeds", "oboe", "harp")
        assert sets_of(stream)[:4] == [{"s", "violin"}, {"s", "cello"}, {"w", "flute"}, {"w", "reeds", "oboe"}]
    schema = sl.Schema.anonymous(1, 3)
    schema = sl.Schema(schema.features, schema.labels, sl.Hierarchy((-1, 0, 0)))
    assert sets_of(sl.load(([[1.0], [2.0]], [[0, 1, 0], [0, 0, 0]]), schema=schema)) == [{"y0", "y1"}, set()]


def test_labels_that_are_not_known_are_hidden_with_those_that_follow_from_them():
    frame = pd.DataFrame({"x": X, "what": [None, *PATHS[1:]]})
    with pytest.warns(UserWarning, match="rows without a label: 1 of 'what'"):
        stream = sl.load(frame, labels="what", hierarchy="/")
    known = stream.labelling.labels_known(np.ones((12, len(NODES)), np.uint8), np.arange(12))
    assert known.all(axis=1).tolist() == [False, *[True] * 11]
    assert not known[0].any()
    frame = pd.DataFrame({"x": X, "s": [1] * 6 + [0] * 6, "s/violin": [None, 1, *[0.0] * 10]})
    with pytest.warns(UserWarning, match="1 of 's/violin'"):
        stream = sl.load(frame, labels=["s", "s/violin"], hierarchy="/")
    known = stream.labelling.labels_known(np.ones((12, 2), np.uint8), np.arange(12))
    assert known[0].tolist() == [1, 0], "what has a column of its own stays known"


def test_what_is_no_hierarchy_is_refused(tmp_path):
    LEVELS.assign(l1=[None, *LEVELS.l1[1:]]).to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(ValueError, match=r"t.csv, line 2, column 1 \('l1'\): nothing, and 'violin' in a level below"):
        sl.load(tmp_path / "t.csv", hierarchy=["l1", "l2", "l3"])
    frame = pd.DataFrame({"x": X, "what": [*PATHS[:-1], "w//oboe"]})
    with pytest.raises(ValueError, match="row 12, column 'what': the path 'w//oboe': a step is empty"):
        sl.load(frame, labels="what", hierarchy="/")
    frame["what"] = [*PATHS[:-1], "/".join("a" * 65)]
    with pytest.raises(ValueError, match="it has 65 steps; expected 1 to 64"):
        sl.load(frame, labels="what", hierarchy="/")
    with pytest.raises(ValueError, match="hierarchy='::': no label has it"):
        sl.load(frame, labels="what", hierarchy="::")
    frame["what"] = PATHS
    with pytest.raises(ValueError, match="the label 's/cello' is not in hierarchy=; expected one of"):
        sl.load(frame, labels="what", hierarchy={"s/violin": "s"})
    with pytest.raises(ValueError, match="hierarchy= names 'l9', which is not a column"):
        sl.load(frame, labels="what", hierarchy=["l9", "what"])
    with pytest.raises(ValueError, match="cycle"):
        sl.load(frame, labels="what", hierarchy={"a": "b", "b": "a"})
    for wrong in (7, [], " ", ["l1"], [["a"]]):
        with pytest.raises(ValueError, match=r"hierarchy=.*expected what separates the steps"):
            sl.load(frame, labels="what", hierarchy=wrong)
    apart = pd.DataFrame({"x": X, "a": ["u/v", "u"] * 6, "b": ["w", "v/w"] * 6})
    with pytest.raises(ValueError, match="are both called 'u/v/w'"):
        sl.load(apart, hierarchy=["a", "b"])


def test_a_column_of_paths_is_asked_about_and_chosen(tmp_path):
    path = tmp_path / "t.csv"
    pd.DataFrame({"x": X, "what": PATHS}).to_csv(path, index=False)
    guess = guess_table(path)
    asked = [question for question in guess.questions if question.column == "what"]
    assert ["paths" in each.text and not each.stops for each in asked] == [True]
    assert guess.stream().schema.hierarchy is None, "nobody has said so"
    chosen = guess.with_roles({"what": "path"})
    assert chosen.python() == "sl.load('t.csv', labels='what', hierarchy='/')"
    assert [question for question in chosen.questions if question.column == "what"] == []
    assert is_right(chosen.stream())
    assert is_right(sl.load(path, **chosen.options()))


def test_what_only_looks_like_paths_is_not_asked_about(tmp_path):
    path = tmp_path / "t.csv"
    for words in (["km/h", "m/s", "l/min"], ["/usr", "/bin", "/tmp"], ["s/violin", "drum", "w/flute"]):
        pd.DataFrame({"x": X, "what": words * 4}).to_csv(path, index=False)
        assert "path" not in guess_table(path).columns[1].roles


def test_the_command_line_takes_separators_and_columns():
    assert [_hierarchy(text) for text in ("/", "l1,l2", None)] == ["/", ["l1", "l2"], None]


@pytest.mark.parametrize("classes", [["a", " a", "b"], ["a", "", "b"]])
@pytest.mark.parametrize("form", ["array", "table and array", "frame", "csv"])
@pytest.mark.whole
def test_classes_that_differ_in_blanks_alone_or_are_empty_are_said(tmp_path, form, classes):
    frame = pd.DataFrame({"x": X, "c": classes * 4})
    frame.to_csv(tmp_path / "t.csv", index=False)
    sources = {"array": (np.array([X]).T, classes * 4), "table and array": (frame[["x"]], np.array(classes * 4))}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        stream = sl.load(
            sources.get(form, frame if form == "frame" else tmp_path / "t.csv"),
            **({} if "array" in form else {"labels": "c"}),
        )
    (said,) = (str(each.message) for each in caught)
    assert ("' a' is one with that without" in said) == (" a" in classes)
    assert ("rows without a label: 4" in said) == ("" in classes)
    assert stream.schema.classes == ("a", "b")
    hidden = [] if stream.labelling is None else stream.labelling.hidings
    assert len(hidden) == ("" in classes)
