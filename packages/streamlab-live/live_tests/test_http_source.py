"""The endpoint: rows on the disk before the answer; bounds, tokens, repeated requests, pages of others."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
import urllib.error
import urllib.request

import numpy as np
import pytest
import streamlab as sl
from tests.lab.made import wait_until

from live_tests.made import FullDisk
from streamlab_live.http_server import BODY_BYTES, MOST_PENDING_OF_ONE
from streamlab_live.http_source import MOST_ROWS, TOKEN, HttpSource

ADDRESS = "http://localhost:0/rows?columns=a,b&labels=u"
ROW = b'{"a": 1.5, "b": 2, "u": 1}'


@pytest.fixture
def serve(tmp_path):
    """Opens endpoints with a journal in the test's folder, and closes them at the end."""
    made = []

    def make(address=ADDRESS, **options):
        made.append(sl.load(address, **{"journal": str(tmp_path / "journal"), **options}))
        return made[-1]

    yield make
    for stream in made:
        stream.close()


def send(stream, body, path=None, method="POST", **headers):
    own = stream.reader.source.url
    return send_to(own if path is None else own.rpartition("/")[0] + path, body, method, **headers)


def send_to(url, body, method="POST", **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, data=body, headers=named, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error), dict(error.headers)


def answered(connection):
    """Return all that comes until the other side hangs up."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(4096):
            said += part
    return said


def rows(stream):
    parts = [record.X for record in stream.journal.read()]
    return np.concatenate(parts).tolist() if parts else []


@pytest.mark.parametrize(
    ("body", "n"),
    [
        (ROW, 1),
        (b"[" + ROW + b"," + ROW + b"]", 2),
        (ROW + b"\n" + ROW + b"\r\n\n" + ROW, 3),
        (b'{\n "a": 1.5,\n "b": 2,\n "u": 1\n}', 1),
    ],
)
def test_rows_are_in_the_journal_when_they_are_answered(serve, tmp_path, body, n):
    stream = serve()
    status, told, _ = send(stream, body)
    assert (status, told) == (202, {"rows": n, "refused": {}})
    assert sl.load(tmp_path / "journal").most_rows == n, "another process sees them at once"
    assert rows(stream) == [[1.5, 2.0]] * n


def test_messages_are_counted_from_the_place_where_reading_goes_on():
    source = HttpSource()
    source.seek({"http": 7})
    sender = threading.Thread(target=send_to, args=(source.url, ROW + b"\n" + ROW))
    sender.start()
    first, second = source.poll(10, 30.0)
    assert (first.partition, first.offset, second.offset, first.value) == ("http", 8, 9, ROW)
    source.settled({})
    sender.join()
    source.close()


def test_what_is_refused_is_answered_row_by_row(serve):
    stream = serve()
    status, told, _ = send(stream, b"[" + ROW + b', {"a": "x"}, 7, ' + ROW + b"]")
    assert status == 202
    assert told["rows"] == 2
    assert set(told["refused"]) == {"1", "2"}
    assert "not JSON" in told["refused"]["2"]
    assert sum(stream.status().bad.values()) == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"[1,", 400),
        (b"[" * 50_000, 400),
        (b"\n".join([b"{}"] * (MOST_ROWS + 1)), 400),
        (b"[" + b"{}," * 2_700_000 + b"{}]", 400),
        (b" " * (BODY_BYTES + 1), 413),
    ],
)
def test_a_body_that_is_none_is_refused(serve, body, status):
    stream = serve()
    assert send(stream, body)[0] == status
    assert rows(stream) == []
    assert send(stream, ROW)[0] == 202, "and it goes on"


def test_a_repeated_request_is_taken_once_also_after_a_restart(serve):
    stream = serve()
    for repeated in (False, True):
        status, told, _ = send(stream, ROW, Idempotency_Key="one")
        assert (status, told.get("repeated", False)) == (202, repeated)
    assert send(stream, ROW)[0] == send(stream, ROW)[0] == 202
    stream.close()
    stream = serve()
    assert send(stream, ROW, Idempotency_Key="one")[1]["repeated"]
    assert not send(stream, ROW, Idempotency_Key="two")[1].get("repeated")
    assert len(rows(stream)) == 4
    assert send(stream, ROW, Idempotency_Key="x" * 300)[0] == 400


def test_a_repeated_request_that_comes_before_the_journal_is_open_is_taken_once():
    source = HttpSource()
    answers = {}

    def ask(key):
        answers[key] = send_to(source.url, ROW, Idempotency_Key=key)

    senders = [threading.Thread(target=ask, args=(key,)) for key in ("one", "two")]
    for sender in senders:
        sender.start()
    wait_until(lambda: source.lag() == 2, "both requests")
    source.remember(["key one"])
    source.seek({"http": 1})
    assert [message.offset for message in source.poll(10, 30.0)] == [2]
    assert source.notes() == ["key two"]
    source.settled({})
    for sender in senders:
        sender.join()
    assert {key: (status, told["rows"]) for key, (status, told, _) in answers.items()} == {
        "one": (202, 0),
        "two": (202, 1),
    }
    source.close()


def test_many_clients_at_once_lose_nothing(serve):
    stream = serve()
    answers = []

    def client(k):
        for i in range(20):
            answers.append(send(stream, json.dumps({"a": k, "b": i, "u": 0}).encode(), Idempotency_Key=f"{k}-{i}")[0])

    threads = [threading.Thread(target=client, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == [202] * 160
    assert sorted(rows(stream)) == [[float(k), float(i)] for k in range(8) for i in range(20)]


def test_under_backpressure_it_says_when_to_come_again(serve):
    stream = serve(most_ahead=5)
    assert send(stream, b"\n".join([ROW] * 6))[0] == 202
    wait_until(lambda: stream.status().is_full, "that it is full")
    _, told, headers = wait_until(lambda: (a := send(stream, ROW))[0] == 503 and a, "503")
    assert headers["Retry-After"]
    assert "later" in told["error"]
    assert not send(stream, None, method="GET")[1]["reads"]
    next(stream.chunks(6))
    wait_until(lambda: send(stream, ROW)[0] == 202, "that it takes rows again")
    assert len(rows(stream)) == 7


def test_only_this_machine_sends_rows_without_a_token(monkeypatch, tmp_path):
    monkeypatch.delenv(TOKEN, raising=False)
    for host in ("0.0.0.0", "[::]", "example.org", "192.0.2.1"):
        with pytest.raises(ValueError, match=TOKEN):
            HttpSource(host)


def test_a_token_is_asked_for_and_never_shown(serve, monkeypatch):
    monkeypatch.setenv(TOKEN, "open-sesame")
    stream = serve()
    for given in (
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "open-sesame"},
        {"Authorization": "Bearer ü"},
    ):
        try:
            assert send(stream, ROW, **given)[0] == 401
        except UnicodeEncodeError:
            continue
    assert send(stream, ROW, Authorization="Bearer open-sesame")[0] == 202
    assert "open-sesame" not in repr((stream, stream.status(), stream.recipe, stream.guarantee, vars(stream.journal)))


def test_pages_of_a_browser_send_nothing_without_a_token(serve):
    stream = serve()
    assert send(stream, ROW, Origin="http://elsewhere.example")[0] == 403
    assert send(stream, ROW, path="/other")[0] == 404
    assert rows(stream) == []


def test_requests_that_are_no_http_change_nothing(serve):
    stream = serve()
    port = stream.reader.source.port
    post = b"POST /rows HTTP/1.1\r\n"
    for raw in (
        b"\0\1\2\r\n\r\n",
        post + b"Content-Length: -5\r\n\r\n",
        post + b"Content-Length: 9\r\n\r\nab",
        post + b"Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        post + b"Host: localhost\r\nContent-Length: 26\r\nContent-Length: 26\r\n\r\n" + ROW,
        post + b"Host: localhost\r\nContent-Length: 26\r\nContent-Length: 2\r\n\r\n" + ROW,
        post + b"Host: localhost\r\nHost: elsewhere\r\nContent-Length: 26\r\n\r\n" + ROW,
        post + b"Content-Length: 26\r\n\r\n" + ROW,
        b"GET /rows HTTP/1.1\r\n\r\n",
    ):
        with socket.create_connection(("localhost", port), timeout=60) as connection:
            connection.sendall(raw)
            connection.shutdown(socket.SHUT_WR)
            assert not answered(connection).startswith(b"HTTP/1.1 2")
    assert send(stream, ROW)[0] == 202
    assert len(rows(stream)) == 1


def test_a_connection_is_used_again(serve):
    stream = serve()
    connection = http.client.HTTPConnection("localhost", stream.reader.source.port, timeout=60)
    for _ in range(3):
        connection.request("POST", "/rows", ROW)
        answer = connection.getresponse()
        assert (answer.status, json.load(answer)["rows"]) == (202, 1)
    connection.close()


def test_columns_are_learnt_from_the_first_request(serve):
    found = []
    stream_of = threading.Thread(target=lambda: found.append(serve("http://localhost:0/rows", labels=["u"], learn=20)))
    made = []
    begin = HttpSource.__init__

    def noted(self, *args, **options):
        begin(self, *args, **options)
        made.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HttpSource, "__init__", noted)
        stream_of.start()
        source = wait_until(lambda: made and made[0], "the endpoint")
        body = b"\n".join(
            b'{"a": %d, "w": "%s", "u": %d}' % (i * i, b"xy"[i % 2 : i % 2 + 1], i % 2) for i in range(20)
        )
        request = urllib.request.Request(source.url, data=body)
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["rows"] == 20
    stream_of.join(60)
    assert found[0].schema.feature_names == ("a", "w")
    assert found[0].available == 20


def test_closing_answers_who_waits(serve):
    stream = serve()
    stream.close()
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        send(stream, ROW)
    stream.close()


def test_a_port_that_is_taken_is_told(serve):
    stream = serve()
    if not hasattr(socket, "SO_REUSEADDR"):
        pytest.skip("no such option")
    with pytest.raises(ValueError, match="cannot listen"):
        HttpSource("localhost", stream.reader.source.port)


def test_more_rows_than_a_record_takes_are_refused(serve, monkeypatch):
    from streamlab_live import reader as readers

    monkeypatch.setattr(readers, "RECORD_BYTES", 8 * 20)
    stream = serve()
    wide = stream.schema.n_features
    status, told = send(stream, b"\n".join(b"{}" for _ in range(20 // wide + 1)))[:2]
    assert status == 413
    assert "in one request" in json.dumps(told)


def test_names_that_lead_here_from_elsewhere_are_refused(serve, monkeypatch):
    stream = serve()
    port = stream.reader.source.port
    for host in ("localhost", f"127.0.0.1:{port}", "[::1]"):
        assert send(stream, ROW, Host=host)[0] == 202
    status, told, _ = send(stream, ROW, Host=f"elsewhere.example:{port}")
    assert (status, told["error"]) == (403, f"this machine is not 'elsewhere.example:{port}'")
    stream.close()
    monkeypatch.setenv(TOKEN, "open-sesame")
    stream = serve()
    assert send(stream, ROW, Host="lab.example", Authorization="Bearer open-sesame")[0] == 202


@contextlib.contextmanager
def slow(port, n, first=b"POST /rows HTTP/1.1\r\nHost: localhost\r\n"):
    """Holds connections that have sent a part of their headers."""
    with contextlib.ExitStack() as all_:
        held = []
        for _ in range(n):
            held.append(all_.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)))
            held[-1].sendall(first)
        yield held


def test_who_holds_connections_pushes_out_their_own(serve, monkeypatch):
    monkeypatch.setenv(TOKEN, "open-sesame")
    stream = serve()
    port, token = stream.reader.source.port, {"Authorization": "Bearer open-sesame"}
    kept = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    kept.request("POST", "/rows", ROW, token)
    assert kept.getresponse().read()
    line = kept.sock
    with slow(port, MOST_PENDING_OF_ONE + 40) as held:
        for _ in range(5):
            assert send(stream, ROW, **token)[0] == 202
        kept.request("POST", "/rows", ROW, token)
        assert kept.getresponse().status == 202
        assert kept.sock is line, "an admitted one stays"
        said = answered(held[0])
        assert said.startswith(b"HTTP/1.1 503")
        assert b"Retry-After" in said
    kept.close()


def test_headers_that_drip_are_cut(serve, monkeypatch):
    from streamlab_live import http_server

    monkeypatch.setattr(http_server, "HEADER_SECONDS", 0.5)
    stream = serve()
    with slow(stream.reader.source.port, 1) as (held,):
        begun = time.monotonic()
        held.settimeout(0.1)
        cut = False
        while not cut and time.monotonic() - begun < 30:
            try:
                held.sendall(b"a")
                cut = held.recv(1) == b""
            except TimeoutError:
                continue
            except OSError:
                cut = True
        assert cut


def test_a_body_that_drips_is_cut(serve, monkeypatch):
    from streamlab_live import http_server

    monkeypatch.setattr(http_server, "BODY_SECONDS", 0.3)
    stream = serve()
    first = b"POST /rows HTTP/1.1\r\nHost: localhost\r\nContent-Length: 26\r\n\r\n{"
    with slow(stream.reader.source.port, 1, first) as (held,):
        assert answered(held) == b""
    assert rows(stream) == []


def test_places_are_for_admitted_connections_and_those_without_come_again(serve, monkeypatch):
    from streamlab_live import http_server

    monkeypatch.setattr(http_server, "MOST_ADMITTED", 2)
    stream = serve()
    first = b"POST /rows HTTP/1.1\r\nHost: localhost\r\nContent-Length: 26\r\n\r\n{"
    with slow(stream.reader.source.port, 2, first):
        wait_until(lambda: len(stream.reader.source._server.admitted) == 2, "both are let in")
        status, told, headers = send(stream, ROW)
        assert (status, headers["Retry-After"]) == (503, "1")
        assert "seats" in told["error"]
    wait_until(lambda: send(stream, ROW)[0] == 202, "a seat")


def test_of_bodies_that_are_too_many_the_largest_is_refused(serve, monkeypatch):
    from streamlab_live import http_server

    monkeypatch.setattr(http_server, "BYTES_UNDER_WAY", 50_000)
    stream = serve()
    body = b'{"a": 1, "b": 2, "u": 1, "more": "' + b"x" * 60_000 + b'"}'
    first = b"POST /rows HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    with slow(stream.reader.source.port, 1, first + body[:20_000]):
        wait_until(lambda: stream.reader.source._server.under_way, "a part of the body")
        assert send(stream, ROW)[0] == 202
        assert send(stream, body)[0] == 503


def test_a_request_whose_rows_the_disk_does_not_take_is_answered_when_it_does(tmp_path):
    with sl.load(f"http://localhost:0/rows?columns=x&labels=hot&journal={tmp_path / 'j'}") as stream:
        body, key = b'{"x": 7, "hot": 1}', {"Idempotency-Key": "batch-17"}
        wait_until(lambda: stream.status().connected, "the reader")
        disk = FullDisk(stream.journal, 2)
        assert [send(stream, body, **key)[0] for _ in range(2)] == [503, 503]
        assert disk.failed == 2
        wait_until(lambda: send(stream, body, **key)[0] == 202, "the answer")
        assert stream.available == 1


def test_a_join_whose_disk_fails_writes_no_row_twice(tmp_path):
    n = 2000
    (tmp_path / "rows.jsonl").touch()
    (tmp_path / "labels.jsonl").touch()
    stream = sl.load(
        f"tail:{tmp_path / 'rows.jsonl'}",
        label_topic=str(tmp_path / "labels.jsonl"),
        **{"key": "id", "time": "at", "label_time": "at", "labels": "hot", "columns": "heat"},
        within_seconds=10,
        journal=tmp_path / "joined",
    )
    disk = FullDisk(stream.journal, 2)
    with stream:
        with open(tmp_path / "rows.jsonl", "w") as rows, open(tmp_path / "labels.jsonl", "w") as labels:
            for i in range(n):
                rows.write(json.dumps({"id": i, "at": 1000 + i, "heat": i}) + "\n")
                labels.write(json.dumps({"id": i, "at": 1000 + i + 2.5, "hot": i % 2}) + "\n")
        wait_until(lambda: stream.available >= n - 10, "the rows with labels")
    assert disk.failed == 2
    heat = np.concatenate([record.X[:, 0] for record in stream.journal.read(0)])
    np.testing.assert_array_equal(heat, np.arange(len(heat)))


def test_rows_may_be_long():
    with sl.load("http://localhost:0/rows?labels=u&columns=a&ignore=note&most_bytes=8000000") as stream:
        body = json.dumps({"a": 2, "u": 1, "note": "n" * (3 << 20)}).encode()
        with urllib.request.urlopen(stream.reader.source.url, body, timeout=60) as answer:
            assert json.load(answer) == {"rows": 1, "refused": {}}
