"""``import streamlab``, and its pages, leave other packages in a user's process as they are."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytest.importorskip("panel")

CODE = """
import http.client, importlib, json, pkgutil, sys, time, types, warnings

warnings.simplefilter("ignore")
PACKAGES = "numba", "llvmlite", "panel", "panel_material_ui", "bokeh", "tornado", "river"
# they are made for another place, run something, or ask for what is not here
LEFT_OUT = "cuda", "tests", "testing", "command", "runtests", "sampledata", "sphinxext", "__main__", "webdriver"


def load(name):
    try:
        path = getattr(importlib.import_module(name), "__path__", ())
    except Exception:
        return
    for each in pkgutil.iter_modules(path):
        if each.name not in LEFT_OUT:
            load(f"{name}.{each.name}")


def attributes():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in PACKAGES and module is not None:
            for key, value in list(vars(module).items()):
                found[name, key] = value
                if isinstance(value, type) and value.__module__ == name:
                    found |= {(name, f"{key}.{of}"): one for of, one in list(vars(value).items())}
    return found


def changed(before, after):
    # modules that were loaded meanwhile, as each package loads some of its own when they are needed, are no patches
    known = {module for module, _ in before}
    gone = object()
    return sorted(
        ".".join(key)
        for key in before.keys() | after.keys()
        if key[0] in known
        and before.get(key, gone) is not after.get(key, gone)
        and not isinstance(after.get(key), types.ModuleType)
    )


def visit(make, serve):
    thread = serve({"page": make})
    while thread.server_id not in pn.state._servers:
        time.sleep(0.01)
    port = pn.state._servers[thread.server_id][0].port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/page", headers={"Host": f"localhost:{port}"})
    answer = connection.getresponse()
    assert answer.status == 200 and b"token" in answer.read()
    thread.stop()
    thread.join(30)


for each in PACKAGES:
    load(each)
import panel as pn
import panel_material_ui as pmui
# what these packages set themselves when a first function is compiled and a first page is made
sys.modules["numba"].njit(lambda x: x + 1)(1)
visit(lambda: pmui.Page(main=["text"]), lambda pages: pn.serve(pages, show=False, threaded=True, verbose=False))
before = attributes()
import streamlab
with_package = attributes()
for each in ("streamlab", "streamlab_live"):
    load(each)
loaded = attributes()
from streamlab.views.hosting.serving import serve_pages
from streamlab.views.page.pages import make_page
visit(lambda: make_page("council").served(), lambda pages: serve_pages(pages, "", port=0, show=False, threaded=True))
served = attributes()
print(json.dumps([changed(before, with_package), changed(with_package, loaded), changed(loaded, served), len(before)]))
"""
OWN_STATE = {
    "numba.core.entrypoints._already_initialized",
    "bokeh.util.serialization._simple_id",
    "panel.config.panel_extension._loaded",
    "panel.io.document._panel_last_cleanup",
    "panel.models.tabulator.DataTabulator.__css_raw__",
}
"""What these packages set themselves: the number of a last model, that ``panel.extension`` was called, and so on."""


def test_no_attribute_of_another_package_s_modules_and_classes_is_another_afterwards():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    imported, loaded, served, number = json.loads(done.stdout.splitlines()[-1])
    assert number > 50_000, "the packages were looked through"
    assert imported == []
    assert loaded == []
    assert set(served) - OWN_STATE == set()
