"""What the file of a lesson may say: structs of its settings, in YAML, and its texts, in Markdown."""

from __future__ import annotations

import re
from typing import Annotated, Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Meta, Struct, field

from streamlab._checks import check_unique
from streamlab.lessons.lesson import Tree
from streamlab.views.kit.text import shown

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
    changes: Tables = field(default_factory=list)
    delay: Row = 0
    hidden: Annotated[float, Meta(ge=0, le=1)] = 0.0


class Asked(Said):
    """A question with answers to choose from; ``answer`` is the place of the true one, from 1."""

    question: Text
    options: Annotated[tuple[Answer, ...], Meta(min_length=2, max_length=5, description="a list of 2 to 5 texts")]
    answer: Annotated[int, Meta(ge=1, le=5)]


class Drawn(Said):
    """A question that is answered by a drawing."""

    question: Text
    learner: Text
    measure: str
    start: Row = field(name="from")
    stop: LaterRow = field(name="to")


class Until(Said):
    """What ends a step: one of these."""

    row: LaterRow | None = None
    tab: str | None = None
    tuned: Table | None = None


class Claimed(Said, rename={"is_": "is", "wrong_at": "wrong at", "up_to": "up to"}):
    """A number that the text says, and of what it is: one of the kinds between ``is`` and ``after``."""

    of: Text
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
    put_in: Tables = field(default_factory=list)
    hide: tuple[str, ...] | None = None
    ask: Asked | None = None
    draw: Drawn | None = None
    until: Until | None = None
    claims: Annotated[list[Claimed], Meta(max_length=MOST_LISTED)] | Claimed = field(default_factory=list)


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
