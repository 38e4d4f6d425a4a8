from __future__ import annotations

from pathlib import Path

import pytest

from brainkit.embed.model_folder import Options, read_options
from brainkit.errors import EmbedderUnavailable


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    assert read_options(tmp_path) == Options(pooling="cls", max_tokens=512)


def test_options_are_read(tmp_path: Path) -> None:
    (tmp_path / "brainkit.json").write_text('{"query_prefix": "query: ", "pooling": "mean"}')
    assert read_options(tmp_path) == Options(query_prefix="query: ", pooling="mean")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"poolling": "cls"}', "poolling: .*did you mean 'pooling'"),
        ('{"pooling": "max"}', "pooling: .*'cls' or 'mean'"),
        ('{"max_tokens": 2}', "max_tokens: .*greater than or equal to 16"),
        ('{"max_tokens": "many"}', "max_tokens: .*integer"),
        ('{"name": 3}', "name: .*string"),
        ("[]", "file: .*object"),
        ("{", "file: Invalid JSON"),
    ],
)
def test_a_wrong_option_is_named_with_the_known_ones(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "brainkit.json").write_text(text)
    listed = r"\(options: name, query_prefix, document_prefix, pooling, max_tokens\)"
    with pytest.raises(EmbedderUnavailable, match=rf"brainkit\.json: {words}.*{listed}"):
        read_options(tmp_path)
