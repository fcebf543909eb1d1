"""Files of models: their format, states from before formats had a number, and what is refused."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from safetensors.numpy import save_file

from streamlab.learners import SMART, BalancedKNN, BalancedLDA, Pipeline, StandardScaler, load_model
from streamlab.learners.base.saving import write_state
from tests.learners.generated import generated, schema_of

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
    write_state(state, tmp_path / "old")
    for twin in (type(model).from_state(state), load_model(tmp_path / "old")):
        np.testing.assert_array_equal(twin.predict_proba_many(X), model.predict_proba_many(X))
        assert twin.state().keys() == {*state, "format"}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("given", [2, 0, "1", None, True])
def test_another_format_is_refused_in_one_line(name, given, tmp_path):
    state = trained(name)[0].state() | {"format": given}
    write_state(state, tmp_path / "new")
    with pytest.raises(ValueError, match=rf"new: the state has the format {given!r}; expected 1, or none: [^\n]*$"):
        load_model(tmp_path / "new")


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
    with pytest.raises(ValueError, match="the state of SMART has parameters that it does not take"):
        SMART.from_state(state | {"parameters": '{"trees": 3}'})
    with pytest.raises(ValueError, match="its names are not its schema's"):
        SMART.from_state(state | {"names": '[["a"], []]'})
