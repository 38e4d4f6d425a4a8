"""Sound inputs for the fuzzing campaign: a little of everything that each format has."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Final

PATHS: Final = (
    "src/shelf/index.py", "docs/a b.md", "a" * 120 + "b.md", "x/" * 30 + "y.py", "aaaa/aaab/ab.txt",
    "src/" + "sess" * 40, ".env", "日本/é.md",
)  # fmt: skip
BEIR: Final = {
    "corpus.jsonl": b'{"_id": "d1", "title": "T", "text": "one"}\n{"_id": "d2", "text": "two"}\n',
    "queries.jsonl": b'{"_id": "q1", "text": "one?"}\n{"_id": "q2", "text": "two", "type": "x"}\n',
    "qrels/test.tsv": b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t2\nq2\td1\t0\n",
}
TREC: Final = {
    "qrels.txt": b"1 0 d1 1\n1 0 d2 0\n2 0 d2 2\n",
    "topics.txt": b"<top>\n<num> Number: 1\n<title> one\n</top>\n<top><num>2</num>"
    b"<title>two</title></top>\n",
}
XML_TOPICS: Final = (
    b'<topics><topic number="1"><query>one &amp; two</query></topic>'
    b'<topic number="2"><title>two</title></topic></topics>'
)
LABELS: Final = (
    b"query\tsource\tlines\tgrade\tlabeller\tnote\twhen\tchunk_id\tcontent\n"
    b'how\tp/a.md\t1-3\t3\tme\t"a\tnote"\t2026-01-01T00:00:00+00:00\tc1\taa\n'
    b"how\tp/b.md\t1-3\t0\tyou\t\t2026-01-02T00:00:00+00:00\tc2\tbb\n"
)
CONFIG: Final = (
    b'[ingest]\ninclude = ["src/**", "*.md"]\nexclude = ["build/"]\nmax_file_bytes = 1000\n'
    b'[chunks]\ntokens = 100\noverlap = 10\n[analyzer]\nlanguage = "english"\n[embedder]\n'
    b'name = "local"\n[types]\nrules = [{ paths = ["docs_src/**"], type = "doc" }]\n'
)
IGNORE: Final = (
    b"*.log\n!keep.log\n/build/\ndocs/**/tmp\n**/node_modules\n# comment\n[a-z]?*.py\nfoo\\ \n"
    b"a*b*c*d\n*a*a*a*b\n"
)
REQUEST: Final = (
    b'{"query": "how", "mode": "hybrid", "top_k": 5, "alpha": 0.5, "source_types": ["code"], '
    b'"file_paths": ["src/**"], "weights": {"vector": 1, "bm25": 0.5, "graph": 2}, "depth": 50, '
    b'"normalize": "minmax", "rerank": false, "rrf_k": 60, "languages": null}'
)
TEXTS: Final = {
    "md": b"---\ntitle: A\ntags: [x, y]\n---\n# Head\n\nText *is* [a link](b.md) and `code()`.\n\n"
    b"| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\ndef f(): pass\n```\n\n- item\n  - inner\n\n"
    b"> quote\n\n[^1]: note\n\nSetext\n======\n<div>html</div>\n",
    "rst": b"Title\n=====\n\n.. note:: careful\n\n   inside\n\nPart\n----\n\n* item\n\n::\n\n"
    b"    x = 1\n\n.. code-block:: python\n\n   def f(): pass\n\n:field: value\n\n"
    b"====  ====\na     b\n====  ====\n",
    "csv": b'name,note,n\n"Ann, A.","says ""hi""",1\nBob,"two\nlines",2\n;;;\n',
    "tsv": b"name\tnote\nAnn\tone\nBob\ttwo\n",
    "json": b'{"a": {"b": [1, 2, {"c": "text with \\"quotes\\""}]}, "d": null, "e": [[], {}]}\n',
    "jsonl": b'{"a": 1, "text": "one"}\n{"a": 2, "text": "two"}\n\n[1]\n',
    "yaml": b"a: &x\n  b: [1, 2]\n  c: |\n    text\n    more\nd: *x\ne: !tag v\n---\n"
    b"f: >\n  folded\n",
    "toml": b'# c\ntitle = "x"\n[a.b]\nc = [1, 2]\nd = """\nmany\nlines"""\n[[e]]\n'
    b"f = 1979-05-27\n",
    "html": b"<!doctype html><html><head><meta charset=utf-8><title>T</title></head><body>"
    b"<h1>H</h1>"
    b"<p>text <b>bold</b><br>next</p><table><tr><th>a<td>b</table><ul><li>x<li>y</ul><pre>code\n"
    b"  more</pre><script>no()</script></body></html>",
    "txt": "Plain text. With sentences! And Ünïcode, 日本語のテキスト。 Dr. Smith met Ann Lee at "
    "https://example.org/a?b=c on 3 May. key = AKIAIOSFODNN7EXAMPLE\n\nA second part.\n".encode(),
    "sh": b'#!/bin/sh\nset -e\nf() { echo "$1"; }\nfor x in a b; do f "$x"; done\n',
    "sql": b"create table a (b int);\nselect * from a where b > 1; -- why\n",
}  # fmt: skip


def notebook() -> bytes:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Head\n", "Text $x^2$ [a](b)"]},
        {
            "cell_type": "code", "metadata": {"tags": ["x"]}, "execution_count": 1,
            "source": "%%time\nimport os\nprint(1)", "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["1\n", "\x1b[31mred\x1b[0m"]},
                {"output_type": "display_data", "metadata": {}, "data": {
                    "text/html": "<table><tr><td style='color:red'>1</td></tr></table>",
                    "text/plain": "1", "image/svg+xml": "<svg><path d='M0 0'/></svg>"}},
                {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[0mE"]},
            ],
        },
        {"cell_type": "raw", "metadata": {}, "source": "raw"},
    ]  # fmt: skip
    kernel = {"kernelspec": {"name": "python3", "language": "python", "display_name": "P"}}
    whole = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1).encode()


def word_documents() -> list[bytes]:
    """Word documents packed without compression, so that changes reach their XML."""
    import docx

    made = docx.Document()
    made.core_properties.title = "T"
    made.add_heading("Head", 1)
    made.add_paragraph("Some text", style="List Bullet")
    table = made.add_table(2, 2)
    table.cell(0, 0).text = "a"
    table.cell(0, 0).merge(table.cell(0, 1))
    buffer = io.BytesIO()
    made.save(buffer)
    found = [buffer.getvalue()]
    kept = ("_rels/.rels", "word/document.xml", "docProps/core.xml", "word/footnotes.xml")
    small = io.BytesIO()
    with zipfile.ZipFile(buffer) as archive, zipfile.ZipFile(small, "w") as out:
        for name in archive.namelist():
            if name in kept:
                data = archive.read(name)
                out.writestr(name, re.sub(rb' xmlns:(?!w|r)\w+="[^"]*"', b"", data))
    return [*found, small.getvalue()]


def word_parts() -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(word_documents()[0])) as archive:
        body = archive.read("word/document.xml")
    return [re.sub(rb"<w:sectPr.*?</w:sectPr>", b"", body, flags=re.DOTALL)]


RELATIONS: Final = (
    b'<Relationships><Relationship Id="r1" Type="http://x/officeDocument" '
    b'Target="word/document.xml"/></Relationships>'
)


def pdf_documents() -> list[bytes]:
    """PDF documents: one with plain streams, so that changes reach them, one as it is packed."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    found = []
    for packed in (False, True):
        made = PdfWriter()
        font = DictionaryObject(
            {NameObject(f"/{k}"): NameObject(f"/{v}") for k, v in
             {"Type": "Font", "Subtype": "Type1", "BaseFont": "Helvetica"}.items()}
        )  # fmt: skip
        fonts = DictionaryObject({NameObject("/F1"): made._add_object(font)})
        for text in (b"First page", b"Second \\(page\\)"):
            page = made.add_blank_page(612, 792)
            page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
            content = DecodedStreamObject()
            content.set_data(
                b"BT /F1 12 Tf 72 700 Td 14 TL (" + text + b") Tj T* [(a) -9 (b)] TJ ET"
            )
            page[NameObject("/Contents")] = made._add_object(
                content.flate_encode() if packed else content
            )
        made.add_metadata({"/Title": "T", "/Author": "A"})
        made.add_outline_item(title="One", page_number=0)
        buffer = io.BytesIO()
        made.write(buffer)
        found.append(buffer.getvalue())
    return found


def encoded() -> list[bytes]:
    texts = ("Grüße, alpha beta. 日本語のテキスト", "Ελληνικά κείμενα und mehr", "plain text only")
    codecs = ("utf-16", "utf-16-be", "utf-32", "cp1252", "gb18030", "iso2022_jp_2", "hz", "koi8_r")
    return [text.encode(codec, "replace") for text in texts for codec in codecs]
