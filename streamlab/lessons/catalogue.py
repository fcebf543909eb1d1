"""The lessons that a page offers: those that come along, and files that were added."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from streamlab.lessons.lesson import Lesson
from streamlab.views.kit.text import shown

__all__ = ["add_lesson"]

ORDER = ("drift", "forgetting", "branch", "late", "level", "rare", "trust", "forest")
"""The shipped lessons, in the order of a course."""
NAME = re.compile(r"[A-Za-z][\w-]{0,59}")
_paths: dict[str, Path] = {name: Path(__file__).with_name("shipped") / f"{name}.md" for name in ORDER}


def add_lesson(path: Path) -> Lesson:
    """Offer the lesson of a file under the name of the file without its ending.

    Raises
    ------
    ValueError
        If the file is not a lesson, or there is a lesson of this name.
    """
    path = Path(path).resolve()
    if not NAME.fullmatch(path.stem):
        raise ValueError(f"{shown(path.name)}: expected a file name of letters, digits, _ and -, such as my-lesson.md")
    if _paths.get(path.stem, path) != path:
        raise ValueError(f"{path.name}: there is a lesson {path.stem!r} already; rename the file")
    lesson = _read(path, path.stat().st_mtime_ns)
    _paths[path.stem] = path
    return lesson


def lesson_names() -> list[str]:
    """Return the names of all lessons."""
    return list(_paths)


def lesson_of(name: str) -> Lesson:
    """Return a lesson by its name; a file that was changed is read again.

    Raises
    ------
    ValueError
        If there is none of this name, or its file is not a lesson.
    """
    if name not in _paths:
        raise ValueError(f"there is no lesson {shown(name, 60)}; there are: {', '.join(_paths)}")
    path = _paths[name]
    if not path.is_file():
        raise ValueError(f"{path.name}: the file no longer exists")
    return _read(path, path.stat().st_mtime_ns)


def lessons() -> list[Lesson]:
    """Return all lessons that can be read, in order."""
    found = []
    for name in _paths:
        try:
            found.append(lesson_of(name))
        except (ValueError, OSError):
            continue  # a file that was broken since it was added; opening it says why
    return found


@lru_cache(maxsize=200)
def _read(path: Path, changed_ns: int) -> Lesson:
    from streamlab.lessons.reading import read_lesson

    return read_lesson(path)
