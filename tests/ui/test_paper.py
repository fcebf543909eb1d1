"""From the page to paper: pictures and curves as SVG and PNG, tables, the run as Python."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.ui.test_kit_js import MADE, Shown

SVG = "{http://www.w3.org/2000/svg}"
SURFACES = {False: "#fbfaf8", True: "#14171a"}


def saved(page: Any, name: str, folder: Path) -> Path:
    """Click a button that gives a file, and return where it is."""
    with page.expect_download() as waited:
        page.get_by_role("button", name=name).click()
    path = folder / waited.value.suggested_filename
    waited.value.save_as(path)
    return path


@pytest.mark.parametrize("dark", [False, True])
def test_every_picture_is_had_as_svg_and_png_with_its_title(page: Any, tmp_path: Path, dark: bool) -> None:
    opened = page("about:blank", width=1000)
    for name in MADE:
        opened.evaluate("document.body.replaceChildren()")
        shown = Shown(opened, name, dark=dark)
        title = opened.evaluate("view.about.title")

        path = saved(opened, "Save the picture as SVG", tmp_path)
        root = ElementTree.parse(path).getroot()
        said = "".join(root.itertext())
        width, height = (float(each) for each in root.attrib["viewBox"].split()[2:])
        assert root.tag == f"{SVG}svg", name
        assert all(word in said for word in title.split()), name
        assert SURFACES[dark] in path.read_text("utf-8"), name
        drawn = next(root.iter(f"{SVG}svg"))
        assert len(list(drawn.iter())) > 10, name
        assert not any("NaN" in value for each in root.iter() for value in each.attrib.values()), name

        image = saved(opened, "Save the picture as PNG", tmp_path).read_bytes()
        assert struct.unpack(">II", image[16:24]) == (2 * width, 2 * height), name
        assert opened.evaluate("view.stats().zoom.fitted"), name
        opened.evaluate("view.destroy()")
        assert shown.name
