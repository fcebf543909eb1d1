"""Read a file that grows, a stream of Redis where there is a server, and learn as a service that tells its metrics."""

import shutil
import socket
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

import confluent_kafka
import redis
import streamlab as sl

from streamlab_live.service.definition import read_definition
from streamlab_live.service.service import Service

ROWS = [f"{i % 7 / 7:.3f},{i % 5 / 5:.3f},{int(i % 7 > 3)},{int(i % 5 > 2)}\n" for i in range(600)]
PATIENCE = 120


def until(what, is_so):
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def learn(address, feed):
    """Learn from an address 300 rows, then from what is fed 300 more; return the rows."""
    run = sl.Run(sl.load(address), {"SMART": sl.SMART(seed=1)})
    until("the first rows", lambda: run.advance() >= 0 and run.position >= 300)
    feed()
    until("the further rows", lambda: run.advance() >= 0 and run.position >= 600)
    run.stream.close()
    return run.position


rows = Path("rows.csv")
rows.write_text("heat,load,alarm,late\n" + "".join(ROWS[:300]))


def grow():
    """Append what is left to the file."""
    with rows.open("a") as file:
        file.writelines(ROWS[300:])


said = [f"{learn('tail:rows.csv?labels=alarm,late&journal=kept', grow)} rows of a file"]

if shutil.which("redis-server"):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        ["redis-server", "--port", str(port), "--save", "", "--bind", "127.0.0.1"], stdout=subprocess.DEVNULL
    )
    try:
        until("Redis", lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)
        client = redis.Redis(port=port)

        def send(part):
            """Append rows to the topic."""
            for line in part:
                client.xadd("rows", dict(zip(("heat", "load", "alarm", "late"), line.strip().split(","), strict=True)))

        send(ROWS[:300])
        address = f"redis://127.0.0.1:{port}/rows?labels=alarm,late&journal=topic"
        said.append(f"{learn(address, lambda: send(ROWS[300:]))} of Redis")
    finally:
        server.terminate()
        server.wait()

Path("run.toml").write_text(
    'stream = "tail:rows.csv?labels=alarm,late"\n[learners]\nSMART = { n_trees = 3 }\n[metrics]\nport = 0\n'
)
service = Service(read_definition("run.toml"), print)
thread = threading.Thread(target=service.serve)
thread.start()
try:
    metrics = f"http://127.0.0.1:{service.metrics.port}/metrics"
    until("600 rows in the metrics", lambda: b"streamlab_rows_total 600.0" in urllib.request.urlopen(metrics).read())
    service.stream.end()
finally:
    thread.join(PATIENCE)
said.append("a service with metrics")
print(", ".join(said), "and librdkafka", confluent_kafka.libversion()[0])  # noqa: T201
