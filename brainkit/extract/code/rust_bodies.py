"""The statements and expressions of Rust, with its scopes; arguments of macros are read as such."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node, Parser

from brainkit.extract.code.holding import element_of, holder_of, itself
from brainkit.extract.code.model import Collector, Meaning, below
from brainkit.extract.code.rust_paths import segments_of
from brainkit.extract.code.rust_types import TYPES, Types, is_type, is_value
from brainkit.parse.grammar import loaded_language, text_of
from brainkit.parse.rust import RUST

_UNWRAPPING: Final = frozenset(
    {
        *("unwrap", "expect", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "borrow"),
        *("borrow_mut", "lock", "read", "write"),
    }
)
_KEEPING: Final = frozenset(
    {
        *("iter", "iter_mut", "into_iter", "values", "values_mut", "into_values", "drain", "get"),
        *("get_mut", "first", "last", "first_mut", "last_mut", "pop", "pop_front", "pop_back"),
        *("front", "back", "next", "next_back", "nth", "peek", "as_ref", "as_mut", "as_deref"),
        *("as_deref_mut", "as_slice", "cloned", "copied", "take", "replace", "rev", "skip"),
        *("filter", "chain", "peekable", "by_ref", "ok", "map_err", "or_else", "ok_or", "find"),
        *("ok_or_else", "context", "with_context", "collect", "to_vec", "clone", "insert"),
    }
)
"""Methods of what holds things that give something that holds the same."""
_CLONING: Final = frozenset({"clone", "to_owned"})
_EACH: Final = frozenset(
    {
        *("map", "for_each", "filter", "filter_map", "flat_map", "any", "all", "find", "position"),
        *("and_then", "is_some_and", "is_ok_and", "map_or", "map_or_else", "inspect", "partition"),
        *("retain", "take_while", "skip_while", "find_map", "sort_by_key", "max_by_key"),
    }
)
"""Methods that call a closure with what is held."""
_NESTING_MAX: Final = 8
_STANDARD_MACROS: Final = frozenset(
    {
        *("assert", "assert_eq", "assert_ne", "cfg", "column", "compile_error", "concat", "dbg"),
        *("debug_assert", "debug_assert_eq", "debug_assert_ne", "env", "eprint", "eprintln"),
        *("file", "format", "format_args", "include", "include_bytes", "include_str", "line"),
        *("matches", "module_path", "option_env", "panic", "print", "println", "stringify"),
        *("thread_local", "todo", "unimplemented", "unreachable", "vec", "write", "writeln"),
    }
)


class Bodies(Types):
    """Reads what stands inside a definition; a subclass reads the items."""

    def __init__(self, collector: Collector) -> None:
        super().__init__(collector)
        self._nesting = 0
        self._readers: Final[dict[str, Callable[[Node], Meaning]]] = {
            "identifier": self.note,
            "scoped_identifier": self.note,
            "generic_function": self.note,
            "self": lambda _: self.collector.lookup("self"),
            "field_expression": self._field,
            "call_expression": self._call,
            "macro_invocation": self._macro,
            "struct_expression": self._struct,
            "index_expression": self._index,
            "try_expression": lambda node: element_of(self.inside(node)),
            "await_expression": self.inside,
            "reference_expression": self.inside,
            "unary_expression": self.inside,
            "parenthesized_expression": self.inside,
            "type_cast_expression": self._cast,
            "closure_expression": self._closure,
            "block": self._block,
            "let_declaration": self._let,
            "let_condition": self._let_condition,
            "if_expression": self._if,
            "match_expression": self._match,
            "while_expression": self._region,
            "for_expression": self._for,
            "shorthand_field_initializer": self.inside,
            **dict.fromkeys(("attribute_item", "visibility_modifier"), lambda _: None),
        }

    def items(self, nodes: list[Node], path: str, *, local: bool = False) -> None:
        """Declare and read the items among some nodes."""
        raise NotImplementedError

    def value(self, node: Node | None) -> Meaning:
        """Return what an expression is, and note what it refers to."""
        if node is None:
            return None
        if node.type in TYPES:
            self.type_of(node)
            return None
        if node.type.endswith("_item") or node.type in ("use_declaration", "macro_definition"):
            return None  # read with the other items of its block
        reader = self._readers.get(node.type)
        if reader is not None:
            return reader(node)
        self.inside(node)
        return None

    def inside(self, node: Node) -> Meaning:
        """Read what a node holds, in the present scope; return what the last of it is."""
        value: Meaning = None
        for child in node.named_children:
            value = self.value(child)
        return value

    # Statements

    def _region(self, node: Node) -> Meaning:
        with self.collector.scope():
            self.inside(node)
        return None

    def _block(self, node: Node) -> Meaning:
        with self.collector.scope() as scope:
            self.items(node.named_children, scope.path, local=True)
            return self.inside(node)

    def _let(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("value"))
        typed = node.child_by_field_name("type")
        if typed is not None:
            known = self.type_of(typed)
            value = value if "_" in text_of(typed) and known is None else known
        self.value(node.child_by_field_name("alternative"))
        self.pattern(node.child_by_field_name("pattern"), value)
        return None

    def _let_condition(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("value"))
        self.pattern(node.child_by_field_name("pattern"), value)
        return None

    def _if(self, node: Node) -> Meaning:
        with self.collector.scope():
            self.value(node.child_by_field_name("condition"))
            value = self.value(node.child_by_field_name("consequence"))
        self.value(node.child_by_field_name("alternative"))
        return value

    def _match(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("value"))
        body = node.child_by_field_name("body")
        for arm in body.named_children if body is not None else ():
            if arm.type != "match_arm":
                continue
            with self.collector.scope():
                pattern = arm.child_by_field_name("pattern")
                for at, part in enumerate(pattern.named_children if pattern is not None else ()):
                    if at == 0:
                        self.pattern(part, value)
                    else:
                        self.value(part)  # the condition
                self.value(arm.child_by_field_name("value"))
        return None

    def _for(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("value"))
        with self.collector.scope():
            self.pattern(node.child_by_field_name("pattern"), element_of(value))
            self.value(node.child_by_field_name("body"))
        return None

    # Expressions

    def _field(self, node: Node) -> Meaning:
        value = self.value(node.child_by_field_name("value"))
        return self.attribute(value, text_of(node.child_by_field_name("field")))

    def _index(self, node: Node) -> Meaning:
        value, *_ = [self.value(child) for child in node.named_children]
        return element_of(value)

    def _cast(self, node: Node) -> Meaning:
        self.value(node.child_by_field_name("value"))
        return self.type_of(node.child_by_field_name("type"))

    def _struct(self, node: Node) -> Meaning:
        head = node.child_by_field_name("name")
        meaning = self.note(head) if head is not None else None
        segments = segments_of(head)
        if is_type(segments[-2:-1]):  # State::Open { .. }
            meaning = self.meaning(segments[:-1])
        body = node.child_by_field_name("body")
        if body is not None:
            self.inside(body)
        return meaning and below(meaning, "()")

    def _closure(self, node: Node, first: Meaning = None) -> Meaning:
        with self.collector.scope():
            parameters = node.child_by_field_name("parameters")
            for parameter in parameters.named_children if parameters is not None else ():
                typed = parameter.child_by_field_name("type")
                pattern = parameter.child_by_field_name("pattern") or parameter
                self.pattern(pattern, self.type_of(typed) if typed is not None else first)
                first = None
            self.type_of(node.child_by_field_name("return_type"))
            self.value(node.child_by_field_name("body"))
        return None

    def _call(self, node: Node) -> Meaning:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None else []
        while function is not None and function.type == "generic_function":
            self.type_of(function.child_by_field_name("type_arguments"))
            function = function.child_by_field_name("function")
        if function is None:
            return None
        if function.type == "field_expression":
            return self._method(function, given, node)
        segments = segments_of(function)
        if not segments:
            self.value(function)
            self._arguments(given)
            return None
        values = self._arguments(given)
        wrapped = _wrapped(segments, values[0] if len(values) == 1 else None)
        return wrapped or self._path_call(segments, function)

    def _path_call(self, segments: list[str], node: Node) -> Meaning:
        callee = self.meaning(segments)
        if callee is None or is_value(callee):
            return None
        owner = self.owner(segments, callee)
        if is_type(segments):  # a tuple struct, or a variant: State::Open(book)
            self.refer("uses", callee, owner, node=node)
            return below(owner or callee, "()")
        self.refer("calls", callee, node=node)
        if owner is not None:
            self.refer("uses", owner, node=node)
        return below(owner, "()") if owner and segments[-1] == "default" else below(callee, "()")

    def _method(self, function: Node, given: list[Node], node: Node) -> Meaning:
        value = self.value(function.child_by_field_name("value"))
        name = text_of(function.child_by_field_name("field"))
        held = element_of(value) if value is not None and itself(value) is None else None
        for argument in given:
            if argument.type == "closure_expression":
                self._closure(argument, held if name in _EACH else None)
            else:
                self.value(argument)
        if value is None:
            return None
        if held is not None:
            if name in _UNWRAPPING:
                return held
            return value if name in _KEEPING else None
        self.refer("calls", below(value, name), node=function.child_by_field_name("field") or node)
        if name in _CLONING:
            return value
        return element_of(value) if name in _UNWRAPPING else below(value, name, "()")

    def _arguments(self, nodes: list[Node]) -> list[Meaning]:
        return [self.value(node) for node in nodes]

    # Macros

    def _macro(self, node: Node) -> Meaning:
        segments = segments_of(node.child_by_field_name("macro"))
        if segments:
            self._invoked(segments, node)
        tokens = node.named_children[-1]
        if tokens.type == "token_tree" and self._nesting < _NESTING_MAX:
            self._expressions(tokens)
        return None

    def _invoked(self, segments: list[str], node: Node) -> None:
        name = segments[-1]
        if len(segments) > 1:
            self.refer("calls", self.meaning(segments), node=node)
        elif self.declared(f"{name}!"):
            self.refer("calls", self.collector.lookup(f"{name}!"), node=node)
        elif self.declared(name):
            self.refer("calls", self.collector.lookup(name), node=node)
        elif name not in _STANDARD_MACROS:
            self.refer("calls", below(self.paths.crate(), name), node=node)

    def _expressions(self, tokens: Node) -> None:
        """Read the arguments of a macro, if they are expressions."""
        source = (tokens.text or b"")[1:-1]
        if b"(" not in source and b"::" not in source and b"{" not in source:
            return
        tree = Parser(loaded_language(RUST.wheel, RUST.entry)).parse(b"fn f(){[%s];}" % source)
        if tree.root_node.has_error:
            return
        before = self.row
        self.row += tokens.start_point.row
        self._nesting += 1
        self.inside(tree.root_node.named_children[0].named_children[-1])
        self._nesting -= 1
        self.row = before


def _wrapped(segments: list[str], value: Meaning) -> Meaning:
    """Return what ``Some(x)``, ``Box::new(x)`` and the like are."""
    match segments:
        case ["Some" | "Ok"]:
            return holder_of(value)
        case [*_, "Box" | "Rc" | "Arc", "new"] | [*_, "Box" | "Rc" | "Arc", "clone"]:
            return value
        case [*_, "RefCell" | "Cell", "new"]:
            return holder_of(value)
        case [*_, "Mutex" | "RwLock", "new"]:
            return holder_of(holder_of(value))
    return None
