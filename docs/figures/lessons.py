"""The sheets for teachers, as the documentation has them: ``python -m docs.figures.lessons docs/lessons``."""

from __future__ import annotations

import sys
from pathlib import Path

from streamlab.lessons.catalogue import ORDER, lesson_of
from streamlab.lessons.lesson import Choice, Lesson

INTRODUCTION = """# Lessons

{n} lessons, each a few steps beside a live run: read, predict, play, and see whether you were right. They open from the
start page, from **Lessons** on the monitor, or by their address, such as `/stream_monitor?lesson=forgetting&step=2`.
The numbers in their texts are checked on the run itself (`streamlab lesson FILE`).
[Write a lesson](../contributing/lesson.md) shows how to make your own.
"""
CONTENTS = """
```{toctree}
:hidden:
"""


def sheet(lesson: Lesson) -> str:
    """Return a lesson's sheet in Markdown: what the teacher's part of its file says, and its steps."""
    lines = [f"# {lesson.title}", "", lesson.about, ""]
    where = f"`/stream_monitor?lesson={lesson.name}`"
    lines += [f"Open it at {where}: {len(lesson.steps)} steps, {lesson.minutes} minutes.", ""]
    lines += [lesson.teacher, "", "## The steps", ""]
    for number, step in enumerate(lesson.steps, 1):
        lines.append(f"{number}. **{step.title}**{_asked(step.predict)}")
    return "\n".join([*lines, ""])


def overview(lessons: list[Lesson]) -> str:
    """Return the page that lists the lessons."""
    lines = [INTRODUCTION.format(n=len(lessons)), "| lesson | minutes | what one sees |", "| --- | --- | --- |"]
    lines += [f"| [{each.title}]({each.name}.md) | {each.minutes} | {each.about} |" for each in lessons]
    return "\n".join([*lines, CONTENTS, *(each.name for each in lessons), "```", ""])


def written() -> dict[str, str]:
    """Return all sheets by the name of their file."""
    lessons = [lesson_of(name) for name in ORDER]
    return {"README.md": overview(lessons), **{f"{each.name}.md": sheet(each) for each in lessons}}


def _asked(predict: Choice | None) -> str:
    if predict is None:
        return ""
    return f". {predict.question} → {predict.options[predict.answer]}"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in written().items():
        (folder / name).write_text(text, encoding="utf-8")
