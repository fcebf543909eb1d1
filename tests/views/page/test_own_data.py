"""The conversation about a file of one's own, without a browser: what it shows, hears and refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from streamlab.streams.limits import say_reading
from streamlab.views.page.own_data import OwnData


class Page:
    """What a page does for its own data, at once and written down."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.begun: list[Path] = []
        self.opened = 0
        self.own = OwnData(self.said.append, self.begun.append, lambda act: act(), lambda act: act(), self._open)

    def _open(self) -> None:
        self.opened += 1

    def upload(self, content: bytes | str, name: str = "m.csv") -> None:
        data = content if isinstance(content, bytes) else content.encode()
        self.own.upload._handle_msg({"kind": "files", "upload": 1, "files": [[name, len(data)]]})
        if data:
            self.own.upload._handle_msg({"kind": "piece", "upload": 1, "data": data})

    def send(self, name: Any, value: Any = None) -> None:
        self.own.dialog._handle_msg({"kind": "command", "name": name, "value": value})

    @property
    def shown(self) -> dict[str, Any]:
        return self.own.dialog.packed


@pytest.fixture
def page():
    made = Page()
    yield made
    made.own.close()


TABLE = "id;a;b;genre\n" + "".join(f"{i};{i},5;{i % 7};{['rock', 'pop'][i % 2]}\n" for i in range(40))


def test_a_file_is_shown_with_a_role_for_each_column(page):
    page.upload(TABLE)
    shown = page.shown
    assert shown["open"] is True
    assert page.opened == 1
    assert [(name, role) for _, name, role, *_ in shown["columns"]] == [
        ("id", "ignore"), ("a", "feature"), ("b", "feature"), ("genre", "class"),
    ]  # fmt: skip
    assert shown["columns"][3][5] == "its name says so"
    assert len({each[5] for each in shown["columns"]}) == 3, "two features, for one reason"
    assert len(shown["rows"]) == 20
    assert shown["rows"][0] == ["0", "0,5", "0", "rock"]
    assert shown["layout"] == {"separator": ";", "decimal": ",", "encoding": "utf-8", "header": True}
    assert shown["python"] == "sl.load('m.csv', labels='genre', ignore=['id'], separator=';', decimal=',')"
    assert shown["ready"] is True
    assert page.begun == [], "nothing starts by itself"
    page.send("start")
    (path,) = page.begun
    assert page.own.options(path) == {"labels": "genre", "ignore": ["id"], "separator": ";", "decimal": ","}
    assert page.shown["busy"]
    page.own.started(path)
    assert page.shown["open"] is False
    assert page.own.again.visible


def test_roles_are_chosen_again_and_again(page):
    page.upload(TABLE)
    page.send("role", [3, "ignore"])
    assert page.shown["columns"][3][5] == "chosen"
    assert page.shown["ready"] is False
    assert page.shown["questions"][0][1] is True
    page.send("start")
    assert page.begun == []
    page.send("close")
    page.own.again.clicks += 1
    assert page.shown["open"] is True
    page.send("role", [2, "class"])
    assert page.shown["ready"] is True
    page.send("start")
    assert page.own.options(page.begun[0])["labels"] == "b"


def test_a_refused_file_keeps_its_conversation(page):
    page.upload(TABLE)
    page.send("start")
    assert page.own.refused(page.begun[0], "m.csv, line 7: red") is True
    assert (page.shown["error"], page.shown["busy"], page.shown["open"]) == ("m.csv, line 7: red", "", True)
    page.send("role", [2, "ignore"])
    assert page.shown["error"] == ""
    assert page.own.refused(Path("another.csv"), "no") is False


def test_another_layout_is_guessed_again_and_a_wrong_one_is_said(page):
    page.upload(TABLE)
    page.send("layout", ["separator", ","])
    assert len(page.shown["columns"]) != 4 or page.shown["error"]
    page.send("layout", ["separator", ";"])
    assert len(page.shown["columns"]) == 4
    page.send("layout", ["encoding", "utf-16"])
    assert "m.csv" in page.shown["error"]
    assert "streamlab-uploads" not in page.shown["error"]
    assert len(page.shown["columns"]) == 4
    page.send("layout", ["header", False])
    assert page.shown["columns"][0][1] == "column 1"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("role", [99, "label"]),
        ("role", [-1, "label"]),
        ("role", [True, "label"]),
        ("role", [1, "label"]),
        ("role", [1, "lable"]),
        ("role", [1, ["label"]]),
        ("role", None),
        ("role", {"a": 1}),
        ("layout", ["separator", "a"]),
        ("layout", ["path", "/etc/passwd"]),
        ("layout", ["header", 1]),
        ("layout", [["separator"], ","]),
        ("start", 1),
        ("open", None),
        (None, None),
        (["role"], [1, "ignore"]),
    ],
)
def test_forged_commands_change_nothing(page, name, value):
    page.upload(TABLE)
    before = page.own._guess
    page.send(name, value)
    assert page.own._guess is before
    assert page.begun == []


def test_other_formats_begin_at_once_and_arff_asks_when_it_must(page):
    page.upload("1 1:5\n2 1:3\n", "m.txt")
    assert [path.name for path in page.begun] == ["m.txt"]
    rows = "".join(f"{i}.5,{i % 2}\n" for i in range(9))
    page.upload(f"@relation r\n@attribute x numeric\n@attribute l {{0,1}}\n@data\n{rows}", "m.arff")
    path = page.begun[-1]
    assert path.name == "m.arff"
    assert page.own.refused(path, f"{path}: which attributes are labels? expected …") is True
    assert page.shown["python"] == "sl.load('m.arff', labels=['l'])"
    assert page.shown["rows"][1] == ["1.5", "1"]
    page.send("start")
    assert page.own.options(path) == {"labels": ["l"]}


def test_what_cannot_be_read_at_all_is_said(page):
    page.upload(b"", "m.csv")
    assert "m.csv: the file is empty" in page.said[-1]
    page.upload(b"no parquet", "m.parquet")
    assert "no Parquet file that can be read" in page.said[-1]
    assert "streamlab-uploads" not in "".join(page.said)


def test_the_share_that_is_read_is_shown_and_goes_when_it_is_read(page, tmp_path):
    page.upload(TABLE)
    page.send("start")
    (path,) = page.begun
    shown = []
    with page.own.reading(path):
        say_reading(path, 30, 100)
        shown.append((page.shown["share"], page.own.upload.packed["share"]))
        # a look at its first block alone does not set it back, and another file is none of its concern
        say_reading(path, 10, 100)
        say_reading(tmp_path / "other.csv", 90, 100)
        shown.append((page.shown["share"], page.own.upload.packed["share"]))
    say_reading(path, 90, 100)
    shown.append((page.shown["share"], page.own.upload.packed["share"]))
    assert shown == [(0.3, 0.3)] * 3
    assert page.own.upload.packed["busy"] == "Reading the file …"
    page.own.started("yeast")
    assert (page.own.upload.packed["busy"], page.shown["busy"]) == ("", "")
    with page.own.reading("yeast"):
        say_reading(path, 60, 100)
    assert page.own.upload.packed["share"] is None
