"""The fixtures of the core's browser tests."""

from tests.ui.conftest import (  # noqa: F401
    blank_page,
    browser,
    page,
    serve,
    server,
    shared_server,
    start_server,
    usual,
    visit,
    wait_until,
)
