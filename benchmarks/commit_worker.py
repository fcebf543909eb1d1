"""Learn a stream, print a digest of the answers; then learn it again for each line that comes, and print rows/s.

``benchmarks.commits`` runs it in the checkouts that it compares: it imports nothing but what all of them have.
"""

import hashlib
import inspect
import sys
import time

import numpy as np

import streamlab as sl

learner, data, chunk = sys.argv[1], sys.argv[2], int(sys.argv[3])
with np.load(data) as arrays:
    X, Y = arrays["X"], arrays["Y"]
pieces = [(X[i : i + chunk], Y[i : i + chunk]) for i in range(0, len(Y), chunk)]
kind = getattr(sl, learner)
seeded = {"seed": 1} if "seed" in inspect.signature(kind).parameters else {}


def learn():
    model = kind(**seeded)
    return [model.test_then_train(*piece) for piece in pieces]


digest = hashlib.sha256(b"".join(array.tobytes() for answer in learn() for array in answer))
sys.stdout.write(f"{digest.hexdigest()}\n")
sys.stdout.flush()
for _ in sys.stdin:
    begun = time.process_time()
    learn()
    sys.stdout.write(f"{len(Y) / (time.process_time() - begun)}\n")
    sys.stdout.flush()
