"""Markdown, Quarto and R Markdown: the chunker knows the headings, here is the front matter."""

from __future__ import annotations

from brainkit.ingest.formats.document import Extracted, Section
from brainkit.ingest.formats.front_matter import front_matter
from brainkit.settings import Settings


def extract(text: str, *, settings: Settings) -> Extracted:
    """Return the file as one section, with its front matter as metadata."""
    lines = text.split("\n")
    metadata, note = front_matter(lines)
    return Extracted(text, (Section(1, len(lines), "markdown"),), metadata, note)
