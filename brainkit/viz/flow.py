"""The query flow as a picture: how many chunks survive each step, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping

from plotly import graph_objects as go

from brainkit.fuse import retrievers_for
from brainkit.models import QueryResponse
from brainkit.viz.fusion import LOOKS
from brainkit.viz.template import FAINT, INK, TEMPLATE


def flow_figure(response: QueryResponse) -> go.Figure:
    """Return corpus -> filters -> retrievers -> fusion -> results, with counts and milliseconds.

    The band of a retriever is as wide as its list is long; a list that is empty has a thin one.
    """
    trace, ms = response.trace, response.timings_ms
    used = [name for name in retrievers_for(response.request) if name in trace.lists]
    labels = [
        f"corpus<br>{trace.total_chunks:,} chunks",
        f"filters leave<br>{trace.allowed_chunks:,}{_ms(ms, 'filter')}",
        *(
            f"{LOOKS[name][0]}<br>{len(trace.lists[name].hits):,} hits{_ms(ms, name)}"
            for name in used
        ),
        f"fused<br>{response.candidates:,} candidates{_ms(ms, 'fuse')}",
        f"results<br>{response.total_results:,}",
    ]
    fused, results = len(used) + 2, len(used) + 3
    links: list[tuple[int, int, float, str]] = []
    lengths = [max(0.5, len(trace.lists[name].hits)) for name in used]
    links.append((0, 1, sum(lengths) or 1.0, FAINT))
    for at, (name, length) in enumerate(zip(used, lengths, strict=True)):
        links.append((1, at + 2, length, _pale(LOOKS[name][1])))
        links.append((at + 2, fused, length, _pale(LOOKS[name][1])))
    links.append((fused, results, max(0.5, response.total_results), FAINT))
    colours = [INK, INK, *(LOOKS[name][1] for name in used), INK, INK]
    figure = go.Figure(
        go.Sankey(
            arrangement="snap",
            textfont={"shadow": "none"},  # its white halo is unreadable on a dark page
            node={"label": labels, "color": colours, "pad": 26, "thickness": 12},
            link={
                "source": [one[0] for one in links],
                "target": [one[1] for one in links],
                "value": [one[2] for one in links],
                "color": [one[3] for one in links],
                "hoverinfo": "skip",
            },
        )
    )
    figure.update_layout(
        template=TEMPLATE,
        height=300,
        title=f"{response.request.mode.value}: {response.query_time_ms:.1f} ms",
    )
    return figure


def _ms(timings: Mapping[str, float], stage: str) -> str:
    value = timings.get(stage)
    return f"<br>{value:.1f} ms" if value is not None else ""


def _pale(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, .35)"
