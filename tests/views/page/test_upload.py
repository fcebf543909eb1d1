"""Files that come piece by piece: what arrives, what is shown of it, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from streamlab.views.hosting.limits import LIMITS
from streamlab.views.page.upload import UploadInput


class Page:
    """A page that takes uploads into folders of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.said, self.paths = folder, list[str](), list[list[Path]]()
        self.control = UploadInput(self._room, self.paths.append, self.said.append, ".csv")

    def _room(self) -> Path:
        made = self.folder / f"{len(list(self.folder.iterdir()))}"
        made.mkdir()
        return made

    def begin(self, *files: tuple[str, int], upload: int = 7) -> None:
        self.control._handle_msg({"kind": "files", "upload": upload, "files": [list(each) for each in files]})

    def piece(self, data: bytes, upload: int = 7) -> None:
        self.control._handle_msg({"kind": "piece", "upload": upload, "data": data})

    @property
    def shown(self) -> tuple[str, int]:
        return self.control.packed["state"], self.control.packed["received"]


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.setattr(LIMITS, "upload_megabytes", 1)
    return Page(tmp_path)


def test_pieces_become_files_and_what_arrived_is_shown(page):
    page.begin(("a.CSV", 5), ("empty.csv", 0), ("b.csv", 2))
    assert page.shown == ("going", 0)
    for data, received in ((b"1,2", 3), (b"\n3", 5), (b"4\n", 7)):
        assert page.paths == []
        page.piece(data)
        assert page.shown[1] == received
    assert page.shown[0] == "done"
    (paths,) = page.paths
    assert {path.name: path.read_bytes() for path in paths} == {"a.csv": b"1,2\n3", "empty.csv": b"", "b.csv": b"4\n"}
    page.control.stop()
    assert all(path.exists() for path in paths), "what arrived is the page's"


def test_more_than_the_server_allows_is_refused_before_a_byte_of_it_comes(page):
    page.begin(("a.csv", 600_000), ("b.csv", 600_000))
    assert page.said == ["the upload is larger than 1 MB, which this server allows"]
    assert page.shown == ("refused", 0)
    page.piece(b"1")
    assert page.shown == ("refused", 0)
    # one file may be as large as all together: a control that counts it twice refuses it at the half
    page.begin(("a.csv", 1_000_000))
    page.piece(bytes(999_999))
    page.piece(b"1")
    assert page.paths[0][0].stat().st_size == 1_000_000
    assert len(page.said) == 1


def test_one_that_is_stopped_or_begun_again_leaves_nothing_behind(page):
    page.begin(("a.csv", 5))
    page.piece(b"1,2")
    page.control._handle_msg({"kind": "cancel"})
    assert page.shown == ("idle", 0)
    assert list(page.folder.iterdir()) == []
    page.begin(("a.csv", 5))
    page.piece(b"1,2")
    page.begin(("b.csv", 2), upload=8)
    page.piece(b"of the first", upload=7)
    page.piece(b"4\n", upload=8)
    assert [path.name for path in page.paths[0]] == ["b.csv"]
    assert len(list(page.folder.iterdir())) == 1
    assert page.said == []


@pytest.mark.parametrize(
    "files",
    [None, [], "ab", [["a.csv"]], [["a.csv", -1]], [["a.csv", 1.5]], [["a.csv", True]], [[b"a.csv", 1]],
     [["a", 1]] * 21, [["a.csv", 1], ["a.CSV", 1]]],
)  # fmt: skip
def test_what_no_page_announces_is_refused(page, files):
    page.control._handle_msg({"kind": "files", "upload": 7, "files": files})
    page.piece(b"1")
    assert len(page.said) == 1
    assert page.paths == []
    assert [path for path in page.folder.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("data", [b"", b"123456", "1,2", None, [1, 2], 5])
def test_a_piece_that_does_not_fit_is_refused(page, data):
    page.begin(("a.csv", 5))
    page.piece(data)
    assert page.said == ["the browser sent an upload that cannot be understood"]
    assert list(page.folder.iterdir()) == []


@pytest.mark.parametrize("message", [None, {}, "ready", {"kind": "finished"}, {"kind": ["files"]}])
def test_a_message_nobody_sends_is_refused(page, message):
    page.control._handle_msg(message)
    assert page.said == ["the browser sent an upload that cannot be understood"]


def test_a_disk_that_takes_nothing_is_said(page, monkeypatch):
    def no_room() -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(page.control, "_new_folder", no_room)
    page.begin(("a.csv", 5))
    assert page.said == ["the upload cannot be kept: No space left on device"]
    assert page.shown == ("refused", 0)
