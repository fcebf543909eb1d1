"""Blocks kept in the cache folder: read again, made again where damaged, never half-written."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.streams.fetch import kept_block

BLOCK = np.arange(6, dtype=np.float32).reshape(3, 2)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Maker:
    """Counts how often it was asked."""

    def __init__(self, values=BLOCK):
        self.values, self.times = values, 0

    def __call__(self):
        self.times += 1
        return self.values


def test_made_once(folder):
    make = Maker()
    for _ in range(3):
        np.testing.assert_array_equal(kept_block("b.npy", (3, 2), make), BLOCK)
    assert make.times == 1
    assert [path.name for path in folder.iterdir()] == ["b.npy"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-5]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"nonsense"),
        lambda path: np.save(path, BLOCK[:2]),
        lambda path: np.save(path, BLOCK.astype(np.float64)),
        lambda path: np.save(path, BLOCK * np.float32(np.nan)),
        lambda path: np.save(path, np.array([{}], object), allow_pickle=True),
        lambda path: np.savez(path.open("wb"), BLOCK),
    ],
)
def test_what_is_damaged_is_made_again(folder, damage):
    kept_block("b.npy", (3, 2), Maker())
    damage(folder / "b.npy")
    make = Maker()
    for _ in range(2):
        np.testing.assert_array_equal(kept_block("b.npy", (3, 2), make), BLOCK)
    assert make.times == 1


def test_a_write_that_breaks_off_leaves_nothing(folder, monkeypatch):
    def full(file, values):
        file.write(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(np, "save", full)
    np.testing.assert_array_equal(kept_block("b.npy", (3, 2), Maker()), BLOCK)
    assert list(folder.iterdir()) == []


def test_without_a_folder_it_is_made_each_time(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "file"))
    make = Maker()
    for _ in range(2):
        np.testing.assert_array_equal(kept_block("b.npy", (3, 2), make), BLOCK)
    assert make.times == 2


def test_what_fails_to_be_made_is_not_kept(folder):
    def fails():
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        kept_block("b.npy", (3, 2), fails)
    assert not folder.exists()
