"""Fetching: checked, in the cache, told on the way; and blocks of numbers that are kept there."""

from __future__ import annotations

import hashlib
import importlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import streamlab as sl
from streamlab.streams.fetch import BASE_ADDRESSES, RemoteFile, fetch, remote_files

# The function `catalogue` stands in the package under the name of its module.
catalogue_module = importlib.import_module("streamlab.streams.catalogue")
fetch_module = importlib.import_module("streamlab.streams.fetch")

ARFF = "@relation tiny\n@attribute x numeric\n@attribute l {0,1}\n@data\n" + "5,1\n" * 3000
FILES = {"tiny.arff": ARFF.encode(), "tiny_test.arff": ARFF.encode(), "tiny.xml": b'<labels><label name="l"/></labels>'}


@pytest.fixture
def mirror(monkeypatch, tmp_path):
    """A server of ``served``, a registry of ``FILES``, an empty cache; yields (served, log of requests)."""
    served, asked = dict(FILES), []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.rpartition("/")[2]
            asked.append(name)
            if name not in served:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(FILES[name])))
            self.end_headers()
            self.wfile.write(served[name])

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    registry = {
        name: RemoteFile(name, hashlib.sha256(data).hexdigest(), len(data), "plain") for name, data in FILES.items()
    }
    monkeypatch.setattr(fetch_module, "remote_files", lambda: registry)
    monkeypatch.setattr(catalogue_module, "remote_files", lambda: registry)
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("STREAMLAB_MIRROR", f"http://127.0.0.1:{server.server_port}")
    catalogue_module.benchmark_sets.cache_clear()
    yield served, asked
    server.shutdown()
    server.server_close()
    thread.join()
    catalogue_module.benchmark_sets.cache_clear()


def kept(tmp_path):
    return sorted(p.name for p in (tmp_path / "cache").iterdir()) if (tmp_path / "cache").exists() else []


def where(name):
    return sl.catalogue().set_index("name")["where"][name]


def test_fetched_once_then_from_the_cache(mirror, tmp_path):
    _, asked = mirror
    assert where("tiny") == "fetched"
    assert asked == [], "listing asks no one"
    stream = sl.load("tiny")
    assert (stream.n_rows, stream.schema.labels, stream.name) == (3000, ("l",), "tiny")
    assert asked == ["tiny.xml", "tiny.arff"]
    assert kept(tmp_path) == ["tiny.arff", "tiny.xml"]
    assert where("tiny") == "cached"
    assert where("tiny_test") == "fetched"
    sl.load("tiny")
    assert len(asked) == 2
    assert sl.load("tiny_test").name == "tiny_test"
    assert asked[2:] == ["tiny_test.arff"]


@pytest.mark.parametrize(
    ("served_data", "message"),
    [
        (FILES["tiny.arff"].replace(b"5,1", b"5,0"), "is not the published file"),
        (b"", "was cut short; nothing"),
        (FILES["tiny.arff"][:7], "was cut short; nothing"),
        (FILES["tiny.arff"][:5000], "was cut short; nothing"),
    ],
    ids=["tampered", "empty", "7 bytes", "5,000 bytes"],
)
def test_tampered_or_cut_short(mirror, tmp_path, served_data, message):
    served, _ = mirror
    served["tiny.arff"] = served_data
    with pytest.raises(ValueError, match=f"tiny.arff: the download from http.* {message}") as caught:
        sl.load("tiny")
    assert "\n" not in str(caught.value)
    assert kept(tmp_path) == ["tiny.xml"]


def test_missing_on_the_server(mirror, tmp_path):
    served, _ = mirror
    del served["tiny.xml"]
    with pytest.raises(ConnectionError, match=r"tiny.xml: .*the server answered 404"):
        sl.load("tiny")
    assert kept(tmp_path) == []


def test_unreachable(mirror, tmp_path, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("STREAMLAB_MIRROR", f"http://127.0.0.1:{free.getsockname()[1]}")
    with pytest.raises(ConnectionError, match=r"tiny.xml: .* could not be fetched \(Connection refused\)") as caught:
        sl.load("tiny")
    assert "\n" not in str(caught.value)
    assert caught.value.__suppress_context__
    assert kept(tmp_path) == []


def test_a_damaged_cache_is_fetched_anew(mirror, tmp_path):
    _, asked = mirror
    path = fetch("tiny.arff")
    path.write_bytes(path.read_bytes()[:100])
    assert where("tiny") == "fetched"
    assert fetch("tiny.arff").read_bytes() == FILES["tiny.arff"]
    assert asked == ["tiny.arff"] * 2


def test_unknown_file(mirror):
    with pytest.raises(ValueError, match=r"'other.arff' is not among"):
        fetch("other.arff")


def test_registry_is_complete():
    files = remote_files()
    assert len(files) == 174
    assert all(len(f.sha256) == 64 and f.n_bytes > 0 and f.kind in BASE_ADDRESSES for f in files.values())
    for entry in catalogue_module.entries().values():
        assert all(file in files for file in entry.files)


def test_addresses(monkeypatch):
    file = remote_files()["emotions.arff"]
    monkeypatch.delenv("STREAMLAB_MIRROR", raising=False)
    assert file.url == BASE_ADDRESSES["lfs"] + "emotions.arff"
    monkeypatch.setenv("STREAMLAB_MIRROR", "http://there/")
    assert file.url == "http://there/emotions.arff"
