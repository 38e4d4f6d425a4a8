"""A secret or a folder in any place of a notebook is in no place of its page, however written."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.report.export import report_html
from brainkit.report.scrub import VIEW_DATA, Scrubber
from brainkit.report.standalone import items_html
from brainkit.report.written import written

PLAIN = "q8Zr" + "4mT1xKc7Vb2N"
SIGNS = "k8&Zr<4m\"T1'xK/c7+Vb" + "=2N>w9"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
PLOTLY = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
STRUCTURE = {
    *("output_type", "cell_type", "image/png", "name", "type", "schema", "kind", "mode"),
    *("normalize", "collapse", "tags", "graph_scorer", "filter_stage"),
}
"""Fields that say what something is: with any other word it would not be shown at all."""


class Said(HTMLParser):
    """All that a page holds for a reader or a script: texts, attributes, data, pictures of text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._is_data = False
        self._run: list[str] = []
        self.feed(page)
        self.close()
        self.texts.append("".join(self._run))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_data = tag == "script" and ("type", "application/json") in attrs
        for _, value in attrs:
            if value and value.startswith("data:image/svg+xml;base64,"):
                value = base64.b64decode(value.partition(",")[2]).decode()  # noqa: PLW2901
            self.texts.append(value or "")

    def handle_data(self, data: str) -> None:
        if self._is_data and data.strip():
            self._is_data = False
            self.texts.extend(leaves(json.loads(data)))
        else:
            self._run.append(data)


def around(page: str, text: str) -> str:
    """What stands around the first place of a text; nothing if it has none."""
    at = page.find(text)
    return "" if at < 0 else page[max(0, at - 200) : at + 200]


def leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)
    elif isinstance(value, dict):
        yield from value
        for one in value.values():
            yield from leaves(one)


def spoiled(value: Any, by: Callable[[str], str], name: str = "") -> Any:
    """Every text that is not structure, replaced."""
    if isinstance(value, dict):
        return {key: one if key in STRUCTURE else spoiled(one, by, key)
                for key, one in value.items()}  # fmt: skip
    if isinstance(value, list):
        return [spoiled(one, by, name) for one in value]
    return by(value) if isinstance(value, str) else value


def everything(make: ModuleType, view: dict[str, Any], text: str) -> dict[str, Any]:
    """A notebook of every kind of cell and output that holds a text in all of its places."""
    view = spoiled({name: one for name, one in view.items() if name != "table"}, lambda _: text)
    data = json.dumps(view).replace("<", "\\u003c")
    # Markdown and HTML of the author are written by one who knows how, so that they show the text.
    shown = "".join(f"&#{ord(char)};" for char in text)
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": text},
        {"output_type": "stream", "name": "stderr", "text": [text[:9], text[9:]]},
        {"output_type": "error", "ename": text, "evalue": text, "traceback": [text, text]},
        *(make.displayed(one) for one in (
            {"image/png": PNG, "text/plain": text},
            {"image/svg+xml": f"<svg><text>{shown}</text></svg>", "text/plain": text},
            {"text/html": f'<p title="{shown}" id="{shown}">{shown}</p><b>{text[:9]}</b>'},
            {"text/html": f"<table><tr><td>1</td><td>{shown}</td></tr></table>"},
            {"text/html": f'<i class="brainkit">{shown}</i>', "text/plain": f"<Brain {text}"},
            {"text/html": f"<brainkit-view-1><p>{shown}</p>{VIEW_DATA}{data}</script>"},
            {"text/html": f"<brainkit-view-9><p>{shown}</p>{VIEW_DATA}{{}}</script>"},
            {"text/html": f"<brainkit-view-1><p>{shown}</p>{VIEW_DATA}{{{text}</script>"},
            {"text/markdown": shown},
            {"text/latex": f"$\\text{{{text}}}$"},
            {"application/json": {text: [text]}},
            {PLOTLY: {"data": [{"y": [1], "name": text, "text": [text]}],
                      "layout": {"title": {"text": text}}}},
            {PLOTLY: {"data": [{"type": "scattergeo", "name": text}]}},
            {WIDGET: {}, "text/plain": text, "text/html": shown},
            {"application/vnd." + text: {}},
        )),
    ]  # fmt: skip
    style = f"<style>p[title='{text[:6]}']{{color:red}}</style><p>{shown}</p>"
    first = (
        f"# {shown}\n\n{shown} `{text}` ![{shown}](none.png) [a](#{shown})\n\n$\\text{{{text}}}$"
    )
    second = f"![{shown}](attachment:a.png '{shown}')\n\n<b title='{shown}'>{shown}</b>[^1]"
    options = f"#| caption: {text}\n#| alt: {text}\n"
    return make.notebook(
        first,
        f"{second}\n\n[^1]: {shown}",
        make.code_cell(*outputs, source=f"{options}{text}\n!curl {text}"),
        make.code_cell(make.displayed({"text/html": style}), source=f"x = {text!r}  # {text}"),
        {"cell_type": "raw", "source": text, "metadata": {}},
        title=text,
    )


@pytest.fixture
def view(sample: brainkit.Brain) -> dict[str, Any]:
    found: dict[str, Any] = sample.query("how are sessions signed", trace="full", top_k=3).view()
    return found


@pytest.mark.parametrize("secret", [PLAIN, SIGNS])
def test_a_secret_in_every_place_of_a_notebook(
    secret: str, make: ModuleType, view: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", secret)
    page, warnings = report_html(
        everything(make, view, secret), title=f"of {secret}", author=secret, otherwise=secret
    )
    said = Said(page).texts
    for form in {secret, secret.lower(), *written(secret), secret[:14]}:
        assert around(page, form) == ""
        assert [around(text, form) for text in said if form in text] == []
    assert warnings[0] == (
        "value of the environment variable SOME_API_KEY taken out of the title, cell 1, cell 2, "
        "cell 3, cell 4, cell 5"
    )


@pytest.mark.parametrize("end", ["", "/", "/notes.csv", "\\notes.csv", ".", ": no such file"])
def test_a_folder_in_every_place_of_a_notebook(
    end: str, make: ModuleType, view: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    home, folder = Path("/home/ann.b"), Path("/srv/team notes/q3")
    monkeypatch.setattr(Path, "home", lambda: home)
    for path in (home, folder):
        page, _ = report_html(
            everything(make, view, f"{path}{end}"), title=f"of {path}{end}", folder=folder
        )
        for form in {str(path), *written(str(path), in_base64=False)}:
            assert around(page, form) == ""
            assert [around(text, form) for text in Said(page).texts if form in text] == []


def test_other_folders_and_words_that_begin_alike_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    scrub = Scrubber([], environment={}, folder=Path("/srv/notes"))
    same = "/home/anna /mnt/home/ann/x /srv/notes-old /srv/notes.bak https://e.org/home/ann"
    assert scrub.said(same) == same
    assert (
        scrub.said("cd /home/ann; ls '/srv/notes' file:///home/ann/x") == "cd ~; ls '.' file://~/x"
    )


def test_a_home_that_names_nobody_stays_in_the_texts_of_views(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a container everybody's is /root, and a corpus may well be about it."""
    monkeypatch.setattr(Path, "home", lambda: Path("/root"))
    scrub = Scrubber([], environment={}, folder=Path("/srv/notes"))
    page = scrub.page('<pre>/root/x</pre><script type="application/json">["/root/x"]</script>')
    assert page == '<pre>~/x</pre><script type="application/json">["/root/x"]</script>'


@pytest.mark.parametrize("bound", [100_000, 200, 80, 120, 300, 239])
@pytest.mark.parametrize("inside", [3, 8, 15])
def test_a_secret_at_a_bound_is_recognised(
    bound: int, inside: int, make: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts are cut: streams in their middle, what stands for pictures, names in notes."""
    monkeypatch.setenv("SOME_API_KEY", PLAIN)
    text = "x" * (bound - inside) + PLAIN + " y" * (bound + 1)
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": text},
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": [text]},
        make.displayed({"image/png": PNG, "text/plain": text}),
        make.displayed({"application/" + text: {}}),
    ]
    page, warnings = report_html(make.notebook(f"![a]({text}.txt)", make.code_cell(*outputs)))
    for part in (PLAIN[:6], PLAIN[-6:]):
        assert part not in page
        assert part not in "".join(warnings)


def test_what_others_cut_is_recognised_by_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    scrub = Scrubber([], environment={"A_KEY": PLAIN, "B_KEY": "brainkit-report-tests"})
    assert scrub.text(f"a {PLAIN[:7]}… b {PLAIN[:7]}... c {PLAIN[:7]}") == (
        "a •••••••… b •••••••... c •••••••"
    )
    assert scrub.text(f"{PLAIN[:13]}|{PLAIN[:5]}|") == f"{'•' * 13}|{PLAIN[:5]}|"
    assert scrub.text("the brainkit-report command of brainkit…") == (
        "the brainkit-report command of brainkit…"
    )


@pytest.mark.parametrize(
    "html",
    [
        f"<b>{PLAIN[:5]}</b><i>{PLAIN[5:9]}</i>{PLAIN[9:]}",
        f"<span>{PLAIN[:2]}</span><span>{PLAIN[2:]}</span>",
        f"{PLAIN[:3]}<wbr>{PLAIN[3:]}",
        "".join(f"<mi>{char}</mi>" for char in PLAIN),
    ],
)
def test_tags_within_a_secret_hide_nothing(html: str) -> None:
    scrub = Scrubber([], environment={"A_KEY": PLAIN})
    page = scrub.page(f"<p>a {html} b</p>")
    assert "".join(Said(page).texts).strip() == f"a {'•' * 16} b"


def test_a_page_without_secrets_is_as_it_was() -> None:
    page = (
        '<p title="a &amp; b">x&nbsp;&lt; <b>y</b></p>'
        '<script type="application/json">[1.0]</script>'
    )
    assert Scrubber([], environment={}).page(page) == page


def test_items_of_a_page_of_their_own(
    sample: brainkit.Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", PLAIN)
    home = str(sample.folder.parent)
    monkeypatch.setattr(Path, "home", lambda: Path(home))
    answer = sample.query(f"sessions {PLAIN} {home}")
    page, warnings = items_html(
        [answer, f"*{PLAIN}* {home}", sample], title=f"{PLAIN} {home}", author=f"{PLAIN} {home}"
    )
    for text in Said(page).texts:
        assert PLAIN.lower() not in text.lower()
        assert home not in text
    assert "SOME_API_KEY taken out of the title, item 1, item 2" in warnings[0]


def test_paths_are_in_no_reason_that_is_shown(make: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
    addresses = ("loop.png", f"{tmp_path}/x.png", "a%00b.png", f"{'n' * 300}.png", "/etc/x.png")
    page, warnings = report_html(
        make.notebook(" ".join(f"![a]({one})" for one in addresses)), folder=tmp_path / "."
    )
    assert len(warnings) == len(addresses)
    for text in (*warnings, *Said(page).texts):
        assert str(tmp_path) not in text
        assert "/etc" not in text


def test_what_is_taken_out_does_not_depend_on_the_order_of_sets(repository: Path) -> None:
    """As it stands this is a value with a name; without its colours, a bearer token."""
    key = "q8Zr" + "4mT1xKc7Vb2N" + "p5Lw0sYd3HgT"
    texts = [f"token = '{key}' \x1b[31mbearer\x1b[0m {key}"]
    code = (
        "import json, sys; from brainkit.report.scrub import Scrubber\n"
        "scrub = Scrubber(json.loads(sys.argv[1]), environment={})\n"
        "print(scrub.text(sys.argv[1]), scrub.warnings())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code, json.dumps(texts)], cwd=repository, check=True,
            capture_output=True, env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(6)
    }  # fmt: skip
    assert len(printed) == 1
    assert key.encode() not in printed.pop()
