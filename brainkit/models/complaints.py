"""What is wrong with the fields of a model, in sentences that say what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ValidationError

from brainkit.errors import InvalidRequest, nearest


@contextmanager
def clear_errors(model: type[BaseModel], given: Mapping[str, Any]) -> Iterator[None]:
    """Turn what is wrong with the fields given to a model into one InvalidRequest.

    It names each field, its value, what is allowed and the nearest valid word.
    """
    try:
        yield
    except ValidationError as error:
        raise InvalidRequest("; ".join(_sentences(model, error))) from None


def _sentences(model: type[BaseModel], error: ValidationError) -> Iterator[str]:
    for problem in error.errors(include_url=False):
        path = ".".join(str(step) for step in problem["loc"]) or "request"
        name = str(problem["loc"][0]) if problem["loc"] else ""
        value, context = problem["input"], problem.get("ctx", {})
        match problem["type"]:
            case "extra_forbidden":
                nested = len(problem["loc"]) > 1  # a field's own name may have a dot in it
                known = list(_fields(model, name if nested else ""))
                yield (
                    f"{_cut(path)}={_short(value)}: there is no field {_short(path)}"
                    f"{nearest(str(problem['loc'][-1]), known)} (fields: {', '.join(known)})"
                )
            case "missing":
                yield f"{path} is missing; give it a value"
            case "enum" | "literal_error":
                words = str(context["expected"]).replace(" or ", ", ").replace("'", "")
                hint = nearest(str(value), words.split(", "))
                yield f"{path}={_short(value)} is not one of {words}{hint}"
            case "value_error" if isinstance(context.get("error"), InvalidRequest):
                yield str(context["error"])
            case "value_error":
                yield (
                    f"{path}={_short(value)}: {context['error']}" if name else str(context["error"])
                )
            case _:
                yield f"{path}={_short(value)}: {_lower(problem['msg'])}{_range(model, name)}"


def _fields(model: type[BaseModel], nested: str) -> Iterable[str]:
    """Return the fields of a model, or of the model that one of its fields holds."""
    inner = model.model_fields[nested].annotation if nested else model
    return inner.model_fields if isinstance(inner, type) and issubclass(inner, BaseModel) else ()


def _range(model: type[BaseModel], name: str) -> str:
    field = model.model_fields.get(name)
    if field is None:
        return ""
    if name == "weights":
        return "; weights are numbers of 0 or more for vector, bm25, graph"
    bounds = {
        word: getattr(rule, short)
        for rule in field.metadata
        for short, word in (("ge", "from"), ("le", "to"))
        if getattr(rule, short, None) is not None
    }
    if not bounds:
        return ""
    kind = "a whole number" if field.annotation is int else "a number"
    return f"; allowed is {kind} " + " ".join(f"{word} {bound}" for word, bound in bounds.items())


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _short(value: object) -> str:
    try:
        return _cut(repr(value))
    except RecursionError:
        return f"a {type(value).__name__} nested without end"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
