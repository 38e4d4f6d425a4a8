"""A `brainkit.toml` that explains itself, made from Settings so that the two cannot differ."""

from __future__ import annotations

import textwrap
from typing import Final

from brainkit.ingest.config import CONFIG_FILE, EMBEDDERS, keys, toml_value
from brainkit.settings import Settings, meanings

_HEAD: Final = """\
How this folder wants to be ingested by brainkit. Every key is switched off and shows its default;
remove the # before a key to change it. An argument of a call or command comes first, then an
environment variable (BRAINKIT_MAX_FILES and so on), then this file, then the default."""

_TABLES: Final = {
    "ingest": f"""\
Which files are read, beside what .gitignore and .brainignore leave out. A change holds from the
next ingest on, for files that are in already too. {CONFIG_FILE} itself is never indexed.""",
    "chunks": """\
The size of chunks, for a new brain. One that has chunks keeps its sizes and says so.""",
    "analyzer": "How words become search terms, for a new brain.",
    "embedder": """\
What turns texts into vectors, for a brain that has none yet. Hosted embedders cannot be named
here, since a folder may come from anyone; name them when you open the brain.""",
    "types": """\
Which files are documents, code or tests, and in which language, where their names and folders say
something else. Of the rules that match a path, the last one decides.""",
}
_OTHERS: Final = {
    "include": ("Globs as in .gitignore; only files that match one are read. Empty: all.", "[]"),
    "exclude": ("Files that match one of these are left out.", "[]"),
    "name": (f"One of {', '.join(EMBEDDERS)}.", f'"{EMBEDDERS[0]}"'),
    "rules": (
        'Such as { paths = ["docs_src/**"], type = "doc" } or '
        '{ paths = ["*.inc"], language = "pascal" }; a type is doc, code or test.',
        "[]",
    ),
}


def template() -> str:
    """Return the text of a `brainkit.toml` with every key, its meaning and its default."""
    blocks = [_comment(_HEAD)]
    meaning, defaults = meanings(), Settings()
    for table, names in keys().items():
        blocks.append(f"{_comment(_TABLES[table])}\n[{table}]")
        for key, setting in names.items():
            what, value = (
                (meaning[setting], toml_value(getattr(defaults, setting)))
                if setting
                else _OTHERS[key]
            )
            blocks.append(f"{_comment(what)}\n#{key} = {value}")
    return "\n\n".join(blocks) + "\n"


def _comment(text: str) -> str:
    wrapped = textwrap.fill(" ".join(text.split()), 98, break_on_hyphens=False)
    return textwrap.indent(wrapped, "# ", predicate=lambda line: True)
