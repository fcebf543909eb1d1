"""Turns: so many at a time, first come, first served, and nobody waits without an end."""

from __future__ import annotations

import threading
import time

from streamlab.lab.pace import Turns


def test_so_many_at_a_time_in_their_order():
    turns, most, now, order = Turns(2), 0, 0, []
    lock, together = threading.Lock(), threading.Barrier(6)

    def play(name):
        nonlocal most, now
        # a busy machine begins one much later
        together.wait(60)
        for _ in range(20):
            with turns.one(30):
                with lock:
                    now += 1
                    most = max(most, now)
                    order.append(name)
                time.sleep(0.001)
                with lock:
                    now -= 1

    threads = [threading.Thread(target=play, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(order) == 120
    assert most == 2
    # nobody comes again and again while the others wait
    assert set(order[20:80]) == set(range(6))


def test_who_waits_too_long_goes_on_without_a_turn_and_takes_nobody_elses():
    turns = Turns(1)
    with turns.one(), turns.one(0.05):
        pass
    with turns.one(30):  # there is one again, and only one
        begun = time.monotonic()
        with turns.one(0.1):
            assert time.monotonic() - begun >= 0.1
