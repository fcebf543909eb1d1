"""The status of a service for Prometheus: rows, lag, measures, events, memory."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streamlab.live.http_server import Exchange


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

            from streamlab.live.http_server import Server
        except ModuleNotFoundError:
            raise ValueError('metrics need prometheus_client and tornado: pip install "streamlab[live]"') from None
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
