"""The lessons that a page offers, those that come along and files that were added; and how such a file is read.

It has front matter, steps in Markdown with a block of settings each, and a sheet for the teacher.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from streamlab._checks import checked_choice, checked_number
from streamlab.learners import Learner
from streamlab.lessons.lesson import (
    MOST_ROW,
    Asked,
    Block,
    Choice,
    Claim,
    Claimed,
    Ending,
    Head,
    Lesson,
    Made,
    Step,
    Until,
    plain_text,
    read_yaml,
    tree_of,
)
from streamlab.measures import MEASURES
from streamlab.streams import STREAMS, DriftRecipe
from streamlab.streams.changes.drift_entry import running_drifts
from streamlab.streams.stream_spec import HOW, SOURCES, StreamSpec
from streamlab.validation import validated
from streamlab.views.kit.text import shown
from streamlab.views.page.address import Address, parse, tuned
from streamlab.views.page.presets import RIVER, make_learners, offered_learners, river_name
from streamlab.views.page.screen import PARTS
from streamlab.views.pictures import pictures

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
    return read_lesson(path)


FOR_TEACHERS = "# For the teacher"
MOST_BYTES, MOST_STEPS = 200_000, 30
BEGINNING = ("stream", "learners", "river", "seed", "chunk")
"""What of a page's address makes another run."""
KINDS = (
    "measure",
    "overall",
    "label",
    "answered",
    "right",
    "carried",
    "level",
    "wrong at",
    "event",
    "evidence",
    "trust",
)
"""Of claims."""
FENCE = re.compile(r"\s*(```+|~~~+)(.*)")
OTHER_TABS = ("Drift", "Forks")


@dataclass
class _Part:
    """A step as it is in the file: its heading, its block of settings, its text and what is revealed."""

    title: str
    block: str
    text: str
    reveal: str


def tabs() -> list[str]:
    """Return the titles of all tabs that a page may have."""
    return [*(picture.title for picture in pictures()), *OTHER_TABS]


def begins_run(page: Address, stream: StreamSpec | None) -> bool:
    """Whether such settings make another run."""
    return stream is not None or any(getattr(page, name) not in (None, ()) for name in BEGINNING)


def read_lesson(path: Path) -> Lesson:
    """Return the lesson of a file.

    Raises
    ------
    ValueError
        In one line: the file, the step, what is wrong there and what was expected.
    OSError
        If the file cannot be read.
    """
    path = Path(path)
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name}: expected at most {MOST_BYTES:,} bytes, this has {path.stat().st_size:,}")
    where = path.name
    try:
        front, parts, teacher = _cut(path.read_text(encoding="utf-8"))
        head = validated(read_yaml(front), Head)
        hidden = _hidden(head.hide, ())
        stream, page = _stream(head.stream), _page(head.page)
        if not begins_run(page, stream) or not (stream or page.stream) or not (page.learners or page.river):
            raise ValueError("page: expected at least a stream and learners, with which the first step begins")
        if not 1 <= len(parts) <= MOST_STEPS:
            raise ValueError(f"{len(parts)} steps: expected 1 to {MOST_STEPS}, each begun by a line '## ' and a title")
        steps: list[Step] = []
        names, row = _names(page), 0
        for number, part in enumerate(parts, 1):
            where = f"{path.name}, step {number} ({shown(part.title, 60)})"
            step = _step(part, hidden, Opening(page, stream) if number == 1 else None)
            if begins_run(step.page, step.stream):
                names, row = _names(step.page) or names, 0
            _check_page(step, names)
            row = _check_rows(step, row)
            _check_claims(step, names)
            steps.append(step)
    except UnicodeDecodeError:
        raise ValueError(f"{where}: expected text in UTF-8") from None
    except ValueError as error:
        raise ValueError(f"{where}: {' '.join(str(error).split())}") from None
    return Lesson(path.stem, head.title, head.about, head.minutes, tuple(steps), teacher.strip(), path)


@dataclass(frozen=True)
class Opening:
    """What the front matter says of the page, which the first step begins with."""

    page: Address
    stream: StreamSpec | None


def _cut(text: str) -> tuple[str, list[_Part], str]:
    """Return the front matter, the steps and the teacher's sheet."""
    lines = text.removeprefix("\ufeff").splitlines()
    ends = [i for i, line in enumerate(lines) if line.rstrip() == "---"]
    if not lines or lines[0].rstrip() != "---" or len(ends) < 2:
        raise ValueError("expected a first line '---', the lesson's settings, and a line '---'")
    front, body = "\n".join(lines[1 : ends[1]]), lines[ends[1] + 1 :]
    parts: list[_Part] = []
    fence, block, kind = "", list[str](), ""
    for i, line in enumerate(body):
        found = FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and not found[2].strip():
                fence = ""
                if kind == "step":
                    parts[-1].block = "\n".join(block)
                elif kind == "reveal":
                    parts[-1].reveal = "\n".join(block)
                else:
                    raise ValueError(
                        f"a block {shown(kind, 20)!r} in line {i + 1} of the steps: expected step or reveal"
                    )
            else:
                block.append(line)
        elif line.rstrip() == FOR_TEACHERS:
            return front, parts, "\n".join(body[i + 1 :])
        elif line.startswith("## "):
            parts.append(_Part(line[3:].strip(), "", "", ""))
        elif found and parts:
            fence, block, kind = found[1], [], found[2].strip()
            if (kind == "step" and parts[-1].block) or (kind == "reveal" and parts[-1].reveal):
                raise ValueError(f"step {len(parts)} ({shown(parts[-1].title, 60)}) has a second block ```{kind}")
        elif parts:
            parts[-1].text += f"{line}\n"
        elif line.strip():
            raise ValueError(f"{shown(line, 60)!r} before the first step: expected a line '## ' and its title")
    if fence:
        raise ValueError(f"step {len(parts)} ({shown(parts[-1].title, 60)}): the block ```{kind} has no end")
    return front, parts, ""


def _step(part: _Part, hidden: tuple[str, ...], opening: Opening | None) -> Step:
    if not 0 < len(part.title) <= 80:
        raise ValueError("expected a title of 1 to 80 characters behind '## '")
    text, reveal = tree_of(part.text), tree_of(part.reveal)
    if not text:
        raise ValueError("expected some text")
    block = validated(read_yaml(part.block) or {}, Block)
    stream, page = _stream(block.stream), _page(block.page)
    if opening is not None:
        if begins_run(page, stream):
            raise ValueError(
                "page: the first step takes its stream and learners from the front matter; expected them there"
            )
        page, stream = _merged(opening.page, page), opening.stream
    drifts = tuple(_drift(each, "put in") for each in _listed(block.put_in))
    predict = _choice(block.ask) if block.ask else None
    if reveal and predict is None:
        raise ValueError("a block ```reveal without ask: expected what there is to reveal")
    if predict is not None and not reveal:
        raise ValueError("ask without a block ```reveal: expected the true answer and its reason")
    ending = _ending(block.until)
    claims = tuple(map(_claim, _listed(block.claims)))
    hidden = _hidden(block.hide, hidden)
    return Step(part.title, text, page, stream, drifts, hidden, predict, reveal, ending, claims)


def _merged(first: Address, more: Address) -> Address:
    """Return both settings; the second ones win."""
    given = {name: value for name, value in vars(more).items() if value not in (None, (), {})}
    both = {name: {**first.parameters.get(name, {}), **more.parameters.get(name, {})}
            for name in {*first.parameters, *more.parameters}}  # fmt: skip
    return Address(**{**vars(first), **given, "parameters": both})


def _page(given: dict[str, Any] | None) -> Address:
    """Return the settings of a page, in the words of its address."""
    if given is None:
        return Address()
    pairs: list[tuple[str, Any]] = []
    for name, value in given.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, (dict, list)) or each is None:
                raise ValueError(f"page.{shown(name, 40)}={shown(repr(each), 60)}: expected a text or a number")
            pairs.append((name, each))
    learners = [*offered_learners(False).values(), *offered_learners(True).values()]
    address, refused = parse(
        urlencode(pairs), streams=list(STREAMS.names()), learners=learners, river=list(RIVER)
    )  # fmt: skip
    if refused:
        raise ValueError(f"page: {refused[0]}")
    checked_choice("page.tab", address.tab, tabs(), optional=True)
    if address.lesson is not None or address.step is not None:
        raise ValueError("page: a lesson's page names no lesson")
    return address


def _stream(given: Made | None) -> StreamSpec | None:
    """Return the stream that is to be made, or None."""
    if given is None:
        return None
    return StreamSpec(
        source=checked_choice("stream.source", given.source, [*dict.fromkeys([*STREAMS.names(), *SOURCES.values()])]),
        how=checked_choice("stream.how", given.how, list(HOW.values())),
        n_rows=given.rows,
        seed=given.seed,
        changes=tuple(map(_change, _listed(given.changes))),
        delay=given.delay,
        hidden=(given.hidden, "instance"),
    )


def _change(given: dict[str, Any]) -> tuple[float, DriftRecipe]:
    """Return where, as a share of the stream, which change is put in."""
    share = checked_number("stream.changes.at", given.get("at"), 0, 1)
    name, parameters = _drift({key: value for key, value in given.items() if key != "at"}, "stream.changes")
    return share, DriftRecipe(name, **parameters)


def _drift(given: dict[str, Any], where: str) -> tuple[str, Mapping[str, Any]]:
    name = checked_choice(f"{where}.drift", given.get("drift"), list(running_drifts()))
    parameters = {key: value for key, value in given.items() if key != "drift"}
    DriftRecipe(name, **parameters)
    return name, parameters


def _listed(given: Any) -> list[Any]:
    """Return a list; a single one counts as a list of one."""
    return given if isinstance(given, list) else [given]


def _hidden(given: tuple[str, ...] | None, default: tuple[str, ...]) -> tuple[str, ...]:
    for name in given or ():
        checked_choice("hide", name, PARTS)
    return default if given is None else given


def _choice(given: Asked) -> Choice:
    if given.answer > len(given.options):
        raise ValueError(f"ask.answer={given.answer}: expected a whole number from 1 to {len(given.options)}")
    if len(set(given.options)) < len(given.options):
        raise ValueError("ask.options: two answers are the same")
    return Choice(given.question, given.options, given.answer - 1)


def _ending(given: Until | None) -> Ending:
    if given is None:
        return Ending()
    if sum(each is not None for each in (given.row, given.tab, given.tuned)) != 1:
        raise ValueError("until: expected row, tab or tuned")
    if given.row is not None:
        return Ending(row=given.row)
    if given.tab is not None:
        return Ending(tab=checked_choice("until.tab", given.tab, tabs()))
    tuned = given.tuned or {}
    if len(tuned) != 1 or "." not in (key := next(iter(tuned))):
        raise ValueError("until.tuned: expected one parameter and its value, such as SMART.half_life: 50")
    learner, _, parameter = key.rpartition(".")
    return Ending(learner=learner, parameter=parameter, value=tuned[key])


def _claim(given: Claimed) -> Claim:
    values = {kind: getattr(given, kind.replace(" ", "_")) for kind in KINDS}
    kind = next((kind for kind, value in values.items() if value is not None), None)
    if kind is None:
        raise ValueError(f"claims: expected {', '.join(KINDS)}")
    is_, what, rows = str(given.is_).strip(), str(values[kind]).strip(), (0, 0)
    if kind in ("measure", "event"):
        if given.up_to is None:
            raise ValueError(f"claims.up to is missing: expected a row after {given.after:,}")
        rows = (given.after, given.up_to)
    if kind in ("measure", "overall"):
        checked_choice(f"claims.{kind}", what, MEASURES)
    if not re.fullmatch(r"\d*[\d,]*\.?\d+( ?%)?", is_):
        raise ValueError(f"claims.is={shown(is_, 40)}: expected a number as the text has it, such as '0.62' or '48 %'")
    return Claim(given.learner, is_, kind, what, rows)


def _names(page: Address) -> tuple[str, ...]:
    return (*page.learners, *(river_name(name) for name in page.river))


def _check_page(step: Step, names: tuple[str, ...]) -> None:
    """Try what is set on learners of their own, which learn nothing."""
    asked: dict[str, dict[str, Any]] = {name: dict(values) for name, values in step.page.parameters.items()}
    ending = step.ending
    if ending.learner:
        asked.setdefault(ending.learner, {})[ending.parameter] = ending.value
    if asked:
        theirs = {river_name(name) for name in RIVER}
        made: dict[str, Learner] = make_learners([name for name in names if name not in theirs], [], 1)
        if refused := tuned(made, asked):
            raise ValueError(refused[0])


def _check_rows(step: Step, row: int) -> int:
    """Return the row where the step ends."""
    at = row if step.page.at is None else step.page.at
    if at > MOST_ROW:
        raise ValueError(f"page.at={at:,}: expected at most {MOST_ROW:,}")
    if step.ending.row is not None and step.ending.row <= at:
        raise ValueError(f"until.row={step.ending.row:,}: expected a row behind {at:,}, where the step begins")
    return at if step.ending.row is None else step.ending.row


def _check_claims(step: Step, names: tuple[str, ...]) -> None:
    words = plain_text(step.text) + plain_text(step.reveal)
    if step.predict is not None:
        words += " ".join((step.predict.question, *step.predict.options))
    for claim in step.claims:
        checked_choice("claims.of", claim.learner, names)
        if claim.is_ not in words:
            raise ValueError(f"claims.is={shown(claim.is_, 40)}: the text does not say this number")
