"""The port of the metrics: to whom it answers, and what idle connections cost."""

from __future__ import annotations

import json
import socket
import threading
import urllib.error
import urllib.request

import pytest
from tests.lab.made import wait_until

from streamlab_live import http_server
from streamlab_live.http_server import MOST_PENDING_OF_ONE
from streamlab_live.service.telling import Metrics, Standing


@pytest.fixture
def metrics():
    made = Metrics(0, "127.0.0.1", ["watcher"])
    yield made
    made.close()
    made.close()


def ask(port, path="/metrics", method="GET", **headers):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)["error"] if method != "HEAD" else ""


def test_names_that_lead_here_from_elsewhere_are_refused(metrics):
    metrics.standing = Standing(position=7)
    for host in ("localhost", "127.0.0.1:1", "[::1]:9464", "Watcher:9464", socket.gethostname()):
        status, text = ask(metrics.port, Host=host)
        assert (status, "streamlab_rows_total 7.0" in text) == (200, True)
    assert ask(metrics.port, Host="elsewhere.example")[0] == 403
    assert ask(metrics.port, Origin="http://elsewhere.example")[0] == 403


def test_other_paths_and_methods_are_told(metrics):
    assert ask(metrics.port, "/") == (404, "expected /metrics")
    assert ask(metrics.port, method="DELETE") == (405, "expected GET")
    assert ask(metrics.port, method="HEAD")[0] == 405


def test_idle_connections_are_few_and_cut(metrics, monkeypatch):
    n = threading.active_count()
    held = [socket.create_connection(("127.0.0.1", metrics.port), timeout=60) for _ in range(400)]
    assert ask(metrics.port)[0] == 200
    server = metrics._server
    wait_until(lambda: len(server.pending) <= MOST_PENDING_OF_ONE, "most are gone")
    assert threading.active_count() == n
    for each in held:
        each.close()
    wait_until(lambda: not server.pending, "all are gone")
    monkeypatch.setattr(http_server, "HEADER_SECONDS", 0.3)
    cut = Metrics(0, "127.0.0.1")
    with socket.create_connection(("127.0.0.1", cut.port), timeout=60) as idle:
        assert idle.recv(1) == b""
    cut.close()
