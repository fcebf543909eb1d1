"""The fixtures and marks of the core's tests."""

from tests.conftest import (  # noqa: F401
    measures_of_the_package,
    shared_data,
)
