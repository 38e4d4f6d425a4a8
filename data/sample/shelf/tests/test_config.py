from __future__ import annotations

from pathlib import Path

import pytest

from shelf import MAX_RETRIES, ClientConfig, load_config
from shelf.errors import ConfigError


def test_load_config_without_anything_gives_the_defaults() -> None:
    assert load_config(environ={}) == ClientConfig()
    assert ClientConfig().max_retries == MAX_RETRIES


def test_load_config_lets_the_environment_override_the_file(tmp_path: Path) -> None:
    path = tmp_path / "shelf.json"
    path.write_text('{"max_retries": 1, "timeout_seconds": 3}', encoding="utf-8")
    config = load_config(path, environ={"SHELF_MAX_RETRIES": "7"})
    assert (config.max_retries, config.timeout_seconds) == (7, 3.0)


def test_load_config_names_an_unknown_setting(tmp_path: Path) -> None:
    path = tmp_path / "shelf.json"
    path.write_text('{"retries": 1}', encoding="utf-8")
    with pytest.raises(ConfigError, match="unknown setting 'retries'"):
        load_config(path, environ={})


@pytest.mark.parametrize(
    ("name", "value"),
    [("MAX_RETRIES", "many"), ("MAX_RETRIES", "-1"), ("TIMEOUT_SECONDS", "0"), ("BASE_URL", "x")],
)
def test_load_config_refuses_bad_values(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=name.lower()):
        load_config(environ={f"SHELF_{name}": value})
