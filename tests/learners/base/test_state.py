"""Files of models: their format, states from before formats had a number, and what is refused."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from safetensors.numpy import save_file

from streamlab.learners import SMART, BalancedKNN, BalancedLDA, Pipeline, StandardScaler, load_model
from streamlab.learners.base.state import state_bytes
from tests.learners.generated import generated, schema_of
from tests.learners.states import assert_same

MAKERS = {
    "SMART": lambda: SMART(n_trees=2, height=4, seed=1),
    "Pipeline": lambda: Pipeline(StandardScaler(), BalancedLDA(), BalancedKNN(window=20)),
}


def trained(name):
    schema = schema_of(4)
    X, Y = generated(schema, 130)
    model = MAKERS[name]().bind(schema)
    model.learn_many(X, Y)
    return model, X


@pytest.mark.parametrize("name", MAKERS)
def test_a_state_has_one_format_number_and_may_lack_it(name, tmp_path):
    model, X = trained(name)
    state = model.state()
    assert [key for key in state if key.rpartition(".")[2] == "format"] == ["format"]
    assert state.pop("format") == 1
    (tmp_path / "old").write_bytes(state_bytes(state))
    for twin in (type(model).from_state(state), load_model(tmp_path / "old")):
        np.testing.assert_array_equal(twin.predict_proba_many(X), model.predict_proba_many(X))
        assert twin.state().keys() == {*state, "format"}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("given", [2, 0, "1", None, True])
def test_another_format_is_refused_in_one_line(name, given, tmp_path):
    state = trained(name)[0].state() | {"format": given}
    (tmp_path / "new").write_bytes(state_bytes(state))
    message = rf"new: the state of {name} has the format {given!r}; expected 1, or none: [^\n]*$"
    with pytest.raises(ValueError, match=message):
        load_model(tmp_path / "new")


@pytest.mark.parametrize("name", MAKERS)
def test_bytes_are_what_a_file_holds(name, tmp_path):
    model, X = trained(name)
    raw = model.to_bytes()
    model.save(tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == raw
    twin = load_model(raw)
    np.testing.assert_array_equal(twin.predict_proba_many(X), model.predict_proba_many(X))
    assert_same(twin.state(), model.state())
    assert_same(load_model(tmp_path / "m").state(), model.state())
    middle = len(raw) - 40
    for altered in (b"", raw[:7], raw[:-1], raw + b"x", raw[:middle] + bytes([raw[middle] ^ 1]) + raw[middle + 1 :]):
        with pytest.raises(ValueError, match=rf"a model of {len(altered):,} bytes: (not a model|damaged)"):
            load_model(altered)
    for header in (b"{}", b"[]", b'{"__metadata__": []}', b'{"__metadata__": {"streamlab": "1"}}'):
        with pytest.raises(ValueError, match="a model of"):
            load_model(len(header).to_bytes(8, "little") + header)


def test_nothing_that_a_file_names_is_imported(tmp_path):
    for name in ("this:Zen", "this", "os.system", ["SMART"], None):
        header = json.dumps({"format": 1, "learner": name, "parameters": "{}"})
        save_file({"a": np.zeros(1)}, tmp_path / "m", metadata={"streamlab": header})
        with pytest.raises(ValueError, match="m: unknown learner"):
            load_model(tmp_path / "m")
    assert "this" not in sys.modules


def test_a_state_that_lacks_or_invents_entries_is_refused():
    state = trained("SMART")[0].state()
    for key in ("parameters", "schema", "names", "bound", "key", "nodes", "clock", "capacity"):
        with pytest.raises(ValueError, match=f"lacks '{key}'|{key} is missing"):
            SMART.from_state({k: v for k, v in state.items() if k != key})
    with pytest.raises(ValueError, match=r"the state of SMART contradicts itself: its parameters .*'trees'"):
        SMART.from_state(state | {"parameters": '{"trees": 3}'})
    with pytest.raises(ValueError, match="names are not its schema's"):
        SMART.from_state(state | {"names": '[["a"], []]'})


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("learner", np.zeros(0), "learner"),
        ("format", [[]], r"has the format \[\[\]\]; expected 1"),
        ("parameters", "[" * 100_000 + "]" * 100_000, "parameters is not readable JSON .*; expected a JSON dictionary"),
        ("parameters", "[1]", r"parameters is \[1\]; expected a JSON dictionary"),
        ("parameters", '{"half_life": "' + "9" * 5000 + '"}', "half_life"),
        ("parameters", '{"n_trees": null}', "n_trees=None: expected a whole number"),
        ("schema", "[" * 100_000 + "]" * 100_000, "schema: expected a JSON text"),
        ("schema", "{}", "schema: features is missing: expected"),
        (
            "schema",
            '{"features": [["a", {}, null, null]], "labels": [], "parents": null}',
            r"features\[0\]\[1\]=.*expected",
        ),
        ("schema", '{"features": [], "labels": [[]], "parents": null}', r"labels\[0\]=\[\]: expected a text"),
        ("names", "[1, 2]", "names are not"),
        ("names", '[[{"a": 1}, 1, 2, 3], []]', "names"),
        ("bound", "x", "bound is 'x'; expected True or False"),
        ("key", 2**63, "key is 9223372036854775808; expected a whole number"),
        ("door_rows", 2**62, "door_rows is .*; expected a whole number, .* at most"),
    ],
)
def test_plain_values_are_refused_in_one_short_line_that_names_them(key, value, words, tmp_path):
    state = trained("SMART")[0].state() | {key: value}
    with pytest.raises(ValueError, match=words) as found:
        SMART.from_state(state)
    assert "SMART" in str(found.value)
    assert len(str(found.value)) < 600
    assert "\n" not in str(found.value)
    if isinstance(value, np.ndarray):
        return
    (tmp_path / "m").write_bytes(state_bytes(state))
    with pytest.raises(ValueError, match="/m: ") as found:
        load_model(tmp_path / "m")
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("given", [None, [], "x", np.zeros(3)])
def test_what_is_no_dictionary_is_no_state(given):
    with pytest.raises(ValueError, match=r"the state of SMART .* expected a dictionary"):
        SMART.from_state(given)


def test_a_step_of_a_pipeline_is_named():
    state = trained("Pipeline")[0].state()
    with pytest.raises(ValueError, match=r"the state of Pipeline .* step 1: the state of BalancedLDA .* 'sums'"):
        Pipeline.from_state({key: value for key, value in state.items() if key != "1.sums"})
    with pytest.raises(ValueError, match=r"the state of Pipeline .* step 0: unknown learner 1"):
        Pipeline.from_state(state | {"steps": "[1]"})


@pytest.mark.parametrize("name", MAKERS)
def test_a_damaged_file_is_told_by_its_checksum(name, tmp_path):
    path = tmp_path / "m"
    trained(name)[0].save(path)
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    with pytest.raises(
        ValueError, match=r"/m: damaged: its checksum is \w{8}; expected '\w{8}', as when it was written$"
    ):
        load_model(path)


def test_an_error_that_nobody_foresaw_names_the_learner():
    class Odd(SMART):
        def _set_state(self, state):
            raise KeyError("x")

    state = trained("SMART")[0].state() | {"learner": "Odd"}
    with pytest.raises(ValueError, match=r"the state of Odd contradicts itself: it cannot be read \(KeyError: 'x'\)"):
        Odd.from_state(state)
