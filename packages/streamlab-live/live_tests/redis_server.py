"""A Redis server on a free port, in a folder of its own, that can be killed and started again."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from benchmarks.browser import free_port

__all__ = ["RedisServer", "free_port"]

PATIENCE = 60.0


class RedisServer:
    """A ``redis-server`` that writes every command to its disk before it answers (``appendfsync always``).

    Parameters
    ----------
    folder
        Where it keeps its data.
    settings
        Further settings of the server, as on its command line: ``("--requirepass", "x")``.
    """

    def __init__(self, folder: Path, *settings: str, port: int | None = None) -> None:
        self.port, self._folder, self._settings = port or free_port(), folder, settings
        self.start()

    @staticmethod
    def missing() -> str:
        """Say why it cannot be started; "" if it can."""
        return "" if shutil.which("redis-server") else "redis-server is not installed"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        always = ["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--bind", "127.0.0.1"]
        self._process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--dir", str(self._folder), *always, *self._settings],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise OSError("redis-server did not start")
            time.sleep(0.02)

    def _answers(self) -> bool:
        import redis

        try:
            with redis.Redis(port=self.port, socket_timeout=5) as client:
                client.ping()
        except redis.exceptions.AuthenticationError:
            return True
        except redis.exceptions.ConnectionError:
            # a server of TLS alone answers nothing here, but it takes connections
            return "--tls-port" in self._settings and self._process.poll() is None and self._takes()
        return True

    def _takes(self) -> bool:
        at = int(self._settings[self._settings.index("--tls-port") + 1])
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", at)) == 0

    def client(self, **options: Any) -> Any:
        """Return a client of it."""
        import redis

        return redis.Redis(port=self.port, **options)

    def kill(self) -> None:
        """End it with SIGKILL."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
