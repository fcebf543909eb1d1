"""Measurements, beside peers of the same run: ``python -m benchmarks --list`` names them, ``__main__`` says which file.

``harness`` has what all share, ``browser`` the pages, ``data`` the sets, ``peers`` what is compared with. Learners are
measured by ``speed``, ``sparse``, ``programs`` (their authors'), ``trees``, ``neighbours``, ``study`` and ``shards``;
pages by ``page``, ``bars`` and ``first_minute``; what is live by ``attached`` and ``spark``. What ``study`` and
``trees`` found is ``kept`` in docs/studies; ``study_tables`` and ``drift_tables`` make the pages' tables of it.
"""
