"""The fixtures of the core's browser tests."""

from tests.ui.conftest import (  # noqa: F401
    blank_page,
    browser,
    shared_server,
    page,
    serve,
    server,
    start_server,
    usual,
    visit,
    wait_until,
)
