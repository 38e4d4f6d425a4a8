"""nbconvert's side of reports: ``jupyter nbconvert --to brainkit`` and Save and Export in Lab.

This module is loaded whenever that menu is opened, and an error here would empty the menu. So it
needs nothing but nbconvert, which loads it; all else is imported when a notebook is exported.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters.exporter import Exporter
from nbformat import NotebookNode
from traitlets import Enum, Unicode


class BrainkitExporter(Exporter):
    """One HTML file in which brainkit's views stay alive, without a network or a kernel."""

    export_from_notebook = "Report (brainkit, live HTML)"
    output_mimetype = "text/html"

    title = Unicode("", help="Title; by default the notebook's.").tag(config=True)
    author = Unicode("", help="Author, under the title.").tag(config=True)
    code = Enum(("show", "fold", "hide"), "show", help="What becomes of the code.").tag(config=True)

    def _file_extension_default(self) -> str:
        return ".html"

    def from_notebook_node(  # type: ignore[override] # the base class returns a notebook
        self, nb: NotebookNode, resources: Any | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the report of a notebook, and nbconvert's resources."""
        from brainkit.report.export import report_html

        nb, resources = super().from_notebook_node(nb, resources, **kw)
        metadata = resources["metadata"]
        folder = metadata.get("path")
        page, warnings = report_html(
            nb,
            title=self.title,
            author=self.author,
            code=self.code,  # type: ignore[arg-type] # a trait of these words
            folder=Path(folder or ".") if folder is not None else None,
            otherwise=metadata.get("name") or "Notebook",
        )
        for warning in warnings:
            self.log.warning("brainkit: %s", warning)
        return page, resources
