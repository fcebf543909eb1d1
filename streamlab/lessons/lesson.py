"""What a lesson is made of, as its file says it: structs of its settings, in YAML, and its texts, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec
import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Meta, Struct

from streamlab._checks import check_unique
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.kit.text import shown
from streamlab.views.page.address import Address

Tree = list[Any]
"""Text as ``[tag, {attribute: value}, *children]``, or a str: nothing in it is ever parsed as HTML."""
MOST_ROW, MOST_MINUTES, MOST_LISTED = 200_000, 120, 20
Text = Annotated[str, Meta(pattern=r"\S", max_length=400, description="a text of at most 400 characters")]
Row = Annotated[int, Meta(ge=0, le=MOST_ROW)]
LaterRow = Annotated[int, Meta(ge=1, le=MOST_ROW)]
Answer = Annotated[str, Meta(pattern=r"\S", max_length=300, description="a text of at most 300 characters")]
Plain = str | int | float
Table = dict[str, Any]
Tables = Annotated[list[Table], Meta(max_length=MOST_LISTED)] | Table


class Said(Struct, forbid_unknown_fields=True):
    """A table of the file, in which nothing else may stand."""


class Made(Said):
    """A stream that is made for the lesson (``StreamSpec``)."""

    source: str
    how: str = "recurrent"
    rows: Annotated[int, Meta(ge=100, le=MOST_ROW)] = 10_000
    seed: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 1
    changes: Tables = msgspec.field(default_factory=list)
    delay: Row = 0
    hidden: Annotated[float, Meta(ge=0, le=1)] = 0.0


class Asked(Said):
    """A question with answers to choose from; ``answer`` is the place of the true one, from 1."""

    question: Text
    options: Annotated[tuple[Answer, ...], Meta(min_length=2, max_length=5, description="a list of 2 to 5 texts")]
    answer: Annotated[int, Meta(ge=1, le=5)]


class Until(Said):
    """What ends a step: one of these."""

    row: LaterRow | None = None
    tab: str | None = None
    tuned: Table | None = None


class Claimed(Said, rename={"learner": "of", "is_": "is", "wrong_at": "wrong at", "up_to": "up to"}):
    """A number that the text says, and of what it is: one of the kinds between ``is`` and ``after``."""

    learner: Text
    is_: Plain
    measure: Plain | None = None
    overall: Plain | None = None
    label: Plain | None = None
    answered: Plain | None = None
    right: Plain | None = None
    carried: Plain | None = None
    level: Plain | None = None
    wrong_at: Plain | None = None
    event: Plain | None = None
    evidence: Plain | None = None
    trust: Plain | None = None
    after: Row = 0
    up_to: LaterRow | None = None


class Block(Said, rename={"put_in": "put in"}):
    """Settings of a step."""

    page: Table | None = None
    stream: Made | None = None
    put_in: Tables = msgspec.field(default_factory=list)
    hide: tuple[str, ...] | None = None
    ask: Asked | None = None
    until: Until | None = None
    claims: Annotated[list[Claimed], Meta(max_length=MOST_LISTED)] | Claimed = msgspec.field(default_factory=list)


class Head(Said):
    """The front matter."""

    title: Annotated[str, Meta(pattern=r"\S", max_length=80, description="a text of at most 80 characters")]
    about: Annotated[str, Meta(pattern=r"\S", max_length=300, description="a text of at most 300 characters")]
    minutes: Annotated[int, Meta(ge=1, le=MOST_MINUTES)]
    hide: tuple[str, ...] | None = None
    page: Table | None = None
    stream: Made | None = None


class _Loader(yaml.SafeLoader):
    """YAML without anchors, by which a short text would stand for an endless one, and with each key once."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent) or getattr(self.peek_event(), "anchor", None) is not None:
            raise ValueError("anchors (&name, *name) are not read here")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        check_unique("the key", [each.value for each, _ in node.value if isinstance(each.value, str)])
        return super().construct_mapping(node, deep)


def read_yaml(text: str) -> Any:
    """Return what a text in YAML says.

    Raises
    ------
    ValueError
        If it is not valid YAML, has anchors, gives a key twice, or is nested too deep.
    """
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = "" if mark is None else f" in line {mark.line + 1} of the block"
        raise ValueError(f"invalid YAML{line}: {shown(getattr(error, 'problem', None) or error, 120)}") from None
    except RecursionError:
        raise ValueError("the settings are nested too deep") from None


TAGS = {"p", "ul", "ol", "li", "strong", "em", "a", "blockquote"}
MOST_TEXT = 2_000
"""Characters of one piece of text."""
OWN_PAGE = re.compile(r"[a-z_]+(\?[\w=&.,%+-]*)?")
_markdown = MarkdownIt("commonmark", {"html": False})


def tree_of(markdown: str) -> tuple[Tree, ...]:
    """Return a text as trees of paragraphs and lists.

    Raises
    ------
    ValueError
        For what a lesson does not show (pictures, headings, blocks of code, rules), and links to anywhere else.

    Examples
    --------
    >>> tree_of("A **tree** <b>.")
    (['p', {}, 'A ', ['strong', {}, 'tree'], ' <b>.'],)
    """
    root: Tree = ["div", {}]
    _add(_markdown.parse(markdown), [root])
    return tuple(root[2:])


def plain_text(trees: tuple[Tree, ...] | Tree) -> str:
    """Return the words of trees."""
    if isinstance(trees, tuple):
        return "\n".join(plain_text(each) for each in trees)
    return "".join(each if isinstance(each, str) else plain_text(each) for each in trees[2:])


def _add(tokens: list[Token], opened: list[Tree]) -> None:
    """Append what the tokens are to the innermost of the open nodes."""
    for token in tokens:
        if token.type == "inline":
            _add(token.children or [], opened)
        elif token.type == "text":
            if token.content:
                opened[-1].append(shown(token.content, MOST_TEXT))
        elif token.type == "softbreak":
            opened[-1].append(" ")
        elif token.type == "hardbreak":
            opened[-1].append(["br", {}])
        elif token.type == "code_inline":
            opened[-1].append(["code", {}, shown(token.content, MOST_TEXT)])
        elif token.tag in TAGS and token.nesting == 1:
            node: Tree = [token.tag, {"href": _checked(str(token.attrs["href"]))} if token.tag == "a" else {}]
            opened[-1].append(node)
            opened.append(node)
        elif token.tag in TAGS and token.nesting == -1:
            opened.pop()
        else:
            raise ValueError(
                f"{token.type.removesuffix('_open').replace('_', ' ')} in the text: expected paragraphs, lists, "
                "**strong**, *emphasis*, `code` and links"
            )


def _checked(link: str) -> str:
    if link.startswith("https://") or OWN_PAGE.fullmatch(link):
        return link
    raise ValueError(f"the link {shown(link, 60)}: expected https://… or a page of this server, such as drift_lab")


@dataclass(frozen=True)
class Choice:
    """Predict first: one of some answers.

    Parameters
    ----------
    question
        What is asked.
    options
        The answers, 2 to 5.
    answer
        The place of the true one, from 0.
    """

    question: str
    options: tuple[str, ...]
    answer: int


@dataclass(frozen=True)
class Ending:
    """What has to happen before the step ends; at most one of them. Without any: the button Next, or the prediction.

    Parameters
    ----------
    row
        The run has come to this row.
    learner, parameter, value
        A parameter has this value.
    tab
        This tab is open.
    """

    row: int | None = None
    learner: str = ""
    parameter: str = ""
    value: Any = None
    tab: str = ""


@dataclass(frozen=True)
class Claim:
    """A number that a step's text says, and what it is of: tests check it on the run itself.

    Parameters
    ----------
    learner
        Its name; "" for the stream.
    is_
        The number as the text has it, such as ``"0.62"``: the run's number, rounded to as many decimals, is the same.
    kind, what
        What it is: ``"measure"``, the mean of a measure's curve over ``rows``; ``"overall"``, a measure over all rows
        so far; of a label ``"label"`` (its F1), ``"answered"``, ``"right"`` and ``"carried"`` (rows for which it was
        answered, rightly so, and that have it); of a level from 1 ``"level"`` (its F1) and ``"wrong at"`` (the share of
        rows whose answer first goes wrong there); ``"event"``, the row of the first event of a kind within ``rows``;
        ``"evidence"`` with ``"before"``, the share of the evidence that is from before the latest drift; ``"trust"``
        with an expert's name, how much a council trusts it at the end of the step.
    rows
        For a measure the rows whose chunks are averaged, and for an event where it is looked for, as (after, up to).
    """

    learner: str
    is_: str
    kind: str
    what: str
    rows: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Step:
    """One step.

    Parameters
    ----------
    title, text
        What is read.
    page
        What this step sets on the page, in the words of its address; ``page.at`` is the row to stand at.
    stream
        A stream that is made for the lesson, in place of ``page.stream``.
    drifts
        Changes that are put into the running stream as the step begins: a name of ``DRIFTS`` and its parameters.
    hidden
        Parts of the page that are not shown; names of ``views.page.screen.PARTS``.
    predict
        What is asked first, or None.
    reveal
        Text that is shown when the prediction is made and the end has come.
    ending
        What has to happen first.
    claims
        Numbers that its text says.
    """

    title: str
    text: tuple[Tree, ...]
    page: Address = field(default_factory=Address)
    stream: StreamSpec | None = None
    drifts: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    hidden: tuple[str, ...] = ()
    predict: Choice | None = None
    reveal: tuple[Tree, ...] = ()
    ending: Ending = field(default_factory=Ending)
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Parameters
    ----------
    name
        What an address calls it: the file's name without its ending.
    title, about
        What it is called, and what one sees in it, in a sentence.
    minutes
        How long it takes.
    steps
        At least one.
    teacher
        Markdown for the teacher: aim, questions and answers, what to watch; "" if there is none.
    path
        Its file.
    """

    name: str
    title: str
    about: str
    minutes: int
    steps: tuple[Step, ...]
    teacher: str
    path: Path
