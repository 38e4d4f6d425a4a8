"""The language of a cell, from kernels of all ages and from magics."""

from __future__ import annotations

import pytest

from brainkit.ingest.formats.kernels import cell_language, kernel_language


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({}, "python"),
        ({"kernelspec": {"name": "python3", "language": "python"}}, "python"),
        ({"kernelspec": {"name": "julia-1.9"}}, "julia"),
        ({"kernelspec": {"name": "bash"}}, "shell"),
        ({"language_info": {"name": "R"}, "kernelspec": {"name": "ir"}}, "r"),
        ({"language_info": {"name": "C++17"}}, "cpp"),
        ({"language_info": {"name": "C#"}}, "csharp"),
        ({"language_info": {"name": "wolfram"}}, None),
        ({"language_info": None, "kernelspec": ["odd"]}, "python"),
        ({"language_info": {"name": 3}, "kernelspec": {"name": " "}}, "python"),
    ],
)
def test_kernels(metadata: dict[str, object], language: str | None) -> None:
    assert kernel_language(metadata) == language


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("x = 1", "python"),
        ("%matplotlib inline\nx = 1", "python"),
        ("%%bash\nls", "shell"),
        ("%%sh -e\nls", "shell"),
        ("%%javascript\nx", "javascript"),
        ("%%R -i df\nplot(df)", "r"),
        ("%%html\n<p>", "html"),
        ("%%latex\n$x$", "latex"),
        ("%%script node\nx", "javascript"),
        ("%%writefile -a src/lib.rs\nfn f() {}", "rust"),
        ("%%writefile notes\ntext", None),
        ("%%capture out\nx = 1", "python"),
        ("%%unknown\nx = 1", "python"),
        ("%%\nx", "python"),
        (" %%bash\nls", "python"),  # IPython wants it in the first column
    ],
)
def test_magics(source: str, language: str | None) -> None:
    assert cell_language(source, "python") == language
