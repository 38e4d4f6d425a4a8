"""Secrets are taken out wherever they stand, and paths of the machine out of what we write."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.report.export import report_html
from brainkit.report.scrub import COVER, Scrubber
from brainkit.widgets.view import mimebundle

OPENAI = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5q" + "T3BlbkFJ" + "Qr8tUv1wXy4zAb7cDe0f"
PLAIN = "q8Zr" + "4mT1xKc7Vb2N"
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + ("MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo" * 2) + "\n"


def test_a_key_is_gone_everywhere_once_it_is_known_anywhere() -> None:
    scrub = Scrubber([f"password = '{PLAIN}'"], environment={})
    assert scrub.text(f"failed with {PLAIN}, twice: {PLAIN}") == (
        f"failed with {COVER * 16}, twice: {COVER * 16}"
    )


@pytest.mark.parametrize(
    "document",
    [
        f"key = '{PLAIN}'\ntoken = '{PLAIN}'",
        f"<td>token = &#x27;{PLAIN}&#x27;</td>",
        f"\x1b[32mtoken\x1b[0m = '{PLAIN}'",
        f'{{"code": "token = \\"{PLAIN}\\""}}',
        [f"token = '{PLAIN[:9]}", f"{PLAIN[9:]}'\n"],
    ],
)
def test_it_is_found_in_every_form(document: Any) -> None:
    assert PLAIN not in Scrubber([document], environment={}).text(f"x {PLAIN} y")


def test_texts_keep_their_length_and_their_lines() -> None:
    scrub = Scrubber([PEM + "-----END RSA PRIVATE KEY-----"], environment={})
    for text in (f"a{PEM}-----END RSA PRIVATE KEY-----z", f"cut: {PEM[:70]}"):
        covered = scrub.text(text)
        assert len(covered) == len(text)
        assert covered.count("\n") == text.count("\n")
        assert "MIIE" not in covered


def test_the_beginning_of_a_key_at_a_cut_is_covered() -> None:
    scrub = Scrubber([OPENAI], environment={})
    assert scrub.text(f"it is {OPENAI[:20]}") == f"it is {COVER * 20}"


def test_values_of_the_environment_count_by_name_or_by_look() -> None:
    environment = {
        "OPENAI_API_KEY": "short-but-named-1", "THING": PLAIN, "LANG": "en_US.UTF-8",
        "SSH_AUTH_SOCK": "/tmp/agent.1234", "TOKEN_KIND": "bearerlike", "HOME": "/home/ann",
    }  # fmt: skip
    scrub = Scrubber([], environment=environment)
    text = " ".join(environment.values())
    covered = scrub.text(text).split()
    assert [one for one in covered if COVER not in one] == [
        "en_US.UTF-8", "/tmp/agent.1234", "bearerlike", "/home/ann",
    ]  # fmt: skip
    assert scrub.warnings() == [
        "value of the environment variable OPENAI_API_KEY taken out of the report",
        "value of the environment variable THING taken out of the report",
    ]


def test_outputs_lose_the_machines_folders(tmp_path: Path) -> None:
    scrub = Scrubber([], environment={}, folder=tmp_path)
    said = f'{tmp_path}/a.py {Path.home()}/b.py File "/opt/v/lib/site-packages/c.py"'
    assert scrub.said(said) == './a.py ~/b.py File "c.py"'


def test_a_whole_notebook(
    monkeypatch: pytest.MonkeyPatch, make: ModuleType, sample: brainkit.Brain
) -> None:
    """A key in the environment, in code, in a stream, a traceback, a table, a plot and a view."""
    monkeypatch.setenv("SOME_API_KEY", PLAIN)
    view = sample.query(f"sessions {OPENAI}").view()
    book = make.notebook(
        f"# Notes of {PLAIN}\n\nkey `{OPENAI}`",
        make.code_cell(
            {"output_type": "stream", "name": "stdout", "text": [f"it is {OPENAI}\n"]},
            {
                "output_type": "error",
                "ename": "E",
                "evalue": f"401 for {PLAIN}",
                "traceback": [f"\x1b[31mE\x1b[0m: 401 for {PLAIN} {OPENAI}"],
            },
            make.displayed({"text/html": f"<table><tr><td>{OPENAI}</td></tr></table>"}),
            make.displayed(
                {
                    "application/vnd.plotly.v1+json": {
                        "data": [],
                        "layout": {"title": {"text": PLAIN}},
                    }
                }
            ),
            make.displayed(mimebundle(view, plain="")),
            make.displayed({"text/html": sample._repr_html_(), "text/plain": repr(sample)}),
            source=f"key = '{OPENAI}'",
        ),
    )
    page, warnings = report_html(book)
    for secret in (PLAIN, OPENAI, OPENAI[:24]):
        assert secret not in page
    assert sorted(warnings) == [
        "OpenAI API key taken out of cell 1, cell 2",
        "value of the environment variable SOME_API_KEY taken out of cell 1, cell 2",
    ]
    assert all(f"<li>{warning}</li>" in page for warning in warnings)
    assert str(sample.folder.parent) not in page
    assert book["cells"][1]["source"] == f"key = '{OPENAI}'"
