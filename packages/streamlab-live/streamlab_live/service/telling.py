"""What a service tells: its status for Prometheus, and alarms to a webhook."""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from streamlab_live.source import credential

if TYPE_CHECKING:
    from streamlab_live.http_server import Exchange


@dataclass(frozen=True)
class Standing:
    """The state of a service at one moment; nothing in it changes.

    Parameters
    ----------
    position
        Rows that have been learned.
    rows_per_second
        Over the last seconds.
    is_waiting
        Whether it waits for rows.
    snapshot_at, snapshot_seconds
        Rows in the newest snapshot, and how long it took to write it.
    stream
        Of a live stream: ``rows``, ``lag``, ``bad`` by reason, ``connected``, ``unlabelled``.
    measures
        By learner and measure, faded.
    n_bytes
        Memory of each learner.
    events
        Number of events by learner and kind.
    posts_lost
        Alarms that could not be posted.
    """

    position: int = 0
    rows_per_second: float = 0.0
    is_waiting: bool = False
    snapshot_at: int = 0
    snapshot_seconds: float = 0.0
    stream: Mapping[str, Any] = field(default_factory=dict)
    measures: Mapping[tuple[str, str], float] = field(default_factory=dict)
    n_bytes: Mapping[str, int] = field(default_factory=dict)
    events: Mapping[tuple[str, str], int] = field(default_factory=dict)
    posts_lost: int = 0


class Metrics:
    """Serves the latest ``Standing`` at ``/metrics``, with the memory and processor time of the process.

    Parameters
    ----------
    port, address
        Where; port 0 is any that is free.
    names
        Further names of this machine, under which it is asked.

    Raises
    ------
    ValueError
        If ``prometheus_client`` or ``tornado`` is not installed.
    OSError
        If the port is taken.
    """

    def __init__(self, port: int, address: str, names: Iterable[str] = ()) -> None:
        try:
            from prometheus_client import CollectorRegistry, ProcessCollector

            from streamlab_live.http_server import Server
        except ModuleNotFoundError:
            raise ValueError("metrics need prometheus_client, tornado: pip install ./packages/streamlab-live") from None
        self.standing = Standing()
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._registry.register(self)
        self._server = Server(address, port, self, names=(socket.gethostname(), *names))
        self.port: int = self._server.port

    def begin(self, exchange: Exchange) -> None:
        """Answer a request; for the server alone."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        if exchange.path != "/metrics":
            exchange.answer(404, {"error": "expected /metrics"})
        elif exchange.method != "GET":
            exchange.answer(405, {"error": "expected GET"})
        else:
            exchange.answer(200, generate_latest(self._registry), CONTENT_TYPE_LATEST)

    def describe(self) -> list[Any]:
        """Return nothing: the metrics are known only when they are collected."""
        return []

    def collect(self) -> Iterator[Any]:
        """Yield the families of metrics, as Prometheus's client asks for them."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        now = self.standing
        yield CounterMetricFamily("streamlab_rows", "Rows that have been learned.", value=now.position)
        gauges = [
            ("rows_per_second", "Rows a second over the last seconds.", now.rows_per_second),
            ("waiting", "1 while no row is there to be learned.", float(now.is_waiting)),
            ("snapshot_rows", "Rows in the newest snapshot.", now.snapshot_at),
            ("snapshot_seconds", "Seconds that the newest snapshot took.", now.snapshot_seconds),
        ]
        live = now.stream
        if live:
            gauges += [
                ("journal_rows", "Rows in the journal.", live["rows"]),
                ("connected", "1 while the source can be reached.", float(live["connected"])),
            ]
            if live.get("lag") is not None:
                gauges.append(("lag", "Messages that wait at the source; bytes, of a file.", live["lag"]))
            if live.get("unlabelled") is not None:
                gauges.append(("unlabelled_rows", "Rows that got no labels.", live["unlabelled"]))
            if held := live.get("held"):
                waits = GaugeMetricFamily("streamlab_held_rows", "Rows that wait to be joined.", labels=["for"])
                yield _filled(waits, {(what,): n for what, n in held.items()})
            bad = CounterMetricFamily("streamlab_bad_messages", "Messages that are not rows.", labels=["reason"])
            yield _filled(bad, {(reason,): n for reason, n in live["bad"].items()})
            refused = CounterMetricFamily(
                "streamlab_refused", "Messages that are not rows, since reading began.",
                labels=["topic", "reason", "column"],
            )  # fmt: skip
            # of two topics "rows: wrong type: heat", else "wrong type: heat"
            whole = {name if live["held"] else f"rows: {name}": n for name, (n, _) in live["refused"].items()}
            yield _filled(refused, {(*name.split(": ", 2), "")[:3]: n for name, n in whole.items()})
        for name, help_, value in gauges:
            yield GaugeMetricFamily(f"streamlab_{name}", help_, value=value)
        measures = GaugeMetricFamily("streamlab_measure", "A faded measure.", labels=["learner", "measure"])
        yield _filled(measures, now.measures)
        sizes = GaugeMetricFamily("streamlab_learner_bytes", "Bytes of what a learner keeps.", labels=["learner"])
        yield _filled(sizes, {(name,): size for name, size in now.n_bytes.items()})
        events = CounterMetricFamily("streamlab_events", "Events since the start.", labels=["learner", "kind"])
        yield _filled(events, now.events)
        yield CounterMetricFamily("streamlab_posts_lost", "Alarms that could not be posted.", value=now.posts_lost)

    def close(self) -> None:
        """Serve no more; a second time does nothing."""
        self._server.close()


def _filled(family: Any, values: Mapping[Any, float]) -> Any:
    """Return a family of metrics with these values, by those of its labels."""
    for labels, value in values.items():
        family.add_metric(list(labels), value)
    return family


# ---------------------------------------------------------------------- alarms

MOST_WAITING = 1000
TRIES = 4
FIRST_WAIT = 1.0
TIMEOUT = 10.0
CLOSE_SECONDS = 5.0


def webhook_of(variable: str) -> str | None:
    """Return the address that a variable of the environment holds, or the file that ``<variable>_FILE`` names.

    Raises
    ------
    ValueError
        If it is not an http address, holds a blank or a control character, the file cannot be read, or both are set; it
        names the variable, not what it holds.
    """
    text = credential(variable)
    if not text:
        return None
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname)
        fits = fits and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"{variable}: it does not hold the address of a webhook; expected https://…")
    if not all("!" <= letter <= "~" for letter in text):
        raise ValueError(
            f"{variable}: the address of the webhook holds a blank, a control character or one that is not ASCII; "
            "expected such characters written as %20"
        )
    return text


class Posting:
    """Posts alarms as JSON; the caller never waits.

    Parameters
    ----------
    address
        The webhook.
    tell
        Called with a sentence when an alarm is given up. The address is not in it: it may hold a credential.
    first_wait
        Seconds before the second try; doubled before each further one.
    """

    def __init__(self, address: str, tell: Callable[[str], object] = print, first_wait: float = FIRST_WAIT) -> None:
        self._address, self._tell, self._first_wait = address, tell, first_wait
        self._queue: queue.Queue[dict[str, Any] | None] = queue.Queue(MOST_WAITING)
        self._closed = threading.Event()
        self.lost = 0
        self.posted = 0
        self._thread = threading.Thread(target=self._loop, name="streamlab alarms", daemon=True)
        self._thread.start()

    def post(self, alarm: dict[str, Any]) -> None:
        """Hand an alarm over; it is lost, and counted, if a thousand wait already."""
        try:
            self._queue.put_nowait(alarm)
        except queue.Full:
            self._lose("a thousand wait already")

    def close(self) -> None:
        """Post what waits, for some seconds at most, and stop."""
        with contextlib.suppress(queue.Full):
            self._queue.put(None, timeout=0.1)
        self._thread.join(CLOSE_SECONDS)
        self._closed.set()

    def _loop(self) -> None:
        while (alarm := self._queue.get()) is not None:
            why = self._tried(json.dumps(alarm, allow_nan=False).encode())
            if why:
                self._lose(why)
            else:
                self.posted += 1

    def _tried(self, body: bytes) -> str:
        """Return why it could not be posted; "" if it was."""
        why = ""
        for attempt in range(TRIES):
            if attempt and self._closed.wait(self._first_wait * 2 ** (attempt - 1)):
                break
            request = urllib.request.Request(
                self._address, data=body, headers={"Content-Type": "application/json"}, method="POST"
            )
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT):
                    return ""
            except urllib.error.HTTPError as error:
                why = f"the webhook answers {error.code}"
                error.close()
                if error.code < 500 and error.code not in (408, 429):
                    break
            except (OSError, ValueError, HTTPException) as error:
                # only the kind: the message may hold the address
                why = f"the webhook cannot be reached ({type(error).__name__})"
        return why or "the service ends"

    def _lose(self, why: str) -> None:
        self.lost += 1
        self._tell(f"an alarm could not be posted: {why}")
