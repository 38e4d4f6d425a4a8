"""Which language a file is in, and whether it is code, a test or a document."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

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
    "c": Language("code", "c h"),
    "clojure": Language("code", "clj cljs cljc edn", "", "bb clojure"),
    "cobol": Language("code", "cob cbl cobol"),
    "coffeescript": Language("code", "coffee", "cakefile", "coffee"),
    "commonlisp": Language("code", "lisp lsp asd", "", "sbcl clisp"),
    "cpp": Language("code", "cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl ino"),
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
    "lua": Language("code", "lua luau rockspec", "", "lua luajit"),
    "matlab": Language("code", "m"),
    "nim": Language("code", "nim nims nimble"),
    "objective-c": Language("code", "mm"),
    "ocaml": Language("code", "ml mli mll mly", "", "ocaml"),
    "pascal": Language("code", "pas pp dpr lpr dpk lpk", "", "instantfpc"),
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
    "zig": Language("code", "zig zon"),
    # query, schema, style
    "css": Language("code", "css"),
    "cypher": Language("code", "cypher cyp"),
    "graphql": Language("code", "graphql gql graphqls"),
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
    "starlark": Language("code", "bzl bazel star", "tiltfile"),
    "terraform": Language("code", "tf tfvars hcl"),
    "vim": Language("code", "vim", ".vimrc"),
    # prose and markup
    "asciidoc": Language("prose", "adoc asciidoc"),
    "bibtex": Language("prose", "bib"),
    "html": Language("prose", "html htm xhtml"),
    "jupyter": Language("prose", "ipynb"),
    "latex": Language("prose", "tex ltx sty cls dtx"),
    "markdown": Language("prose", "md markdown mdown mkd mkdn mdx"),
    "mediawiki": Language("prose", "mediawiki wiki"),
    "org": Language("prose", "org"),
    "pdf": Language("prose", "pdf"),
    "quarto": Language("prose", "qmd"),
    "restructuredtext": Language("prose", "rst"),
    "rmarkdown": Language("prose", "rmd"),
    "roff": Language("prose", "man mdoc"),
    "template": Language(
        "prose", "jinja jinja2 j2 mustache hbs handlebars liquid ejs erb pug haml"
    ),
    "text": Language(
        "prose",
        "txt text log",
        "readme license licence copying authors contributors changelog changes news notice todo "
        "install history thanks maintainers codeowners",
    ),
    "textile": Language("prose", "textile"),
    "typst": Language("prose", "typ"),
    # configuration and records
    "csv": Language("data", "csv"),
    "diff": Language("data", "diff patch"),
    "dot": Language("data", "dot gv"),
    "gettext": Language("data", "po pot"),
    "ignore": Language(
        "data", "", ".gitignore .brainignore .dockerignore .npmignore .gitattributes .eslintignore"
    ),
    "ini": Language(
        "data", "ini cfg conf cnf properties desktop service", ".editorconfig .gitconfig .flake8"
    ),
    "json": Language(
        "data", "json jsonc json5 geojson webmanifest", ".babelrc .eslintrc .prettierrc"
    ),
    "jsonl": Language("data", "jsonl ndjson"),
    "subtitles": Language("prose", "srt vtt"),
    "toml": Language("data", "toml"),
    "tsv": Language("data", "tsv tab"),
    "xml": Language(
        "data", "xml xsd xsl xslt svg rss atom plist csproj vbproj fsproj props targets resx xaml"
    ),
    "yaml": Language("data", "yaml yml", ".clang-format .clang-tidy"),
}
"""The one table. A name in it may be written to brains: add freely, rename never."""


def _index(column: Literal["extensions", "names", "interpreters"]) -> dict[str, str]:
    return {
        word: language
        for language, row in LANGUAGES.items()
        for word in getattr(row, column).split()
    }


_BY_EXTENSION: Final = _index("extensions")
_BY_NAME: Final = _index("names")
_BY_INTERPRETER: Final = _index("interpreters")

_SHARED: Final[dict[str, tuple[re.Pattern[str], str]]] = {
    "m": (re.compile(r"\s*(//|/\*|#\s*(import|include|pragma|define|if)|@\w)"), "objective-c"),
    "pp": (re.compile(r"\s*(#|class\s+[a-z:_\d]+|define\s|node\s|include\s|\$\w+\s*=)"), "puppet"),
    "ts": (re.compile(r"\s*<(\?xml|!DOCTYPE TS|TS\b)"), "xml"),
    "pl": (re.compile(r"\s*(:-|%)"), "prolog"),
    "cls": (re.compile(r"VERSION \d"), "visualbasic"),
}
"""Extensions of two languages: a first line like this means this one, any other the table's."""

_WRAPPERS: Final = frozenset(
    ("in", "j2", "jinja", "jinja2", "tmpl", "tpl", "template", "dist", "example", "sample", "orig")
)
_ENV_OPTIONS_WITH_VALUE: Final = frozenset({"-u", "-C", "--unset", "--chdir"})


def language_of(relative: str, first_line: str = "") -> str | None:
    """Return the language of a file by its name, else by a `#!` line; None if neither tells.

    relative : a path; only its last part counts, in any case.
    first_line : decides between languages that share an extension, and for names without one.
    A template's ending is looked through: ``nginx.conf.j2`` is ini.

    >>> language_of("src/app.PY"), language_of("CMakeLists.txt"), language_of("Dockerfile.dev")
    ('python', 'cmake', 'dockerfile')
    >>> language_of("bin/tool", "#!/usr/bin/env -S python3.11 -u")
    'python'
    >>> language_of("m.m"), language_of("m.m", "#import <UIKit/UIKit.h>")
    ('matlab', 'objective-c')
    """
    name = relative.rpartition("/")[2].casefold()
    if name in _BY_NAME:
        return _BY_NAME[name]
    stem, _, extension = name.rpartition(".")
    if extension in _SHARED and stem:
        first, other = _SHARED[extension]
        return other if first.match(first_line) else _BY_EXTENSION[extension]
    if extension in _WRAPPERS and "." in stem:
        inner = language_of(stem, first_line)
        if inner:
            return inner
    return (
        (_BY_EXTENSION.get(extension) if stem else None)
        or _by_shebang(first_line)
        or _BY_NAME.get(re.split(r"[.-]", name)[0])
    )


def _by_shebang(first_line: str) -> str | None:
    if not first_line.startswith("#!"):
        return None
    words = first_line[2:].split()
    if words and words[0].rpartition("/")[2] == "env":
        words = _after_env(words[1:])
    if not words:
        return None
    interpreter = words[0].rpartition("/")[2].casefold()
    return _BY_INTERPRETER.get(interpreter) or _BY_INTERPRETER.get(
        interpreter.rstrip("0123456789.-")
    )


def _after_env(words: list[str]) -> list[str]:
    """Drop env's own options and assignments: ``-S -u NAME A=1 python3`` leaves ``python3``."""
    while words and (words[0].startswith("-") or "=" in words[0]):
        words = words[2 if words[0] in _ENV_OPTIONS_WITH_VALUE else 1 :]
    return words


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
