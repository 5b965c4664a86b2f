"""The page's engine in the tests' own process, where tests can look into models and change them."""

import pytest

from viz.ui.visit.service import engine


@pytest.fixture(scope="session", autouse=True)
def models_here() -> None:
    """Choose it before anything else does; real servers, in processes of their own, keep the usual one."""
    with pytest.MonkeyPatch.context() as settings:
        settings.setenv("LAYERGLASS_ENGINE", "local")
        engine()
