"""Measurements, beside peers of the same run: ``python -m benchmarks --list`` names them, ``__main__`` says which file.

``harness`` has what all share, ``data`` the sets, ``peers`` what is compared with. Learners are measured by ``speed``,
``sparse``, ``programs`` (their authors'), ``trees`` and ``neighbours``; the page by ``page``, ``bars``, ``soak``,
``first_minute`` and ``visits``. ``live``, ``study`` and ``robust`` are folders of larger ones; ``figures`` makes the
pictures of the docs.
"""
