"""An earlier run beside the present one: choose its file, see its curves, remove them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab._checks import counted
from streamlab.lab.earlier import EarlierRun, earlier_run
from streamlab.schema import Schema
from streamlab.views.hosting.uploads import new_folder
from streamlab.views.kit.text import shown
from streamlab.views.page.upload import UploadInput
from streamlab.views.page.window import Explanation, Notice

HINT = (
    "A run that was saved (.slab) on the same labels: its curves are drawn thin and faded under those of this run, "
    "for as long as this page is open."
)
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (6, 18)}


class EarlierPanel:
    """The choice of an earlier run.

    Parameters
    ----------
    lay_under
        Called with the earlier run, or None, on the document's thread.
    background
        Called with a function that takes its time.
    later
        Called from there with a function for the document's thread.
    """

    def __init__(
        self,
        lay_under: Callable[[EarlierRun | None], None],
        background: Callable[[Callable[[], None]], None],
        later: Callable[[Callable[[], None]], None],
    ) -> None:
        self._lay_under, self._background, self._later = lay_under, background, later
        self._schema: Schema | None = None
        self._asked = 0
        self.earlier: EarlierRun | None = None
        self.note = Notice(severity="error", visible=False, margin=(6, 18))
        self.upload = UploadInput(
            new_folder, self._uploaded, self.note.say, ".slab", label="Choose an earlier run", margin=(6, 18)
        )
        self.said = Explanation("", variant="body2", visible=False, margin=(6, 18))
        self.away = pmui.Button(label="Take it away", variant="outlined", visible=False, **WIDE)
        self.away.on_click(lambda _: self._show(None))
        hint = pmui.Typography(HINT, variant="caption", margin=(0, 18))
        self.pane = pn.Column(hint, self.upload, self.note, self.said, self.away, sizing_mode="stretch_width")

    def begin(self, schema: Schema) -> EarlierRun | None:
        """Take the labels of the run that is shown from now on; return what lies under it: nothing of other labels."""
        if self._schema is not None and set(schema.labels) != set(self._schema.labels):
            self._tell(None)
        self._schema = schema
        self._asked += 1
        return self.earlier

    def _uploaded(self, paths: list[Path]) -> None:
        schema, path = self._schema, paths[0]
        if schema is None:
            shutil.rmtree(path.parent, ignore_errors=True)
            return
        self._asked += 1
        asked = self._asked
        self.note.say("Reading the earlier run …", "info")

        def read() -> None:
            found, message = None, ""
            try:
                found = earlier_run(path, schema)
            except ValueError as error:
                message = str(error).replace(f"{path}", shown(path.name))
            except OSError as error:
                message = f"the upload cannot be read: {error.strerror}"
            # read once, and gone
            shutil.rmtree(path.parent, ignore_errors=True)
            # of two files the one that was chosen last, and none for a run that has gone
            self._later(lambda: self._read(found, message) if asked == self._asked else None)

        self._background(read)

    def _read(self, found: EarlierRun | None, message: str) -> None:
        self.note.say(message)
        if found is not None:
            self._show(found)

    def _show(self, found: EarlierRun | None) -> None:
        self._tell(found)
        self._lay_under(found)

    def _tell(self, found: EarlierRun | None) -> None:
        self.earlier = found
        self.away.visible = self.said.visible = found is not None
        if found is not None:
            names = ", ".join(map(shown, found.histories))
            self.said.object = f"Under the curves: {names} on {shown(found.stream)}, {counted(found.rows, 'row')}."
