"""How the apps are served: compressed, however the server was started."""

from __future__ import annotations

from tornado.web import Application, GZipContentEncoding

__all__ = ["compress_responses"]


def compress_responses() -> None:
    """Have every tornado application of this process compress what it sends.

    ``panel serve`` has no option for it, and uncompressed a page is some 5 MB. When an app's code first runs its server
    is already up, and neither Panel nor Bokeh hands out the application that serves; so the class answers for all of
    its instances: each request asks it for the transforms that its response goes through.
    """
    if isinstance(vars(Application).get("transforms"), property):
        return

    def transforms(self: Application) -> list:
        own = vars(self)["transforms"]
        return own if GZipContentEncoding in own else [*own, GZipContentEncoding]

    def replace(self: Application, value: list) -> None:
        vars(self)["transforms"] = value

    # the class declares an attribute of the instances; a property takes its place
    Application.transforms = property(transforms, replace)  # type: ignore[assignment]
