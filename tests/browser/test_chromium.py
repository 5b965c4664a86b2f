"""Packages that ``make test`` installs before the browser tests, without installing them."""

import os
import shutil
import subprocess

import pytest

from tests.browser import chromium
from tests.browser.typefaces import CJK, DEJAVU

HERE = "/usr/bin/chromium-headless-shell"


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Return the commands for a bare Debian; only its package for a headless browser is not known there."""
    run: list[tuple[str, ...]] = []
    monkeypatch.setattr(shutil, "which", lambda name: name if name == "apt-get" else None)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: run.append(command))
    monkeypatch.setattr(chromium, "missing", lambda: iter([CJK, DEJAVU]))
    monkeypatch.setattr(chromium, "drives", lambda: ("libatomic1",) in [each[-1:] for each in run])
    monkeypatch.setattr(chromium, "find", lambda: HERE if run and run[-1][-1] == "chromium" else None)
    return run


def as_user(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Be the user with this number; root is 0."""
    monkeypatch.setattr(os, "geteuid", lambda: number, raising=False)


def test_root_installs_what_is_missing_and_nothing_else(
    commands: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The smaller browser is tried first; nothing recommended comes along, and nothing is upgraded."""
    as_user(monkeypatch, 0)
    monkeypatch.setattr(
        chromium, "find", lambda: HERE if "chromium" in [each[-1] for each in commands] else None
    )
    chromium.install()
    update, *installs = commands
    assert update == ("apt-get", "update", "-q")
    quiet = ("apt-get", "install", "-y", "-q", "--no-install-recommends", "--no-upgrade")
    assert installs == [
        (*quiet, "libatomic1"),
        (*quiet, "chromium-headless-shell"),
        (*quiet, "chromium"),
        (*quiet, "fonts-dejavu-core", "fonts-noto-cjk"),
    ]
    said = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[1] for line in said] == [" ".join(each[len(quiet) :]) for each in installs]


def test_nobody_else_installs_fonts_but_is_told_how(
    commands: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one sentence with the command; the tests begin, and those that need the fonts fail."""
    as_user(monkeypatch, 1000)
    monkeypatch.setattr(chromium, "find", lambda: HERE)
    monkeypatch.setattr(chromium, "drives", lambda: True)
    assert chromium.main() == 0
    assert commands == []
    advice = capsys.readouterr().err
    assert "--no-install-recommends --no-upgrade fonts-dejavu-core fonts-noto-cjk, then" in advice
    assert advice.count(".") == 1
