"""How the apps are served: compressed, however the server was started, and to which addresses."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from tornado.web import Application, GZipContentEncoding

__all__ = ["compress_responses", "free_port", "origins"]

HERE = ("localhost", "127.0.0.1")
"""What people write for this machine."""


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


def free_port(address: str) -> int:
    """Return a port of an address that nobody listens on now."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.bind((address, 0))
        return probe.getsockname()[1]


def origins(address: str, port: int, further: Sequence[str] | None = None) -> list[str]:
    """Return the addresses from which a page may open its socket; a page of any other site may not.

    Parameters
    ----------
    address, port
        Where the server listens.
    further
        ``host:port`` under which browsers reach it besides.
    """
    own = () if address in (*HERE, "", "0.0.0.0", "::") else (f"[{address}]" if ":" in address else address,)
    return list(dict.fromkeys([*(f"{name}:{port}" for name in (*HERE, *own)), *(further or ())]))
