"""Whether a live run on two Redis topics loses or learns twice any row, whatever is killed or cut beneath it.

``python -m tests.fuzz live [--minutes 10] [--rate 5000] [--kills 3] [--crashes 2] [--cuts 3] [--seed 1]
[--learner SMART] [--own-process] [--csv live.csv]``

A producer writes films as rows, ``--rate`` a second, and their labels 1 to 30 seconds later to another topic of a
``redis-server`` (``appendonly``, ``appendfsync always``); a share of the labels never comes, comes twice or is of
nobody. A consumer reads both as one stream (``label_topic=``), and a learner learns in a live run that saves itself
every ten seconds; with ``--own-process`` topics are read and joined in a process of their own. Beneath them the
consumer is ended by ``SIGKILL`` ``--kills`` times and started again from its archive and its journal, the server
``--crashes`` times and started again from its file, and all connections are cut ``--cuts`` times. Entries older than
``--keep`` seconds are trimmed from the topics.

Once a second a row goes to the CSV: rows sent, read, joined and learned, the consumer's memory, entries that wait.

At the end the journal is compared with what the join says of both topics, computed from the draws without Redis,
journals or threads; and the learner's state with that of a run on these rows, undisturbed. The exit code is 1 if a row
is missing or there twice, or anything differs by a bit.
"""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
import tempfile
import threading
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import ROOT, asked, console
from tests.fuzz.live_topics import LONGEST, WORDS_AT, Topics, film_arrays, options
from tests.live.redis_server import RedisServer

__all__ = ["joined", "main", "undisturbed"]

WITHIN = LONGEST - 1.0
"""The limit of the join in seconds: some labels are too late."""
FIELDS = ("seconds", "sent", "read", "joined", "learned", "waiting", "lag", "megabytes", "connected")


class Child:
    """A process that tells lines of JSON."""

    def __init__(self, module: str, **options: Any) -> None:
        self.told: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"tests.fuzz.{module}", json.dumps(options)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None, "it was asked for"
        for line in self.process.stdout:
            self.told.append(json.loads(line))

    @property
    def last(self) -> dict[str, Any]:
        """What it told last; {} before that."""
        return self.told[-1] if self.told else {}

    def wait_for(self, what: str, seconds: float) -> dict[str, Any]:
        """Return the first thing told that has this; raises OSError if it does not come."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if (found := next((each for each in self.told if what in each), None)) is not None:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise OSError(f"a process did not tell {what!r}; it ended with {self.process.poll()}")

    def kill(self) -> None:
        """End it with SIGKILL."""
        self.process.kill()
        self.process.wait()


def joined(topics: Topics) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return the rows that the join keeps, when their labels came, and its counts: from the draws alone."""
    from streamlab.live.joiner import Joiner

    joiner = Joiner(within_seconds=WITHIN)
    labels = topics.labels()
    kept, arrives = [], []

    def take() -> None:
        for each in joiner.take():
            kept.append(each.row)
            arrives.append(each.arrives)

    ahead = next(labels, None)
    for when, key, _ in topics.rows():
        while ahead is not None and ahead[0] <= when:
            joiner.add_labels([ahead[1]], [ahead[0] / 1000], [b"\0"])
            ahead = next(labels, None)
        joiner.add_rows([key], [when / 1000])
        take()
    while ahead is not None:
        joiner.add_labels([ahead[1]], [ahead[0] / 1000], [b"\0"])
        ahead = next(labels, None)
    joiner.end()
    take()
    return np.array(kept), np.array(arrives), joiner.counts


def undisturbed(kept: np.ndarray, arrives: np.ndarray) -> Any:
    """Return these rows of the topics as an ordinary stream, whose labels come when they came."""
    from streamlab.schema import Feature, Schema
    from streamlab.streams import Labelling, Stream

    X, Y, words, _ = film_arrays()

    class Known(Labelling):
        def arrives(self, rows: Any) -> np.ndarray:
            return arrives[np.asarray(rows, np.int64)]

    class Undisturbed(Stream):
        name = "undisturbed"
        labelling = Known()
        schema = Schema(
            tuple(Feature(f"f{j}", words if j == WORDS_AT else None) for j in range(X.shape[1])),
            tuple(f"l{j}" for j in range(Y.shape[1])),
        )

        def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
            for begin in range(start, len(kept), 1000):
                films = kept[begin : begin + 1000] % len(X)
                yield X[films], Y[films]

    return Undisturbed()


def compared(folder: Path, topics: Topics, learner: str, told: dict[str, Any]) -> bool:
    """Print what is missing, there twice or different, and return whether nothing is."""
    import streamlab as sl
    from streamlab.live.journal import Journal
    from tests.fuzz.live_consumer import begun

    kept, arrives, counts = joined(topics)
    keys = [int(key) for record in Journal.open(folder / "journal").read() for key in record.keys or ()]
    found = Counter(keys)
    lost = len(set(kept.tolist()) - found.keys())
    twice = sum(n - 1 for n in found.values())
    others = len(found.keys() - set(kept.tolist()))
    in_order = keys == kept.tolist()
    console.print(
        f"{topics.n:,} rows sent, {len(kept):,} have labels within {WITHIN:g} s; in the journal {len(keys):,}: "
        f"{lost:,} lost, {twice:,} twice, {others:,} that should not be there, {'in' if in_order else 'NOT in'} order"
    )
    console.print(f"the join counted {told['counts']}, and should have {counts.told()}")
    plain = undisturbed(kept, arrives)
    try:
        # opening it compares all rows, labels and their arrivals with those of the archive
        live = sl.Run.open(folder / "run.slab", plain, snapshots=0)
    except ValueError as error:
        console.print(f"the rows that were learned are others: {error}")
        return False
    run = begun(learner, plain, folder / "nothing")
    run.advance()
    states = [each.learner_runs[learner].learner.state() for each in (live, run)]
    same = states[0].keys() == states[1].keys() and all(
        np.array_equal(value, states[1][name], equal_nan=isinstance(value, np.ndarray) and value.dtype.kind == "f")
        for name, value in states[0].items()
    )
    console.print(
        f"learned {live.position:,} rows; undisturbed {run.position:,}; the {len(states[0])} parts of the learner's "
        f"state are {'the same to the bit' if same else 'NOT the same'}"
    )
    right = not (lost or twice or others) and in_order and same and live.position == run.position == len(kept)
    return right and told["counts"] == counts.told()


def disturbances(given: Namespace) -> list[tuple[float, str]]:
    """Return when, in seconds, and what: spread evenly, in an order drawn from the seed."""
    what = ["kill"] * given.kills + ["crash"] * given.crashes + ["cut"] * given.cuts
    np.random.default_rng(given.seed).shuffle(what)
    length = given.minutes * 60
    return [(length * (i + 0.7) / (len(what) + 0.5), each) for i, each in enumerate(what)]


def measure(given: Namespace, folder: Path) -> bool:
    """Run it all, and return whether nothing was lost, learned twice or different."""
    (folder / "redis").mkdir()
    server = RedisServer(folder / "redis")
    n = int(given.minutes * 60 * given.rate)
    begin = int(time.time() * 1000) + 20_000
    topics = Topics(n, given.rate, begin, given.seed)
    apart = "&own_process=yes" if given.own_process else ""
    address = f"redis://127.0.0.1:{server.port}/rows?label_topic=labels&within_seconds={WITHIN:g}&{options()}{apart}"
    places = {"journal": str(folder / "journal"), "archive": str(folder / "run.slab")}
    consuming = {"address": address, "learner": given.learner, **places}
    consumer = Child("live_consumer", **consuming)
    producing = {"n": n, "rate": given.rate, "begin": begin, "seed": given.seed}
    producer = Child("live_producer", port=server.port, keep=given.keep, **producing)
    table: list[dict[str, Any]] = []
    coming = disturbances(given)
    happened: Counter[str] = Counter()
    back: list[float] = []
    try:
        producer.wait_for("sent", 300)
        consumer.wait_for("open", 300)
        patience = time.monotonic() + given.minutes * 60 * 3 + 600
        while True:
            time.sleep(1.0)
            seconds = (time.time() * 1000 - begin) / 1000
            table.append(_row(seconds, producer.last, consumer.last))
            if given.csv:
                _write(given.csv, table)
            if coming and seconds >= coming[0][0]:
                what = coming.pop(0)[1]
                console.print(f"{seconds:6.0f} s: {what}; {table[-1]['sent']:,} sent, {table[-1]['learned']:,} learned")
                happened[what] += 1
                if what == "cut":
                    _cut(server)
                elif what == "crash":
                    server.kill()
                    server.start()
                else:
                    consumer.kill()
                    begun_at = time.monotonic()
                    consumer = Child("live_consumer", **consuming)
                    consumer.wait_for("open", 300)
                    back.append(time.monotonic() - begun_at)
            if producer.process.poll() not in (None, 0) or consumer.process.poll() is not None:
                raise OSError(f"a process ended: {producer.process.poll()}, {consumer.process.poll()}")
            if "over" in producer.last and consumer.last.get("read") == producer.last["sent"]:
                break
            if time.monotonic() > patience:
                raise OSError(f"it does not come to its end: {producer.last}, {consumer.last}")
        caught_up = (time.time() * 1000 - begin) / 1000
        assert consumer.process.stdin is not None, "it was asked for"
        consumer.process.stdin.write("end\n")
        consumer.process.stdin.flush()
        told = consumer.wait_for("over", 1800)
        finished = (time.time() * 1000 - begin) / 1000
        if consumer.process.wait(300):
            raise OSError("the consumer did not end well")
    finally:
        for child in (producer, consumer):
            child.kill()
        server.kill()
    _summary(table, happened, back, topics, caught_up, finished)
    begun, ended = consumer.wait_for("open", 0.1), told
    rows = min(ended["position"] - begun["position"], ended["read"][0] - begun["read"][0])
    spent = ended["cpu"] - begun["cpu"]
    console.print(
        f"the last consumer read {ended['read'][0] - begun['read'][0]:,} rows and learned "
        f"{ended['position'] - begun['position']:,} in {spent:.1f} CPU seconds, {rows / spent:,.0f} a second at least"
    )
    return compared(folder, topics, given.learner, told)


def _cut(server: RedisServer) -> None:
    with server.client() as client:
        client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")


def _row(seconds: float, sent: dict[str, Any], taken: dict[str, Any]) -> dict[str, Any]:
    lag = taken.get("lag")
    return {
        "seconds": round(seconds, 1),
        "sent": sent.get("sent", [0])[0],
        "read": taken.get("read", [0])[0],
        "joined": taken.get("joined", 0),
        "learned": taken.get("position", 0),
        "waiting": taken.get("waiting", 0),
        "lag": math.nan if lag is None else lag,
        "megabytes": round(taken.get("megabytes", math.nan), 1),
        "connected": int(taken.get("connected", False)),
    }


def _write(path: Path, table: list[dict[str, Any]]) -> None:
    with path.open("a" if len(table) > 1 else "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        if len(table) == 1:
            writer.writeheader()
        writer.writerow(table[-1])


def _summary(
    table: list[dict[str, Any]],
    happened: Counter[str],
    back: list[float],
    topics: Topics,
    caught_up: float,
    over: float,
) -> None:
    lags = np.array([row["sent"] - row["read"] for row in table if row["sent"]])
    memory = np.array([row["megabytes"] for row in table])
    console.print(
        f"{dict(happened)}; a killed consumer was back after {', '.join(f'{each:.1f}' for each in back) or 'nothing'} s"
    )
    console.print(
        f"sent in {(topics.when(topics.n) - topics.begin) / 1000:.0f} s, labels until {LONGEST:g} s later; all read "
        f"after {caught_up:.0f} s, all learned after {over:.0f} s"
    )
    console.print(
        f"rows sent and not read: median {np.median(lags):,.0f}, most {lags.max():,.0f}; rows that waited for labels: "
        f"most {max(row['waiting'] for row in table):,}; the consumer's memory: median {np.nanmedian(memory):,.0f} MB, "
        f"most {np.nanmax(memory):,.0f} MB"
    )
    first, last = _behind(table, topics)
    console.print(
        f"from sending a row to learning it: median {first:.1f} s in the first half, {last:.1f} s in the second"
    )


def _behind(table: list[dict[str, Any]], topics: Topics) -> tuple[float, float]:
    """Return the median seconds from sending a row to learning it, of both halves of the time that rows were sent."""
    kept = len(joined(topics)[0]) / topics.n
    length = (topics.when(topics.n) - topics.begin) / 1000
    behind = [
        (row["seconds"], row["seconds"] - row["learned"] / kept / topics.rate)
        for row in table
        if row["learned"] and row["seconds"] <= length
    ]
    middle = (behind[0][0] + length) / 2 if behind else 0.0
    halves = [s for at, s in behind if at <= middle], [s for at, s in behind if at > middle]
    return tuple(float(np.median(half)) if half else math.nan for half in halves)  # type: ignore[return-value]


def main(options: list[str] | None = None) -> int:
    given = asked(
        "tests.fuzz live", options, minutes=10.0, rate=5000, kills=3, crashes=2, cuts=3, keep=300, learner="SMART",
        own_process=False, seed=1, csv=None,
    )  # fmt: skip
    if RedisServer.missing():
        console.print(RedisServer.missing())
        return 1
    with tempfile.TemporaryDirectory(prefix="streamlab-live-") as folder:
        return int(not measure(given, Path(folder)))
