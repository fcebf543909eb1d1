"""Files of thirty habits, what each is read as, and the clicks that bring it to a learner; or why it is refused."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["HABITS", "Habit"]

N = 120


@dataclass(frozen=True)
class Habit:
    """A file, and what becomes of it.

    Parameters
    ----------
    name
        The file's.
    made
        Returns its bytes.
    features, labels
        How many the stream has.
    options
        What ``load`` has to be told; by default nothing: all is guessed.
    roles
        The clicks: columns and their roles, where the guess is not what is meant.
    refused
        What the sentence says, if it cannot be a stream.
    first
        Names of its first labels.
    """

    name: str
    made: Callable[[], bytes]
    features: int = 0
    labels: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    refused: str = ""
    first: tuple[str, ...] = ()


def _x(j: int = 0) -> np.ndarray:
    return np.random.default_rng(j + 1).random(N).round(3)


def _number(value: float, comma: bool = False) -> str:
    return f"{value:.3f}".replace(".", "," if comma else ".")


GENRES = ("jazz", "pop", "rock")


def _genre(i: int) -> str:
    return GENRES[int(_x()[i] * 3)]


def _tags(i: int, between: str) -> str:
    return between.join(t for j, t in enumerate(GENRES) if _x(j)[i] > 0.4) or GENRES[i % 3]


def _lines(head: str, row: Callable[[int], str], n: int = N, end: str = "\n") -> str:
    return end.join([*([head] if head else []), *(row(i) for i in range(n))]) + end


def _abl(separator: str = ",", comma: bool = False, yes: str = "1", no: str = "0", head: str | None = None) -> str:
    names = separator.join(("a", "b", "l")) if head is None else head
    return _lines(
        names,
        lambda i: separator.join((_number(_x()[i], comma), _number(_x(1)[i], comma), yes if _x()[i] > 0.5 else no)),
    )


def _text(text: str, encoding: str = "utf-8") -> Callable[[], bytes]:
    return lambda: text.encode(encoding)


def _wide() -> bytes:
    X = np.random.default_rng(3).random((N, 195)).round(4)
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(195)])
    for j in range(5):
        frame[f"label_{j}"] = (X[:, j] > 0.5).astype(int)
    return frame.to_csv(index=False).encode()


def _parquet() -> bytes:
    frame = pd.DataFrame({"a": _x(), "when": pd.date_range("2024-01-01", periods=N), "b": _x(1)})
    frame["tags"] = [_tags(i, ";").split(";") for i in range(N)]
    file = io.BytesIO()
    frame.to_parquet(file)
    return file.getvalue()


def _date(i: int) -> str:
    return (date(2024, 1, 1) + timedelta(days=i)).isoformat()


HABITS: tuple[Habit, ...] = (
    Habit("plain.csv", _text(_abl()), 2, 1, first=("l",)),
    Habit("semicolons.csv", _text(_abl(";")), 2, 1),
    Habit("tabs.tsv", _text(_abl("\t")), 2, 1),
    Habit("pipes.csv", _text(_abl("|")), 2, 1),
    Habit("blanks.txt", _text(_abl(" ")), 2, 1),
    Habit("decimal commas.csv", _text(_abl(";", comma=True)), 2, 1),
    Habit(
        "thousands.csv",
        _text(_lines("preis;l", lambda i: f"{1000 + i * 37:,.2f};{i % 2}".translate(str.maketrans(",.", ".,")))),
        1,
        1,
    ),
    Habit("latin.csv", _text(_abl(";", True, "ja", "nein", "Größe;Länge;Käufer"), "cp1252"), 2, 1, first=("Käufer",)),
    Habit("utf16.csv", _text(_abl("\t", head="größe\tlänge\tl"), "utf-16"), 2, 1),
    Habit("bom.csv", _text(_abl(), "utf-8-sig"), 2, 1, first=("l",)),
    Habit("yes no.csv", _text(_abl(yes="yes", no="no")), 2, 1),
    Habit("plus minus.csv", _text(_abl(yes="1", no="-1")), 2, 1),
    Habit("crosses.csv", _text(_abl(yes="x", no="")), 2, 1),
    Habit("classes.csv", _text(_lines("a,b,genre", lambda i: f"{_x()[i]},{_x(1)[i]},{_genre(i)}")), 2, 3, first=GENRES),
    Habit(
        "numbered classes.csv",
        _text(_lines("a,b,quality", lambda i: f"{_x()[i]},{_x(1)[i]},{3 + int(_x()[i] * 4)}")),
        2,
        4,
        first=("quality=3",),
    ),
    Habit("class first.csv", _text(_lines("species,a,b", lambda i: f"{_genre(i)},{_x()[i]},{_x(1)[i]}")), 2, 3),
    Habit("tags.csv", _text(_lines("a,b,tags", lambda i: f"{_x()[i]},{_x(1)[i]},{_tags(i, ';')}")), 2, 3),
    Habit("tags with blanks.csv", _text(_lines("a,b,styles", lambda i: f"{_x()[i]},{_x(1)[i]},{_tags(i, ' ')}")), 2, 3),
    Habit("tags quoted.csv", _text(_lines("a,b,styles", lambda i: f'{_x()[i]},{_x(1)[i]},"{_tags(i, ", ")}"')), 2, 3),
    Habit(
        "missing.csv",
        _text(
            _lines(
                "a,b,l", lambda i: f"{['', 'NA', '?', _x()[i]][i % 4]},{'unknown' if i % 9 == 2 else _x(1)[i]},{i % 2}"
            )
        ),
        2,
        1,
    ),
    Habit("no header.csv", _text(_abl(head="")), 2, 1, first=("column 3",)),
    Habit("twice.csv", _text(_lines("a,a,l", lambda i: f"{_x()[i]},{_x(1)[i]},{i % 2}")), 2, 1),
    Habit(
        "empty lines.csv",
        _text("\n\n" + _lines("a,b,l", lambda i: f"{_x()[i]},{_x(1)[i]},{i % 2}\n", end="\r\n")),
        2,
        1,
    ),
    Habit("report.csv", _text("sep=;\nExported 2024\n\n" + _abl(";", True)), 2, 1),
    Habit(
        "only labels.csv",
        _text(_lines("l1,l2", lambda i: f"{i % 2},{i // 2 % 2}")),
        refused="Make at least one column a feature",
        roles={"l1": "label", "l2": "label"},
        options={"labels": ["l1", "l2"]},
    ),
    Habit(
        "one is a feature.csv",
        _text(_lines("p,q", lambda i: f"{i % 2},{i // 2 % 2}")),
        1,
        1,
        roles={"q": "label"},
        options={"labels": "q"},
    ),
    Habit(
        "texts.csv",
        _text(
            _lines(
                "body,tags",
                lambda i: f'"the post, no. {i}\nof {_x()[i]} words about {_genre(i)} and more",{_tags(i, "|")}',
            )
        ),
        262144,
        3,
    ),
    Habit(
        "dates.csv",
        _text(
            _lines(
                "id,date,a,b,drama,comedy", lambda i: f"{i + 1},{_date(i)},{_x()[i]},{_x(1)[i]},{i % 2},{i // 3 % 2}"
            )
        ),
        2,
        2,
        first=("drama", "comedy"),
    ),
    Habit(
        "pandas wrote it.csv",
        _text(_lines(",a,l1,l2", lambda i: f"{i},{_x()[i]},{i % 2},{i // 3 % 2}")),
        1,
        2,
        first=("l1", "l2"),
    ),
    Habit(
        "lists written out.csv",
        _text(_lines("a,b,labels", lambda i: f'{_x()[i]},{_x(1)[i]},"{_tags(i, ";").split(";")}"')),
        2,
        3,
    ),
    Habit("vectors.csv", _text(_lines("a,b,y", lambda i: f'{_x()[i]},{_x(1)[i]},"[{i % 2}, {i // 3 % 2}]"')), 2, 2),
    Habit(
        "dates with commas.csv",
        _text(
            _lines(
                "date,a,drama,comedy",
                lambda i: f'"Sat, {i % 28 + 1:02} Mar 2024 23:30:00 -0000",{_x()[i]},{i % 2},{i // 3 % 2}',
            )
        ),
        1,
        2,
    ),
    Habit("wide.csv.gz", _wide, 195, 5),
    Habit("lists.parquet", _parquet, 2, 3),
    Habit(
        "no labels.csv", _text(_lines("a,b", lambda i: f"{_x()[i]},{_x(1)[i]}")), refused="Which columns are the labels"
    ),
    Habit("ragged.csv", _text(_abl() + "0.5,1\n"), refused="line 122, column 3: expected 3 cells"),
    Habit(
        "late word.csv",
        _text(_abl() + "\n".join(["0.5,0.5,1"] * 2000) + "\nred,0.5,1\n"),
        refused="line 2122, column 1 ('a'): expected a number",
    ),
)
