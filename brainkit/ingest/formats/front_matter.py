"""The block of YAML or TOML that opens many Markdown files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from brainkit.ingest.toml_text import toml_of

CHARS_MAX: Final = 20_000
DEPTH_MAX: Final = 20


def front_matter(lines: Sequence[str]) -> tuple[dict[str, Any], str | None]:
    """Return what the front matter says, and why it is not understood where it is not.

    YAML is read without tags that build objects and without aliases, which could grow a small text
    to any size; TOML between ``+++`` has neither.

    >>> front_matter(["---", "title: Notes", "tags: [a, b]", "---", "Text."])
    ({'title': 'Notes', 'tags': ['a', 'b']}, None)
    """
    from brainkit.ingest.chunk_markdown import front_matter_end

    end = front_matter_end(lines)
    block = "\n".join(lines[1 : end - 1]) if end else ""
    if not block.strip():
        return {}, None
    if len(block) > CHARS_MAX:
        return (
            {},
            f"front matter of {len(block):,} characters not read (the limit is {CHARS_MAX:,})",
        )
    try:
        facts = toml_of(block) if lines[0].startswith("+") else _yaml(block)
    except ModuleNotFoundError as error:
        if error.name != "yaml":
            raise
        return {}, "front matter not read: PyYAML is missing; pip install PyYAML"
    except (ValueError, RecursionError) as error:
        return {}, f"front matter not understood: {_first_line(error)}"
    return (facts, None) if isinstance(facts, dict) else ({}, None)


def _yaml(block: str) -> Any:
    import yaml

    try:
        depth = 0
        for event in yaml.parse(block, yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEPTH_MAX:
                raise ValueError(f"it is nested more than {DEPTH_MAX} deep")
            if isinstance(event, yaml.AliasEvent):
                raise ValueError("it has an alias (*)")
        return yaml.safe_load(block)
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", None)
        raise ValueError(problem or str(error)) from None


def _first_line(error: BaseException) -> str:
    return (str(error).partition("\n")[0] or type(error).__name__)[:100]
