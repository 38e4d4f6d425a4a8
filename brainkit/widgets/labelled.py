"""What a labelling leaves in the notebook, to be read where there is no kernel."""

from __future__ import annotations

from collections.abc import Sequence

from brainkit import markup
from brainkit.evaluation.judgments import GRADES
from brainkit.evaluation.session import Session

ROWS = 50
"""Labels in the table, the newest; the file has all."""
_LEFT = 'style="text-align:left;vertical-align:top"'  # notebooks would align tables to the right


def labels_html(session: Session, brain: str) -> str:
    """Return the labels as HTML that stands without style: an untrusted notebook strips all of it.

    brain : the name of its folder.
    """
    now = session.progress()
    found = [
        (label, session.pools[page.question].query)
        for page in session.pages
        if (label := session.label(page)) is not None
    ]
    found.sort(key=lambda pair: pair[0].when, reverse=True)
    rows = [
        (
            query,
            f"{label.source}:{label.lines}",
            "skipped" if label.grade is None else f"{label.grade} {GRADES[label.grade]}",
            label.note,
        )
        for label, query in found[:ROWS]
    ]
    state = (
        f"Labels by {session.labeller}: {now.graded:,} of {now.total:,} chunks graded, "
        f"{now.skipped:,} skipped, {now.open:,} open; {session.done():,} of "
        f"{len(session.pools):,} questions done."
    )
    rest = f"The newest {ROWS} of {len(found):,}. " if len(found) > ROWS else ""
    where = f"{rest}All labels are in {brain}/{session.judgments.path.name}."
    head = _row("th", ["question", "chunk", "grade", "note"])
    body = "".join(_row("td", row) for row in rows)
    return markup.block(
        [
            f"<div><b>{markup.text(state)}</b></div>",
            "<div>Run this cell again to go on where this ends: no label is lost.</div>",
            f'<div class="scroll"><table>{head}{body}</table></div>' if rows else "",
            f'<div class="dim">{markup.text(where)}</div>',
        ]
    )


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag} {_LEFT}>{markup.text(cell)}</{tag}>' for cell in cells)}</tr>"
