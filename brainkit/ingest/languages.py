"""Which language a file is in, and whether it is code, a test or a document."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from brainkit.ingest.language_content import by_content, by_modeline, interpreter_of
from brainkit.models import SourceType

Kind = Literal["code", "prose", "data"]


class Language(NamedTuple):
    """How a language is recognised. Words are separated by blanks and in lower case.

    kind : ``code`` for programming, query, shell, style and build languages; ``prose`` for what
        people read; ``data`` for configuration and records.
    """

    kind: Kind
    extensions: str = ""
    names: str = ""
    interpreters: str = ""


LANGUAGES: Final[dict[str, Language]] = {
    # programming
    "ada": Language("code", "adb ads"),
    "assembly": Language("code", "asm s nasm"),
    "awk": Language("code", "awk", "", "awk gawk mawk nawk"),
    "c": Language("code", "c h", "", "tcc"),
    "clojure": Language("code", "clj cljs cljc edn", "", "bb clojure"),
    "cobol": Language("code", "cob cbl cobol"),
    "coffeescript": Language("code", "coffee", "cakefile", "coffee"),
    "commonlisp": Language("code", "lisp lsp asd", "", "sbcl clisp"),
    "coq": Language("code"),
    "cpp": Language("code", "cc cpp cxx c++ hh hpp hxx h++ ipp tpp tcc inl ino"),
    "crystal": Language("code", "cr", "", "crystal"),
    "csharp": Language("code", "cs csx"),
    "cuda": Language("code", "cu cuh"),
    "cython": Language("code", "pyx pxd pxi"),
    "d": Language("code", "d di", "", "rdmd"),
    "dart": Language("code", "dart", "", "dart"),
    "elixir": Language("code", "ex exs", "mix.exs", "elixir"),
    "elm": Language("code", "elm"),
    "emacslisp": Language("code", "el", ".emacs", "emacs"),
    "erlang": Language("code", "erl hrl escript", "rebar.config", "escript"),
    "fortran": Language("code", "f for f77 f90 f95 f03 f08"),
    "fsharp": Language("code", "fs fsi fsx"),
    "glsl": Language("code", "glsl vert frag geom comp"),
    "go": Language("code", "go"),
    "groovy": Language("code", "groovy gvy gradle", "jenkinsfile", "groovy"),
    "haskell": Language("code", "hs lhs", "", "runghc runhaskell stack"),
    "haxe": Language("code", "hx"),
    "hlsl": Language("code", "hlsl fx"),
    "java": Language("code", "java", "", "java"),
    "javascript": Language("code", "js mjs cjs jsx", "jakefile", "node nodejs"),
    "julia": Language("code", "jl", "", "julia"),
    "kotlin": Language("code", "kt kts", "", "kotlin kotlinc"),
    "lua": Language("code", "lua luau rockspec", ".luacheckrc", "lua luajit"),
    "lex": Language("code", "l ll lpp"),
    "m4": Language("code", "m4 ac"),
    "matlab": Language("code", "m"),
    "nim": Language("code", "nim nims nimble"),
    "objective-c": Language("code", "mm"),
    "ocaml": Language("code", "ml mli mll mly", "", "ocaml"),
    "pascal": Language("code", "pas pp dpr lpr dpk", "", "instantfpc"),
    "perl": Language("code", "pl pm t", "makefile.pl cpanfile", "perl"),
    "php": Language("code", "php phtml php5 phpt", "", "php"),
    "prolog": Language("code", "prolog", "", "swipl"),
    "puppet": Language("code"),
    "purescript": Language("code", "purs"),
    "python": Language(
        "code", "py pyi pyw", "sconstruct sconscript wscript", "python pypy uv pdm ipython"
    ),
    "r": Language("code", "r", ".rprofile", "rscript"),
    "racket": Language("code", "rkt", "", "racket"),
    "ruby": Language(
        "code",
        "rb rake gemspec ru podspec",
        "gemfile rakefile podfile vagrantfile guardfile fastfile brewfile config.ru",
        "ruby jruby",
    ),
    "rust": Language("code", "rs", "", "rust-script"),
    "scala": Language("code", "scala sc sbt", "", "scala amm"),
    "scheme": Language("code", "scm ss sld", "", "guile chez"),
    "smalltalk": Language("code", "st"),
    "solidity": Language("code", "sol"),
    "svelte": Language("code", "svelte"),
    "swift": Language("code", "swift", "", "swift"),
    "tcl": Language("code", "tcl", "", "tclsh wish expect"),
    "tsx": Language("code", "tsx"),
    "typescript": Language("code", "ts mts cts", "", "deno bun ts-node tsx"),
    "vala": Language("code", "vala vapi"),
    "verilog": Language("code", "v vh sv svh"),
    "vhdl": Language("code", "vhd vhdl"),
    "visualbasic": Language("code", "vb bas vbs"),
    "vue": Language("code", "vue"),
    "wgsl": Language("code", "wgsl"),
    "yacc": Language("code", "y yy ypp"),
    "zig": Language("code", "zig zon"),
    # query, schema, style
    "css": Language("code", "css"),
    "cypher": Language("code", "cypher cyp"),
    "graphql": Language("code", "graphql gql graphqls"),
    "idl": Language("code", "idl webidl"),
    "jq": Language("code", "jq", "", "jq"),
    "less": Language("code", "less"),
    "prisma": Language("code", "prisma"),
    "proto": Language("code", "proto"),
    "rego": Language("code", "rego"),
    "scss": Language("code", "scss sass"),
    "sparql": Language("code", "rq sparql"),
    "sql": Language("code", "sql psql pgsql plsql cql ddl dml"),
    "thrift": Language("code", "thrift"),
    # shell and build
    "batch": Language("code", "bat cmd"),
    "cmake": Language("code", "cmake", "cmakelists.txt"),
    "dockerfile": Language("code", "dockerfile containerfile", "dockerfile containerfile"),
    "fish": Language("code", "fish", "", "fish"),
    "just": Language("code", "just", "justfile"),
    "make": Language("code", "mk mak", "makefile gnumakefile bsdmakefile", "make"),
    "meson": Language("code", "", "meson.build meson_options.txt"),
    "nix": Language("code", "nix"),
    "powershell": Language("code", "ps1 psm1 psd1", "", "pwsh powershell"),
    "shell": Language(
        "code",
        "sh bash zsh ksh bats command ebuild",
        ".bashrc .bash_profile .bash_aliases .profile .zshrc .zprofile .zshenv pkgbuild",
        "sh bash zsh dash ksh ash bats",
    ),
    "starlark": Language("code", "bzl bazel star", "build workspace tiltfile"),
    "terraform": Language("code", "tf tfvars hcl"),
    "vim": Language("code", "vim", ".vimrc"),
    # prose and markup
    "asciidoc": Language("prose", "adoc asciidoc"),
    "bibtex": Language("prose", "bib"),
    "docx": Language("prose", "docx"),
    "html": Language("prose", "html htm xhtml"),
    "jupyter": Language("prose", "ipynb"),
    "latex": Language("prose", "tex ltx sty cls dtx"),
    "markdown": Language("prose", "md markdown mdown mkd mkdn mdx"),
    "mediawiki": Language("prose", "mediawiki wiki"),
    "org": Language("prose", "org"),
    "pdf": Language("prose", "pdf"),
    "quarto": Language("prose", "qmd"),
    "rd": Language("prose", "rd"),
    "rdoc": Language("prose", "rdoc"),
    "restructuredtext": Language("prose", "rst"),
    "rmarkdown": Language("prose", "rmd"),
    "roff": Language("prose", "man mdoc"),
    "template": Language(
        "prose", "jinja jinja2 j2 mustache hbs handlebars liquid ejs erb pug haml tmpl tpl"
    ),
    "text": Language(
        "prose",
        "txt text log",
        "readme license licence copying authors contributors changelog changes news notice todo "
        "install history thanks maintainers codeowners unlicense copyright credits bugs",
    ),
    "textile": Language("prose", "textile"),
    "typst": Language("prose", "typ"),
    # configuration and records
    "csv": Language("data", "csv"),
    "cabal": Language("data", "cabal", "cabal.project"),
    "diff": Language("data", "diff patch"),
    "dfm": Language("data", "dfm lfm fmx"),
    "dot": Language("data", "dot gv"),
    "gettext": Language("data", "po pot"),
    "gomod": Language("data", "", "go.mod go.work"),
    "ignore": Language(
        "data",
        "",
        ".gitignore .brainignore .dockerignore .npmignore .gitattributes .eslintignore .ignore "
        ".prettierignore .rbuildignore .stylelintignore",
    ),
    "ini": Language(
        "data",
        "ini cfg conf cnf properties desktop service xcconfig pc",
        ".editorconfig .gitconfig .gitmodules .flake8 .coveragerc .npmrc .pylintrc",
    ),
    "json": Language(
        "data", "json jsonc json5 geojson webmanifest", ".babelrc .eslintrc .prettierrc"
    ),
    "jsonl": Language("data", "jsonl ndjson"),
    "snapshot": Language("data", "snap"),
    "subtitles": Language("prose", "srt vtt"),
    "toml": Language("data", "toml", "pipfile"),
    "tsv": Language("data", "tsv tab"),
    "xml": Language(
        "data",
        "xml xsd xsl xslt svg rss atom plist csproj vbproj fsproj vcxproj props targets resx xaml "
        "nuspec slnx wxs storyboard xib xcscheme xcworkspacedata xcprivacy iml dproj groupproj "
        "deployproj lpi lpk",
    ),
    "yaml": Language("data", "yaml yml cff", ".clang-format .clang-tidy .clangd"),
}
"""The one table. A name in it may be written to brains: add freely, rename never."""

PARSED: Final = frozenset(
    {
        *("python", "javascript", "typescript", "tsx", "java", "go", "rust", "c", "cpp", "csharp"),
        *("kotlin", "swift", "pascal"),
    }
)
"""Languages cut by definition: the keys of `code.table.PARSERS`, without its imports."""


def _index(column: Literal["extensions", "names", "interpreters"]) -> dict[str, str]:
    return {
        word: language
        for language, row in LANGUAGES.items()
        for word in getattr(row, column).split()
    }


_BY_EXTENSION: Final = _index("extensions")
_BY_NAME: Final = _index("names")
_BY_INTERPRETER: Final = _index("interpreters")

HEAD_CHARS: Final = 4000
"""How much of a text is looked at, at most."""

_WRAPPERS: Final = frozenset(
    ("in", "j2", "jinja", "jinja2", "tmpl", "tpl", "template", "dist", "example", "sample", "orig")
)


def language_of(relative: str, head: str = "") -> str | None:
    """Return the language of a file by its name, else by its beginning; None if neither tells.

    relative : a path; only its last part counts, in any case.
    head : the text, or its beginning; the first HEAD_CHARS characters decide between languages
        that share an extension, such as C and C++ for ``.h``. A name without an extension goes by
        its ``#!`` line or an editor's mode line.
    A template's ending is looked through: ``nginx.conf.j2`` is ini.

    >>> language_of("src/app.PY"), language_of("CMakeLists.txt"), language_of("Dockerfile.dev")
    ('python', 'cmake', 'dockerfile')
    >>> language_of("bin/tool", "#!/usr/bin/env -S python3.11 -u")
    'python'
    >>> language_of("a.h"), language_of("a.h", "#pragma once\\nnamespace a {\\n")
    ('c', 'cpp')
    """
    head = head[:HEAD_CHARS]
    name = relative.rpartition("/")[2].casefold()
    stem, _, extension = name.rpartition(".")
    if not stem:
        extension = ""
    if name in _BY_NAME:
        return (None if extension else _by_interpreter(head)) or _BY_NAME[name]
    if extension in _WRAPPERS and "." in stem:
        inner = language_of(stem, head)
        if inner:
            return inner
    return (
        (by_content(extension, head) if extension else None)
        or _BY_EXTENSION.get(extension)
        or _by_interpreter(head)
        or _by_first_word(relative.rpartition("/")[2])
        or _known(by_modeline(head))
        or by_content("", head)
    )


def _by_first_word(name: str) -> str | None:
    """Return the language of ``Dockerfile.dev`` and ``LICENSE-MIT``, but not of ``install-sh``."""
    word, separator, _ = re.split(r"([.-])", name + ".", maxsplit=1)
    language = _BY_NAME.get(word.casefold())
    of_text = language == "text" and not word.isupper() and separator == "-"
    return None if of_text or name.endswith(".lock") else language


def _known(mode: str | None) -> str | None:
    return mode if mode in LANGUAGES else None


def _by_interpreter(head: str) -> str | None:
    interpreter = interpreter_of(head)
    return _BY_INTERPRETER.get(interpreter) or _BY_INTERPRETER.get(
        interpreter.rstrip("0123456789.-")
    )


_SNAKE: Final = r"(test_.*|.*_tests?|tests?)"
_CAMEL: Final = r"(Tests?([A-Z0-9_].*)?|.*(Test|Tests|TestCase|TestCases))"
_DOTTED: Final = r"(.*\.(test|spec|e2e|e2e-spec|cy)|.*[-_]test|test[-_].*|tests?)"
_JVM: Final = rf"({_CAMEL}|.*[a-z0-9]IT(Case)?)"
_TEST_STEMS: Final[dict[str, str]] = {
    "python": rf"({_SNAKE}|conftest)",
    "go": r".*_test",
    "javascript": rf"({_DOTTED}|.*Spec)",
    **dict.fromkeys(("typescript", "tsx", "coffeescript", "vue", "svelte"), _DOTTED),
    **dict.fromkeys(("java", "kotlin"), _JVM),  # their KeySpec and AnimationSpec are no tests
    **dict.fromkeys(("scala", "groovy"), rf"({_JVM}|.*Spec|.*Suite)"),
    **dict.fromkeys(("csharp", "fsharp", "visualbasic"), rf"({_CAMEL}|.*\.Tests?)"),
    **dict.fromkeys(("swift", "objective-c"), _CAMEL),
    **dict.fromkeys(("php", "haskell"), rf"({_CAMEL}|.*Spec)"),
    **dict.fromkeys(("c", "cpp", "cuda"), rf"({_SNAKE}|.*_unittest|{_CAMEL})"),
    **dict.fromkeys(("pascal", "matlab", "haxe"), rf"({_SNAKE}|{_CAMEL})"),
    **dict.fromkeys(("ruby", "crystal", "lua"), rf"({_SNAKE}|.*_spec|spec_helper)"),
    "erlang": r".*(_SUITE|_tests?)",
    "r": r"(test[-_].*|testthat|tests?)",
    "julia": rf"({_SNAKE}|runtests)",
    "shell": rf"({_SNAKE}|.*\.(test|bats))",
    "powershell": r".*\.Tests",
}
"""What a test file is called before its extension; in other languages as in `_SNAKE`."""

_TEST_FOLDERS: Final = frozenset(
    {
        *("test", "tests", "unittests", "e2e", "testdata", "test-data", "test_data"),
        *("__tests__", "__mocks__", "__snapshots__"),
    }
)
_LANGUAGE_FOLDERS: Final[dict[str, str]] = {
    **dict.fromkeys(("ruby", "crystal", "lua", "coffeescript"), r"specs?"),
    **dict.fromkeys(("javascript", "typescript", "tsx"), r"(specs?|cypress)"),
    **dict.fromkeys(("java", "kotlin", "scala", "groovy"), r"([a-z]\w*Test|testFixtures)"),
    **dict.fromkeys(("csharp", "fsharp", "visualbasic"), r"(.+\.)?[A-Za-z]*Tests?"),
    **dict.fromkeys(("swift", "objective-c"), r"\w*Tests"),
    "perl": r"x?t",
}
"""Folders that hold tests in one language but may mean something else in another."""


def source_type_of(relative: str, language: str | None) -> SourceType:
    """Return ``test``, ``code`` or ``doc`` by the conventions of the language.

    Code is a test if its name or a folder says so. Data and configuration in a test folder are its
    fixtures, so tests too; elsewhere they are documents. Prose is a document wherever it lies, and
    so are notebooks as a whole and files of unknown language.

    >>> source_type_of("pkg/walk_test.go", "go"), source_type_of("pkg/testing.py", "python")
    ('test', 'code')
    >>> source_type_of("tests/README.md", "markdown"), source_type_of("tests/a.json", "json")
    ('doc', 'test')
    """
    kind = LANGUAGES[language].kind if language in LANGUAGES else "prose"
    if kind == "prose":
        return "doc"
    *folders, name = relative.split("/")
    if any(folder.casefold() in _TEST_FOLDERS for folder in folders):
        return "test"
    if kind == "data":
        return "doc"
    special = _LANGUAGE_FOLDERS.get(language or "")
    if special and any(re.fullmatch(special, folder) for folder in folders):
        return "test"
    if name.casefold().endswith((".t", ".bats", ".phpt")):
        return "test"
    stem = name.rpartition(".")[0] or name
    return "test" if re.fullmatch(_TEST_STEMS.get(language or "", _SNAKE), stem) else "code"
