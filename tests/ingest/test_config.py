"""`brainkit.toml`: what it may say, what it says wrong, and that a change of it takes effect."""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit.brain import Brain
from brainkit.errors import InvalidSetting
from brainkit.ingest.config import CONFIG_FILE, Config, keys, parse_config, read_config
from brainkit.ingest.config_template import template
from brainkit.settings import Settings, meanings

HERE = Path("p/brainkit.toml")
Embedder = Callable[[list[str]], Any]


def config(text: str) -> Config:
    return parse_config(text, path=HERE)


def put(folder: Path, **files: str) -> Path:
    """Write files; a double underscore in a name stands for a slash, a single one for a dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return put(
        tmp_path / "project",
        docs__src__tour_py="def tour():\n    return 'the tour'\n",
        lib__page_view="function page() { return 1; }\n",
        lib__code_py="def code():\n    return 'the code'\n",
        readme_md="# Read me\n\nWords about the code.\n",
    )


@pytest.fixture
def brain(tmp_path: Path, word_vectors: Embedder) -> Any:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as opened:
        yield opened


def held(brain: Brain) -> list[tuple[Any, ...]]:
    """All that a brain answers from, but for the numbers that name rows."""
    frame = brain.sql(
        "select source, chunk_id, source_type, language, start_line, end_line, text, context "
        "from chunks order by all"
    )
    return list(frame.itertuples(index=False, name=None))


def statuses(report: Any) -> dict[str, str]:
    return {row.source.partition("/")[2]: row.status for row in report.files}


def test_every_setting_of_a_folder_has_a_key() -> None:
    known = {name for names in keys().values() for name in names.values() if name}
    assert known == {field.name for field in fields(Settings)} - {"exact_limit_chunks"}


def test_all_keys_are_read() -> None:
    read = config(
        """
        [ingest]
        include = ["src/**", "*.md"]
        exclude = ["**/old/**"]
        max_files = 9
        max_depth = 3
        max_file_bytes = 1_000
        max_line_chars = 200
        [chunks]
        tokens = 64
        overlap = 8
        [analyzer]
        language = "german"
        [embedder]
        name = "static"
        [types]
        rules = [{ paths = ["a/**"], type = "doc", language = "python" }]
        """
    )
    assert read.settings == {
        "max_files": 9,
        "max_depth": 3,
        "max_file_bytes": 1000,
        "max_line_chars": 200,
        "chunk_tokens": 64,
        "chunk_overlap_tokens": 8,
        "analyzer_language": "german",
    }
    assert read.include == ("src/**", "*.md")
    assert read.exclude == ("**/old/**",)
    assert read.embedder == "static"
    assert [(r.paths, r.type, r.language) for r in read.rules] == [(("a/**",), "doc", "python")]


@pytest.mark.parametrize("text", ["", "[ingest]\n", "[ingest]\ninclude = []\nexclude = []\n"])
def test_a_file_that_asks_for_nothing(text: str) -> None:
    assert config(text) == Config(HERE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[chunk]", r"'chunk' is no table; did you mean 'chunks'\? \(tables: ingest, chunks, "),
        ("tokens = 3", r"'tokens' is no table"),
        ("chunks = 3", r"chunks = 3 is no table; write \[chunks\] above its keys"),
        (
            "[ingest]\nmax_fils = 3",
            r"\[ingest\] 'max_fils' is no key; did you mean 'max_files'\? \(keys: include, ",
        ),
        ("[chunks]\ntoken = 3", r"\[chunks\] 'token' is no key; did you mean 'tokens'\?"),
        (
            '[chunks]\ntokens = "many"',
            r"\[chunks\] tokens = 'many' is no whole number; the default is 256",
        ),
        ("[chunks]\ntokens = true", r"tokens = True is no whole number"),
        ("[chunks]\ntokens = 2.5", r"tokens = 2.5 is no whole number"),
        ("[chunks]\ntokens = 2", r"chunk_tokens=2 is too small; the least is 16"),
        ("[ingest]\nmax_depth = 0", r"max_depth=0 is too small; the least is 1"),
        ("[analyzer]\nlanguage = 3", r'language = 3 is no text; the default is "english"'),
        ("[analyzer]\nlanguage = 'germn'", r"'germn' is not one of .*did you mean 'german'\?"),
        ("[embedder]\nname = 'openai'", r"name = 'openai' is no embedder .*embedders: local, stat"),
        ("[embedder]\nname = ['local']", r"name = \['local'\] is no embedder"),
        ("[ingest]\ninclude = '*.md'", r"\[ingest\] include = '\*\.md' is no list of texts"),
        ("[ingest]\nexclude = [1]", r"\[ingest\] exclude = \[1\] is no list of texts"),
        ("[ingest]\ninclude = ['../a']", r"'\.\./a' leads out of the folder"),
        ("[ingest]\ninclude = ['a/../../b']", r"leads out of the folder"),
        ("[ingest]\ninclude = ['']", r"'' is not a glob"),
        ("[types]\nrules = 3", r"\[types\] rules = 3 is no list of rules"),
        ("[types]\nrules = ['a']", r"\[types\] rule 1 = 'a' is no rule; write \{ paths"),
        ("[types]\nrules = [{ type = 'doc' }]", r"\[types\] rule 1 has no paths"),
        ("[types]\nrules = [{ paths = ['a'] }]", r"rule 1 says neither type nor language"),
        (
            "[types]\nrules = [{ paths = ['a'], type = 'doc' }, { paths = ['a'], type = 'docs' }]",
            r"\[types\] rule 2: type = 'docs' is no type; did you mean 'doc'\? \(types: doc, code",
        ),
        (
            "[types]\nrules = [{ paths = ['a'], language = 'pyton' }]",
            r"language = 'pyton' is no language; did you mean 'python'\?",
        ),
        (
            "[types]\nrules = [{ path = ['a'], type = 'doc' }]",
            r"rule 1: 'path' is no key; did you mean 'paths'\?",
        ),
        ("[types]\nrules = [{ paths = ['/../x'], type = 'doc' }]", r"leads out of the folder"),
        ("tokens 3", r"is not valid TOML: .*line 1"),
        ("a = " + "[" * 5000, r"is not valid TOML"),
    ],
)
def test_a_mistake_names_the_file_the_key_and_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(InvalidSetting, match=message) as caught:
        config(text)
    assert str(caught.value).startswith(str(HERE))


def test_of_the_rules_that_match_the_last_decides() -> None:
    read = config(
        """
        [types]
        rules = [
            { paths = ["docs_src/**"], type = "doc" },
            { paths = ["*.view"], language = "php" },
            { paths = ["docs_src/tests/**"], type = "test" },
            { paths = ["*.spec.view"], language = "pascal" },
        ]
        """
    )
    assert read.typed("docs_src/a.py", "python") == ("doc", "python")
    assert read.typed("docs_src/tests/a.py", "python") == ("test", "python")
    assert read.typed("lib/a.view", None) == ("code", "php")  # php's conventions: code
    assert read.typed("docs_src/a.view", None) == ("doc", "php")  # each rule about its own half
    assert read.typed("lib/a.spec.view", None) == ("code", "pascal")
    assert read.typed("lib/a.py", "python") == ("code", "python")
    assert read.typed("tests/a.view", None) == ("test", "php")


def test_the_template_parses_and_changes_nothing() -> None:
    assert config(template()) == Config(HERE)


def test_the_template_names_every_key_with_its_default_and_its_meaning() -> None:
    switched_on = "\n".join(
        line.removeprefix("#") if line.startswith("#") and not line.startswith("# ") else line
        for line in template().split("\n")
    )
    read = config(switched_on)
    assert {name: vars(Settings())[name] for name in read.settings} == dict(read.settings)
    assert {table: set(content) for table, content in tomllib.loads(switched_on).items()} == {
        table: set(names) for table, names in keys().items()
    }
    assert (read.include, read.exclude, read.rules, read.embedder) == (None, None, (), "local")
    words = " ".join(template().replace("\n# ", " ").split())
    for setting, meaning in meanings().items():
        assert (meaning in words) == (setting != "exact_limit_chunks")


def test_a_folder_without_one_or_a_single_file_has_none(tmp_path: Path) -> None:
    assert read_config(tmp_path) == Config()
    (tmp_path / CONFIG_FILE).write_text("[chunks]\ntokens = 99\n")
    assert read_config(tmp_path / CONFIG_FILE) == Config()
    assert read_config(tmp_path / "gone") == Config()
    assert read_config(tmp_path).settings == {"chunk_tokens": 99}


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_bytes(b"\xef\xbb\xbf[chunks]\r\ntokens = 99\r\n")
    assert read_config(tmp_path).settings == {"chunk_tokens": 99}


@pytest.mark.parametrize("inside", [True, False])
def test_a_link_is_not_followed(tmp_path: Path, inside: bool) -> None:
    root = tmp_path / "root"
    root.mkdir()
    target = (root if inside else tmp_path) / "other.toml"
    target.write_text("[chunks]\ntokens = 99\n")
    (root / CONFIG_FILE).symlink_to(target)
    with pytest.raises(InvalidSetting, match=r"brainkit\.toml is a link; put a file"):
        read_config(root)


def test_what_is_no_readable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / CONFIG_FILE
    path.mkdir()
    with pytest.raises(InvalidSetting, match=r"is no file"):
        read_config(tmp_path)
    path.rmdir()
    path.write_bytes(b"# \xff\n")
    with pytest.raises(InvalidSetting, match=r"is not UTF-8 \(at byte 2\)"):
        read_config(tmp_path)
    path.write_bytes(b"#" * 1_000_001)
    with pytest.raises(InvalidSetting, match=r"more than 1,000,000 bytes"):
        read_config(tmp_path)
    path.unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)
        with pytest.raises(InvalidSetting, match=r"is no file"):
            read_config(tmp_path)


def test_a_mistake_stops_the_ingest_before_anything_changes(brain: Brain, project: Path) -> None:
    brain.ingest(project, progress=False)
    before = held(brain)
    put(project, brainkit_toml="[ingest]\nexclud = ['lib/**']\n")
    with pytest.raises(InvalidSetting, match=r"did you mean 'exclude'"):
        brain.ingest(project, progress=False)
    assert held(brain) == before


def test_rules_hold_for_unchanged_files_from_the_next_ingest_on(
    brain: Brain, project: Path, tmp_path: Path, word_vectors: Embedder
) -> None:
    brain.ingest(project, progress=False)
    put(
        project,
        brainkit_toml="""
        [types]
        rules = [
            { paths = ["docs/src/**"], type = "doc" },
            { paths = ["*.view"], language = "php" },
        ]
        """,
    )
    done = brain.ingest(project, progress=False)
    assert statuses(done) == {
        "brainkit.toml": "skipped",
        "docs/src/tour.py": "changed",
        "lib/code.py": "unchanged",
        "lib/page.view": "changed",
        "readme.md": "unchanged",
    }
    assert done.embedded == 0
    files = brain.sql("select relative, source_type, language from files order by all")
    assert files.values.tolist() == [
        ["docs/src/tour.py", "doc", "python"],
        ["lib/code.py", "code", "python"],
        ["lib/page.view", "code", "php"],
        ["readme.md", "doc", "markdown"],
    ]
    with brainkit.open(tmp_path / "fresh.brain", embedder=word_vectors) as fresh:
        fresh.ingest(project, progress=False)
        assert held(fresh) == held(brain)
    again = brain.ingest(project, progress=False)
    assert again.generation is None
    assert set(statuses(again).values()) == {"unchanged", "skipped"}


def test_any_sequence_of_edits_answers_like_a_fresh_ingest(
    brain: Brain, project: Path, tmp_path: Path, word_vectors: Embedder
) -> None:
    steps = [
        "[ingest]\nexclude = ['lib/**']\n",
        "[types]\nrules = [{ paths = ['**'], language = 'text' }]\n",
        "[ingest]\nmax_line_chars = 100\n[types]\nrules = [{ paths = ['*.md'], type = 'test' }]\n",
        "[ingest]\nmax_files = 2\n",
        "[ingest]\ninclude = ['*.py']\n",
        "",
    ]
    (project / "lib" / "long.py").write_text(f"x = {'1' * 150}\n")
    for number, text in enumerate(steps):
        put(project, brainkit_toml=text)
        brain.ingest(project, progress=False)
        with brainkit.open(tmp_path / f"{number}.brain", embedder=word_vectors) as fresh:
            fresh.ingest(project, progress=False)
            assert held(brain) == held(fresh), text
    (project / CONFIG_FILE).unlink()
    brain.ingest(project, progress=False)
    assert statuses(brain.ingest(project, progress=False)).keys() == {
        "docs/src/tour.py", "lib/code.py", "lib/long.py", "lib/page.view", "readme.md",
    }  # fmt: skip


def test_a_plan_says_what_the_ingest_then_does(brain: Brain, project: Path) -> None:
    put(project, brainkit_toml="[types]\nrules = [{ paths = ['*.py'], type = 'doc' }]\n")
    assert statuses(brain.plan(project, progress=False)) == statuses(
        brain.ingest(project, progress=False)
    )
    put(project, brainkit_toml="[ingest]\ninclude = ['*.md']\n")
    assert statuses(brain.plan(project, progress=False)) == statuses(
        brain.ingest(project, progress=False)
    )


def test_globs_of_the_call_replace_those_of_the_file(brain: Brain, project: Path) -> None:
    put(project, brainkit_toml="[ingest]\ninclude = ['*.md']\nexclude = ['lib/**']\n")
    assert "lib/code.py" not in statuses(brain.plan(project, progress=False))
    called = brain.plan(project, include=["lib/*.py"], exclude=["*.md"], progress=False)
    assert {s for s, status in statuses(called).items() if status == "added"} == {"lib/code.py"}


@pytest.mark.parametrize(
    "pattern", ["../secret.md", "../**", "/../*", "..", "**/../*.md", "../project/../*.md"]
)
def test_no_glob_leads_out_of_the_folder(brain: Brain, project: Path, pattern: str) -> None:
    put(project.parent, secret_md="outside\n")
    report = brain.ingest(project, include=[pattern], progress=False)
    assert report.chunks == 0
    assert held(brain) == []


def test_an_absolute_glob_begins_at_the_folder(brain: Brain, project: Path) -> None:
    put(project.parent, secret_md="outside\n")
    outside = str(project.parent / "secret.md")
    put(project, brainkit_toml=f"[ingest]\ninclude = ['{outside}', '/lib/*.py', '/etc/passwd']\n")
    report = brain.ingest(project, progress=False)
    assert [row.source for row in report.rows("added")] == ["project/lib/code.py"]


def test_links_and_circles_lead_nowhere(brain: Brain, project: Path) -> None:
    put(project.parent, secret_md="outside\n", more__secret_md="outside too\n")
    (project / "link.md").symlink_to(project.parent / "secret.md")
    (project / "folder").symlink_to(project.parent / "more")
    (project / "circle").symlink_to(project)
    (project / "lib" / "self.md").symlink_to("self.md")
    put(project, brainkit_toml="[ingest]\ninclude = ['**']\n")
    report = brain.ingest(project, progress=False)
    assert {r.source: r.detail for r in report.rows("skipped")} == {
        "project/brainkit.toml": "settings of this folder, not part of it",
        "project/circle": "a link to a folder; such links are not followed",
        "project/folder": "a link to a folder; such links are not followed",
        "project/lib/self.md": "a link that leads nowhere",
        "project/link.md": "a link to a file outside the folder",
    }
    assert not any("outside" in text for row in held(brain) for text in map(str, row))


def test_only_the_root_is_asked(brain: Brain, project: Path) -> None:
    put(project, lib__brainkit_toml="[ingest]\nexclude = ['**']\n")
    assert statuses(brain.ingest(project, progress=False))["lib/brainkit.toml"] == "added"


def test_two_folders_of_one_brain_have_each_their_own(
    brain: Brain, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(project, other)
    put(project, brainkit_toml="[types]\nrules = [{ paths = ['*.py'], type = 'doc' }]\n")
    brain.ingest(project, progress=False)
    brain.ingest(other, progress=False)
    found = brain.sql(
        "select source_type, count(*) n from files where language = 'python' group by 1"
    )
    assert sorted(found.values.tolist()) == [["code", 2], ["doc", 2]]
    assert brain.ingest(project, progress=False).generation is None
    assert brain.ingest(other, progress=False).generation is None
