"""The service: a real process that learns from a growing file, is killed, goes on, and reports its status."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import streamlab as sl
from streamlab._files import replacing
from streamlab.lab import Run

from live_tests.made import HEAD, FullDisk, lines
from live_tests.service.made import DEFINITION
from streamlab_live.service.definition import read_definition
from streamlab_live.service.service import FOLDER, Service, listed, newest_run
from streamlab_live.service.telling import Posting, webhook_of

PATIENCE = 240.0


def until(what: str, is_so) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return the file of a service, with the first rows there."""
    (tmp_path / "rows.csv").write_text(HEAD + lines(500))
    (tmp_path / "run.toml").write_text(DEFINITION)
    return tmp_path / "run.toml"


def started(file: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", "from streamlab.cli import main; main()", "watch", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip


def states(run: Run) -> dict[str, dict]:
    return {name: each.learner.state() for name, each in run.learner_runs.items()}


def same(one: dict, other: dict) -> bool:
    if one.keys() != other.keys():
        return False
    for name in one:
        a, b = one[name], other[name]
        assert a.keys() == b.keys()
        if any(repr(a[k]) != repr(b[k]) if not hasattr(a[k], "tobytes") else a[k].tobytes() != b[k].tobytes()
               for k in a):  # fmt: skip
            return False
    return True


def undisturbed(rows: str, tmp_path: Path) -> Run:
    """Return the run that nothing disturbed, over the same rows from an ordinary file."""
    path = tmp_path / "whole.csv"
    path.write_text(HEAD + rows)
    stream = sl.load(path, labels=["alarm", "late"])
    run = Run(stream, {"SMART": sl.SMART(half_life=100, n_trees=3, seed=1), "no-change": sl.NoChange()}, chunk=20)
    run.advance()
    return run


@pytest.mark.nightly
def test_killed_at_any_instant_it_goes_on_where_the_rows_are(made, tmp_path):
    rows, draw = tmp_path / "rows.csv", random.Random(5)
    told = rows.read_text().removeprefix(HEAD)
    for life in range(4):
        service = started(made)
        try:
            before = listed(tmp_path / "run")
            until(
                "a snapshot",
                lambda before=before, service=service: listed(tmp_path / "run")[:1] != before[:1] or service.poll(),
            )
            assert service.poll() is None, service.communicate()[0]
            more = lines(200 + 37 * life, seed=100 + life)
            with rows.open("a") as file:
                file.write(more)
            told += more
            time.sleep(draw.random() * 0.3)  # the kill may come anywhere in what follows
        finally:
            os.killpg(service.pid, signal.SIGKILL)
            service.communicate()
    service = started(made)
    try:
        whole = told.count("\n") // 20 * 20
        until("all rows", lambda: (listed(tmp_path / "run") or [(0, "")])[0][0] == whole or service.poll() is not None)
    finally:
        service.send_signal(signal.SIGTERM)
        said = service.communicate(timeout=PATIENCE)[0]
    assert service.returncode == 0, said
    assert f"stopped after {whole:,} rows" in said
    found = newest_run(tmp_path / "run", sl.load(tmp_path / "run" / "journal"))
    assert found is not None
    assert found.position == whole
    kept = "\n".join(told.splitlines()[:whole]) + "\n"
    assert same(states(found), states(undisturbed(kept, tmp_path)))
    assert len(listed(tmp_path / "run")) == 2


class Hook(BaseHTTPRequestHandler):
    got: list[dict]
    answers: list[int]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        code = self.answers.pop(0) if self.answers else 200
        if code == 200:
            self.got.append(json.loads(body))
        self.send_response(code)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hook() -> Iterator[tuple[str, type[Hook]]]:
    handler = type("Handler", (Hook,), {"got": [], "answers": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/secret-path", handler
    server.shutdown()
    server.server_close()


def test_metrics_and_alarms_of_a_service(made, tmp_path, hook, monkeypatch):
    address, handler = hook
    monkeypatch.setenv("STREAMLAB_WEBHOOK", address)
    made.write_text(DEFINITION + '[metrics]\nport = 0\nmeasures = ["micro_f1"]\n[alarms]\nkinds = ["finished"]\n')
    said: list[str] = []
    service = Service(read_definition(made), said.append)
    thread = threading.Thread(target=service.serve)
    thread.start()
    try:
        assert service.metrics is not None

        def metrics() -> str:
            with urllib.request.urlopen(f"http://127.0.0.1:{service.metrics.port}/metrics", timeout=60) as answer:
                return answer.read().decode()

        until("500 rows", lambda: "streamlab_rows_total 500.0" in metrics())
        text = metrics()
        for part in (
            'streamlab_measure{learner="SMART",measure="micro_f1"}', "streamlab_journal_rows 500.0",
            "streamlab_lag 0.0", "streamlab_connected 1.0", "process_resident_memory_bytes",
            'streamlab_learner_bytes{learner="no-change"}',
        ):  # fmt: skip
            assert part in text
        with (tmp_path / "rows.csv").open("a") as file:
            file.write("warm,0.5,1,0\n")
        until("a bad message", lambda: "streamlab_bad_messages_total{" in metrics())
        service.stream.end()
    finally:
        thread.join(PATIENCE)
    assert not thread.is_alive()
    assert [each["kind"] for each in handler.got] == ["finished"]
    assert handler.got[0]["row"] == 500
    assert not any("secret-path" in line for line in said)
    again = Service(read_definition(made), said.append)
    assert "resumed after 500 rows" in said
    assert again.run.finished
    again.serve()


def test_what_is_held_and_what_is_not_learned_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("streamlab_live.service.service.HELD_SECONDS", 0.5)
    (tmp_path / "rows.csv").write_text("id,at,x\n" + "".join(f"{i},{1000 + i},{i / 4}\n" for i in range(217)))
    labels = "".join(f"{i},{1003 + i},{i % 2}\n" for i in range(200)) + "1,5,much\n"
    (tmp_path / "labels.csv").write_text("id,at,hot\n" + labels)
    address = "tail:rows.csv?label_topic=labels.csv&key=id&labels=hot&time=at&label_time=at&within_seconds=20"
    (tmp_path / "run.toml").write_text(
        f'stream = "{address}"\nchunk = 30\n[learners]\n"no-change" = {{ use = "NoChange" }}\n[metrics]\nport = 0\n'
    )
    said: list[str] = []
    service = Service(read_definition(tmp_path / "run.toml"), said.append)
    thread = threading.Thread(target=service.serve)
    thread.start()
    try:
        until("it is told", lambda: any(each.endswith(" rows wait for labels") for each in said))
        with urllib.request.urlopen(f"http://127.0.0.1:{service.metrics.port}/metrics", timeout=60) as answer:
            text = answer.read().decode()
    finally:
        service.stop()
        thread.join(PATIENCE)
    given = service.stream.available
    assert service.run.position == given // 30 * 30 < given
    assert f'streamlab_held_rows{{for="labels"}} {217 - given}.0' in text
    assert 'streamlab_refused_total{column="hot",reason="wrong type",topic="labels"} 1.0' in text
    rest = given % 30
    assert service.closing_line() == (
        f"stopped after {given - rest:,} rows; in the journal, not learned yet: {rest} (a chunk has 30); "
        f"{217 - given} rows wait for labels"
    )


def test_words_in_a_column_of_numbers_alarm_by_name_and_count(made, tmp_path, hook, monkeypatch):
    address, handler = hook
    monkeypatch.setenv("STREAMLAB_WEBHOOK", address)
    rows = tmp_path / "rows.csv"
    made.write_text(DEFINITION.replace("&columns=heat,load,alarm,late", "&learn_seconds=1"))
    rows.write_text(HEAD + "much,0.5,1,0\n" + lines(300) + "much,0.5,1,0\n")  # also among the first rows
    service = Service(read_definition(made), lambda line: None)
    thread = threading.Thread(target=service.serve)
    thread.start()
    try:
        until("the alarm", lambda: handler.got)
        with rows.open("a") as file:
            file.write("much,0.5,1,0\n" * 3 + "0.5,0.5,1,5\n" + lines(20))
        until("the rows", lambda: service.run.position == 320)
        until("the other alarm", lambda: len(handler.got) == 2)
    finally:
        service.stop()
        thread.join(PATIENCE)
    heat = [each for each in handler.got if each["name"] == "wrong type: heat"]
    assert {each["kind"] for each in handler.got} == {"refused"}
    assert [each["name"] for each in handler.got if each not in heat] == ["wrong type: late"]
    # the first at once, what followed when a minute is over or the service ends
    assert sum(each["count"] for each in heat) == 5
    assert "messages were refused (wrong type: heat); the last: the column 'heat' is 'much'" in heat[-1]["message"]
    dead = (tmp_path / "run" / "journal" / "dead_letters.jsonl").read_text().splitlines()
    assert [json.loads(each)["kind"] for each in dead] == ["wrong type"] * 6


def test_a_full_disk_is_told_alarmed_and_counted(made, tmp_path, hook, monkeypatch):
    address, handler = hook
    monkeypatch.setenv("STREAMLAB_WEBHOOK", address)
    made.write_text(DEFINITION + "[metrics]\nport = 0\n")
    said: list[str] = []
    service = Service(read_definition(made), said.append)
    until("the rows", lambda: service.stream.available == 500)
    disk = FullDisk(service.stream.journal, 10**6)
    thread = threading.Thread(target=service.serve)
    thread.start()
    try:
        with (tmp_path / "rows.csv").open("a") as file:
            file.write(lines(20))
        until("the alarm", lambda: handler.got)
        until("the metric", lambda: service.metrics.standing.events.get(("", "trouble")) == 1)
        disk.fails = 0
        until("what was refused is learned", lambda: service.run.position == 520)
        until("it is over", lambda: any(": over: the journal cannot be written" in each for each in said))
    finally:
        service.stop()
        thread.join(PATIENCE)
    assert handler.got[0]["kind"] == "trouble"
    assert handler.got[0]["message"].startswith("the journal cannot be written, so no row is accepted: ")


KILLED = """
import os, signal, sys
from streamlab._files import replacing
with replacing(sys.argv[1]):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_kill_left_of_a_snapshot_is_removed_and_nothing_else(made, tmp_path):
    folder = tmp_path / "run" / FOLDER
    folder.mkdir(parents=True)
    subprocess.run([sys.executable, "-c", KILLED, str(folder / f"{200:015d}.slab")], check=False)
    left = [each.name for each in folder.iterdir()]
    assert len(left) == 1, "a kill leaves its part"
    (folder / ".notes.part").touch()
    writing, end = threading.Event(), threading.Event()

    def write() -> None:
        with replacing(folder / f"{100:015d}.slab"):
            writing.set()
            end.wait(PATIENCE)

    thread = threading.Thread(target=write)
    thread.start()
    writing.wait(PATIENCE)
    said: list[str] = []
    service = Service(read_definition(made), said.append)
    service.close()
    there = {each.name for each in folder.iterdir()} - {".notes.part"}
    end.set()
    thread.join()
    assert len(there) == 1, "that of a process that still writes"
    assert there.isdisjoint(left)
    assert "removed 1 unfinished snapshot of a service that was killed" in said
    assert (folder / ".notes.part").exists()


def test_an_alarm_says_which_error_of_whom_from_what_to_what(tmp_path, hook, monkeypatch):
    address, handler = hook
    monkeypatch.setenv("STREAMLAB_WEBHOOK", address)
    draw = random.Random(1)
    values = [draw.random() for _ in range(3000)]
    rows = "".join(f"{a:.3f},{int((a > 0.5) != (i > 1500))}\n" for i, a in enumerate(values))
    (tmp_path / "rows.csv").write_text("heat,alarm\n" + rows)
    (tmp_path / "run.toml").write_text(
        'stream = "tail:rows.csv?labels=alarm"\n[learners]\n"the tree" = { use = "MLHAT" }\n'
    )
    service = Service(read_definition(tmp_path / "run.toml"), lambda line: None)
    until("the rows", lambda: service.stream.available == 3000)
    service.stream.end()
    service.serve()
    drift = next(each for each in handler.got if each["kind"] == "drift")
    assert (drift["learner"], drift["title"]) == ("the tree", "Drift: the error of a branch changed")
    before, after = drift["numbers"]["error before"], drift["numbers"]["error after"]
    assert f"(mean loss of its answers) rose from {before:.3f} to {after:.3f}" in drift["message"]


def test_posting_tries_again_and_tells_what_is_lost(hook):
    address, handler = hook
    handler.answers += [500, 503]
    said: list[str] = []
    posting = Posting(address, said.append, first_wait=0.01)
    posting.post({"n": 1})
    until("posted", lambda: posting.posted == 1)
    handler.answers += [404]
    posting.post({"n": 2})
    until("lost", lambda: posting.lost == 1)
    posting.close()
    assert handler.got == [{"n": 1}]
    assert said == ["an alarm could not be posted: the webhook answers 404"]


def test_an_answer_that_is_no_http_does_not_end_the_posting():
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            for place in range(6):  # four tries of the first alarm, one each of two more
                connection = server.accept()[0]
                connection.recv(65536)
                connection.sendall(b"garbage\r\n\r\n" if place < 4 else b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                connection.close()

        threading.Thread(target=answer, daemon=True).start()
        posting = Posting(f"http://127.0.0.1:{server.getsockname()[1]}/secret-path", said.append, first_wait=0.01)
        for row in range(3):
            posting.post({"row": row})
        until("all", lambda: posting.lost + posting.posted == 3)
        posting.close()
    assert (posting.lost, posting.posted) == (1, 2)
    assert said == ["an alarm could not be posted: the webhook cannot be reached (BadStatusLine)"]


def test_an_address_that_nobody_can_be_asked_at_loses_the_alarm_and_no_more():
    said: list[str] = []
    posting = Posting("http://127.0.0.1:9/secret path", said.append, first_wait=0.01)
    for row in range(2):
        posting.post({"row": row})
    until("both", lambda: posting.lost == 2)
    posting.close()
    assert said == ["an alarm could not be posted: the webhook cannot be reached (InvalidURL)"] * 2


@pytest.mark.parametrize(
    "secret", ["s3cret token", "s3cret\ttoken", "s3cret\n", "s3cret\x7f", "s3crêt", "s3cret\u2028"]
)
def test_an_address_of_a_webhook_with_a_blank_is_refused(monkeypatch, secret):
    monkeypatch.setenv("HOOK", f"https://example.org/{secret}")
    with pytest.raises(ValueError, match="HOOK: the address of the webhook holds a blank") as refused:
        webhook_of("HOOK")
    assert "s3c" not in str(refused.value)


def test_the_address_of_the_webhook_is_never_told(tmp_path, monkeypatch):
    monkeypatch.setenv("HOOK", "file:///etc/passwd?token=abc")
    with pytest.raises(ValueError, match="HOOK: it does not hold the address of a webhook") as refused:
        webhook_of("HOOK")
    assert "abc" not in str(refused.value)
    monkeypatch.setenv("HOOK", "")
    assert webhook_of("HOOK") is None
    (tmp_path / "hook").write_text("https://example.org/x\n")
    monkeypatch.setenv("HOOK_FILE", str(tmp_path / "hook"))
    assert webhook_of("HOOK") == "https://example.org/x"


def test_a_damaged_snapshot_is_told_and_the_one_before_taken(made, tmp_path):
    said: list[str] = []
    service = Service(read_definition(made), said.append)
    until("the rows", lambda: service.stream.available >= 500)
    for _ in range(2):
        service.run.advance(200)
        service._save()
    service.close()
    newest = listed(tmp_path / "run")[0][1]
    newest.write_bytes(newest.read_bytes()[:-50])
    again = Service(read_definition(made), said.append)
    assert again.run.position == 200
    assert any("a snapshot cannot be opened" in line and newest.name in line for line in said)
    again.close()
    for _, path in listed(tmp_path / "run"):
        path.write_bytes(b"")
    with pytest.raises(ValueError, match=rf"{FOLDER}: no snapshot can be opened"):
        Service(read_definition(made), said.append)


def test_another_service_in_the_same_folder_is_refused(made, tmp_path):
    service = Service(read_definition(made), lambda line: None)
    until("the rows", lambda: service.stream.available >= 500)
    service.run.advance(40)
    service._save()
    with pytest.raises(ValueError, match="journal"):
        Service(read_definition(made), lambda line: None)
    service.close()
    made.write_text(DEFINITION.replace('"no-change"', "other"))
    with pytest.raises(ValueError, match=r"its snapshots have the learners SMART, no-change; expected SMART, other"):
        Service(read_definition(made), lambda line: None)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("chunk = 20", "chunk = 0"), r"run\.toml: chunk=0: expected a whole number from 1 to"),
        (("chunk = 20", "chunks = 20"), r"chunks is unknown: expected stream, learners, .*; did you mean 'chunk'"),
        (("keep = 2", "kept = 2"), r"snapshots\.kept is unknown: expected every_seconds, keep"),
        (("every_seconds = 0.2", "every_seconds = -1"), r"snapshots\.every_seconds=-1: expected seconds, above 0"),
        (("half_life = 100", "half_live = 100"), r"learners\['SMART'\].*half_live"),
        (('stream = "tail', 'strem = "tail'), r"strem is unknown"),
        (("[learners]", "[learners"), r"it is not valid TOML"),
    ],
)
def test_what_is_wrong_with_the_file_is_said(made, change, said):
    made.write_text(DEFINITION.replace(*change))
    with pytest.raises(ValueError, match=said):
        read_definition(made)


def test_a_learner_that_no_snapshot_holds_is_refused_before_it_learns(made, tmp_path):
    text = DEFINITION.replace('"no-change" = { use = "NoChange" }', 'NB = "NB one per label"')
    made.write_text(text)
    for _ in range(2):  # the folder of the first try is not a hindrance
        with pytest.raises(ValueError, match="learners: 'NB' cannot be kept in a snapshot"):
            Service(read_definition(made), tell=lambda line: None)
