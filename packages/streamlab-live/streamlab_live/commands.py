"""The commands ``streamlab watch`` and ``streamlab attach``: a run as a service, and a page that looks at it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["attach", "watch"]


def watch(
    file: Annotated[Path, typer.Argument(help="the service: a TOML file")],
    once: Annotated[
        bool, typer.Option("--check", help="open everything, print the columns and what would be refused, and end")
    ] = False,
) -> None:
    """Learn from a live stream without a page, until it ends or SIGTERM comes; started again, it goes on.

    Snapshots, metrics for Prometheus and alarms to a webhook are as the file says.
    """
    from streamlab_live.service.definition import read_definition
    from streamlab_live.service.service import Service

    service = Service(read_definition(file), typer.echo)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.stop())
    if service.metrics is not None:
        typer.echo(f"metrics: http://{service.definition.metrics.address}:{service.metrics.port}/metrics")
    guarantee = getattr(service.stream, "guarantee", "")
    if guarantee:
        typer.echo(guarantee)
    if once:
        from streamlab_live.service.definition import report_lines

        try:
            for line in report_lines(service.stream):
                typer.echo(line)
            typer.echo(f"nothing was learned; what came was read into {service.definition.folder}, where watch goes on")
        finally:
            service.close()
        return
    service.serve()
    typer.echo(service.closing_line())


def attach(
    file: Annotated[Path, typer.Argument(help="the service: its TOML file, or its folder")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0: any free one")] = 5006,
    address: Annotated[str, typer.Option(help="address to listen on")] = "localhost",
    open_browser: Annotated[bool, typer.Option("--show/--no-show", help="open a browser")] = False,
    allow_origin: Annotated[
        list[str] | None, typer.Option(help="host:port under which browsers reach it, if not this one; repeatable")
    ] = None,
) -> None:
    """Serve a page that looks at a service: it learns along from the service's journal, and changes nothing there.

    Each page begins at the newest snapshot. It can go back in time, fork and tune learners of its own; when it is
    closed, the service has not noticed.
    """
    try:
        from streamlab_live.page.attached import serve_attached
    except ModuleNotFoundError as error:
        raise ValueError(f'the page needs Panel ({error}): pip install "streamlab[app]"') from None
    if hasattr(os, "nice"):
        os.nice(10)  # the service goes first where both want the same core
    serve_attached(file, port=port, address=address, show=open_browser, allow_origin=allow_origin)
