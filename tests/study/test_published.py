"""Published figures: read from a folder, fetched with their checksum, or refused."""

from __future__ import annotations

import hashlib
import importlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pandas as pd
import pytest

import streamlab as sl
from tests.study.published_figures import FOLDER

module = importlib.import_module("streamlab.study.published_figures")
LEARNERS = ",".join(f"L{j}" for j in range(17))


def made(value: float, never: str) -> bytes:
    """A file like the published ones: 41 streams, 17 learners; the last learner did not finish the last stream."""
    lines = [f"Dataset,{LEARNERS}"]
    lines += [f"s{i}," + ",".join([str(value)] * 16 + [never if i == 40 else str(value)]) for i in range(41)]
    return "\n".join(lines).encode()


@pytest.fixture
def mirror(monkeypatch, tmp_path):
    """A server of made files under the published names; yields what it was asked."""
    served = {"example_f1.csv": made(0.5, "0"), "time_s.csv": made(7.5, "999999999999")}
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path.rpartition("/")[2])
            data = served[asked[-1]]
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    measures = {"example_f1": "example_f1.csv", "seconds": "time_s.csv"}
    files = {m: (name, hashlib.sha256(served[name]).hexdigest(), len(served[name])) for m, name in measures.items()}
    monkeypatch.setattr(module, "FILES", files)
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("STREAMLAB_MIRROR", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield served, asked
    server.shutdown()
    server.server_close()
    thread.join()


def test_fetched_once_then_from_the_cache(mirror, tmp_path):
    _, asked = mirror
    table = sl.published("mlhat", "example_f1")
    again = sl.published("mlhat", "example_f1")
    pd.testing.assert_frame_equal(table, again)
    assert asked == ["example_f1.csv", "time_s.csv"]
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == ["mlhat-example_f1.csv", "mlhat-time_s.csv"]
    never = table[table.status == "unfinished"]
    assert never[["learner", "stream"]].to_numpy().tolist() == [["L16", "s40"]]
    assert never.example_f1.isna().all(), "the zero in the file is not a score"


def test_a_file_that_is_not_the_published_one_is_refused(mirror):
    served, _ = mirror
    served["example_f1.csv"] = made(0.6, "0")
    with pytest.raises(ValueError, match="its SHA-256 differs"):
        sl.published("mlhat", "example_f1")


def test_a_folder_is_read_and_missing_files_are_named(tmp_path):
    (tmp_path / "time_s.csv").write_bytes(made(7.5, "999999999999"))
    assert len(sl.published("mlhat", "seconds", folder=tmp_path)) == 41 * 17
    with pytest.raises(ValueError, match=r"has no file 'example_f1\.csv'"):
        sl.published("mlhat", "example_f1", folder=tmp_path)
    (tmp_path / "example_f1.csv").write_text("Dataset,A\ns,0.5\n")
    with pytest.raises(ValueError, match="expected 41 streams and 17 learners"):
        sl.published("mlhat", "example_f1", folder=tmp_path)


def test_unknown_names_are_said():
    with pytest.raises(ValueError, match="name='smart': expected 'mlhat' or 'mlhat-paper'"):
        sl.published("smart")
    with pytest.raises(ValueError, match="measure='seconds': expected 'example_f1' or None"):
        sl.published("mlhat-paper", "seconds")


@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the published figures are not in {FOLDER}")
def test_the_files_are_those_that_are_fetched():
    for name, sha256, n_bytes in module.FILES.values():
        data = (FOLDER / name).read_bytes()
        assert (hashlib.sha256(data).hexdigest(), len(data)) == (sha256, n_bytes)
    table = sl.published("mlhat", folder=FOLDER)
    never = table[table.status != "done"].groupby("learner").stream.agg(lambda names: sorted(names)).to_dict()
    assert never == {
        "SGT": ["Nuswideb", "Nuswidec", "YahooSociety"],
        "MT": ["Nuswideb"],
        "AMF": ["Eurlex", "Imdb", "Nuswideb", "Nuswidec", "YahooSociety"],
        "MLBELS": ["Eurlex", "Nuswideb", "Nuswidec"],
    }


def test_published_figures_join_ones_own():
    own = pd.DataFrame(
        [
            ("mine", stream, seed, "done", 0.4)
            for stream in sl.published("mlhat-paper").stream.unique()
            for seed in (1, 2)
        ],
        columns=["learner", "stream", "seed", "status", "example_f1"],
    )
    found = sl.compare(pd.concat([sl.published("mlhat-paper"), own]), "example_f1", control="mine")
    assert found.friedman.learners == 20
    assert found.means["mine"] == pytest.approx(0.4)
