"""Small slices of the trial ``siege``: the endpoint under siege, malformed requests, kills."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.fuzz.siege import main

LINUX = sys.platform.startswith("linux")


@pytest.mark.skipif(not LINUX, reason="what it compares is counted by Linux")
def test_a_rightful_sender_is_served_under_siege():
    assert main(["--what", "siege", "--seconds", "20"]) == 0


@pytest.mark.skipif(not LINUX, reason="what it compares is counted by Linux")
def test_malformed_requests_are_refused_and_leave_nothing():
    assert main(["--what", "mutants", "--mutants", "500"]) == 0


def test_rows_that_were_answered_are_learned_once_whatever_is_killed(tmp_path):
    if not LINUX or os.getuid():
        pytest.skip("only root on Linux can make a small disk")
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(tmp_path)], check=False).returncode:
        pytest.skip("this machine mounts nothing")
    subprocess.run(["umount", str(tmp_path)], check=True)
    assert main(["--what", "kills", "--kills", "4", "--full", "1"]) == 0
