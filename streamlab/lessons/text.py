"""Markdown of a lesson as a tree of a few tags: HTML in it stays text, a link leads to https or to a page of ours."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from streamlab.lessons.lesson import Tree
from streamlab.views.kit.text import shown

__all__ = ["plain_text", "tree_of"]

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
