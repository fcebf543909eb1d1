"""Results on disk: damage is said, never read as other figures; files of before have no checksums and are read."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from streamlab.study.cell import Limits, run_cell
from streamlab.study.store import CHECK, META, Store
from tests.study.made import study


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """A key and its result's bytes."""
    cell = study(tmp_path_factory.mktemp("made"), learners=["NoChange"])._cells[0]
    return cell.key, run_cell(cell, Limits())


def kept(folder, key, content):
    store = Store(folder)
    store.path(key).write_bytes(content)
    return store


def outcome(read, key):
    """What is read, or what the ValueError says."""
    try:
        return read(key), None
    except ValueError as error:
        return None, str(error)


def test_a_flipped_bit_is_said_or_changes_nothing(result, tmp_path):
    key, content = result
    store = kept(tmp_path, key, content)
    about, curve = store.about(key), store.curve(key)
    rng = np.random.default_rng(1)
    damaged = 0
    for _ in range(400):
        bytes_ = bytearray(content)
        bytes_[rng.integers(len(bytes_))] ^= 1 << int(rng.integers(8))
        store = kept(tmp_path, key, bytes(bytes_))
        for read, good in ((store.about, about), (store.curve, curve)):
            found, said = outcome(read, key)
            if said is None:
                assert found == good if read == store.about else found.equals(good)
            else:
                damaged += 1
                assert str(store.path(key)) in said
    assert damaged > 100


def rewritten(content, folder, change):
    (folder / "old").write_bytes(content)
    table = pq.read_table(folder / "old")
    pq.write_table(table.replace_schema_metadata(change(dict(table.schema.metadata))), folder / "new")
    return (folder / "new").read_bytes()


def test_other_figures_are_refused_and_files_without_checksums_read(result, tmp_path):
    key, content = result

    def better(metadata):
        return metadata | {META: metadata[META].replace(b'"status": "done"', b'"status": "good"')}

    store = kept(tmp_path, key, rewritten(content, tmp_path, better))
    for read in (store.about, store.curve):
        with pytest.raises(ValueError, match=f"{key}.parquet: it is damaged; its checksums do not match"):
            read(key)
    good = json.loads(pq.read_metadata(tmp_path / "old").metadata[META])
    store = kept(tmp_path, key, rewritten(content, tmp_path, lambda metadata: {META: metadata[META]}))
    assert store.about(key) == good
    assert len(store.curve(key)) == 5
    # damaged in one of the words that a study looks up
    wordless = rewritten(content, tmp_path, lambda metadata: {META: metadata[META].replace(b'"status"', b'"statuz"')})
    with pytest.raises(ValueError, match=f"{key}.parquet: .* lacks key, status, message"):
        kept(tmp_path, key, wordless).about(key)
    assert CHECK in pq.read_metadata(tmp_path / "old").metadata
