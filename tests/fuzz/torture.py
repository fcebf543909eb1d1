"""Whether learners and players live through threads, interrupts and random operations: deaths, tears, sticks.

``python -m tests.fuzz torture [--what threads interrupts player] [--learners ...] [--seconds 20] [--interrupts 100]
[--operations 10000] [--seeds 1] [--askers 2] [--together]``

- threads: one thread learns, ``--askers`` predict, look and save, for ``--seconds``. Afterwards a twin learns the same
  chunks alone and must be equal to the bit; whatever was saved meanwhile must load and predict.
- interrupts: SIGINT comes at random instants of ``learn_many``, ten times a trial. Each time the learner must be as
  before the chunk, or as after it, to the bit.
- player: four threads play, pause, step, tune, put drifts, predict, look, save and close at random; each must be
  answered in two seconds, or refused with a ValueError. A command that still waits for a chunk's end then is taken
  back; one that has begun may end within a minute. A run that breaks off counts as unclean.

Each trial runs in a process of its own; with ``--together`` all at the same time. A learner may refuse (a ValueError of
one line); a trial in which a process died (dead), a state contradicts itself (torn), no answer came (stuck) or another
exception was raised (unclean) makes the exit code 1.

To repeat a finding: ``--only threads:MLHAT:3`` (kind, learner or "player", seed) with the same sizes. Threads and
signals do not come at the same instant twice; the chunks and operations are the same.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.harness import Sheet, asked, console
from tests.fuzz.trials import Outcome, Watched

__all__ = ["WHAT", "main", "torture"]

WHAT = ("threads", "interrupts", "player")
AT_A_TIME = 10
"""Interrupts of one trial."""
KINDS = {"ok": "ok", "crash": "dead", "torn": "torn", "hang": "stuck", "stuck": "stuck", "unclean": "unclean"}
GRACE_SECONDS = 120.0


def subjects() -> list[str]:
    """All learners that predict."""
    from tests.fuzz.learners import NAMES

    return [name for name in NAMES if name not in ("BalancedLDA", "StandardScaler")]


def specs(given: Namespace) -> Iterator[dict[str, Any]]:
    """The trials given for."""
    for what in given.what:
        subjects = ["player"] if what == "player" else given.learners
        trials = given.seeds * (-(-given.interrupts // AT_A_TIME) if what == "interrupts" else 1)
        for subject in subjects:
            for seed in range(1, trials + 1):
                yield {
                    "what": what,
                    "learner": subject,
                    "seed": seed,
                    "seconds": given.operations / 4 if what == "player" else given.seconds,
                    "interrupts": min(AT_A_TIME, given.interrupts),
                    "operations": given.operations,
                    "askers": given.askers,
                    "answer_seconds": given.answer_seconds,
                }


def torture(spec: dict[str, Any]) -> Outcome:
    """Carry out one trial in a process of its own."""
    from tests.fuzz.torture_trials import PLAYED

    plays = spec["what"] == "player"
    options = {"learners": list(PLAYED) if plays else [spec["learner"]], "player": plays}
    options |= {name: spec[name] for name in ("answer_seconds",) if name in spec}
    # a twin learns again, alone, what the threads have learned
    seconds = spec["seconds"] * (2.0 if spec["what"] == "threads" else 1.0) + GRACE_SECONDS
    with Watched("tests.fuzz.torture_trials", options, seconds=seconds, megabytes=4000.0) as worker:
        return worker.run(spec)


def main(options: list[str] | None = None) -> int:
    given = asked(
        "tests.fuzz torture", options, what=list(WHAT), learners=subjects(), seconds=20.0, interrupts=100,
        operations=10_000, seeds=1, askers=2, answer_seconds=2.0, only="", together=False,
    )  # fmt: skip
    if given.only:
        what, learner, seed = given.only.split(":")
        given.what, given.learners = [what], [learner]
        given.seeds, given.interrupts = 1, AT_A_TIME
        wanted = [{**next(specs(given)), "seed": int(seed)}]
    else:
        wanted = list(specs(given))
    rows: dict[tuple[str, str], Counter[str]] = {}
    found: Counter[tuple[str, str, str]] = Counter()
    waits: dict[tuple[str, str], float] = {}
    trials = ThreadPoolExecutor(len(wanted) if given.together else 1)
    for spec, outcome in zip(wanted, trials.map(torture, wanted), strict=True):
        kind = KINDS.get(outcome.kind, outcome.kind)
        key = spec["what"], spec["learner"]
        counts = rows.setdefault(key, Counter())
        counts[kind] += 1
        counts["trials"] += 1
        inner = outcome.detail.get("counts", {})
        waits[key] = max(waits.get(key, 0.0), outcome.detail.get("p99", 0.0))
        for each, n in inner.items():
            side = (
                each if each in ("torn", "stuck", "unclean") else "refused" if each.endswith("refused") else "answers"
            )
            counts[f"times {side}"] += n
        for each in outcome.detail.get("found", ()):
            found[(*key, each[:200])] += 1
        if kind == "dead":
            found[(*key, f"dead: {outcome.what}")] += 1
        console.print(f"{spec['what']}:{spec['learner']}:{spec['seed']}: {kind} {dict(inner)}")
        for each in outcome.detail.get("found", ()):
            console.print(f"  {each[:200]}")
    bad = ("dead", "torn", "stuck", "unclean")
    inner = ("answers", "refused", "torn", "stuck", "unclean")
    sheet = Sheet("trials; times", ("", "", "trials", "ok", *bad, *inner, "99 of 100 predictions within, s"))
    for (what, subject), counts in rows.items():
        times = (f"times {each}" for each in inner)
        sheet.add(
            what, subject, *(counts[key] for key in ("trials", "ok", *bad, *times)), f"{waits[what, subject]:.3f}"
        )
    sheet.show()
    if found:
        sheet = Sheet("found", ("", "", "n", "found"))
        for (what, subject, text), n in found.most_common(60):
            sheet.add(what, subject, n, text)
        sheet.show()
    return int(any(counts[kind] for counts in rows.values() for kind in (*bad, "memory")))
