"""Makes of a schema of the cases the class that a typed parser takes."""

from typing import Literal

from pydantic import ConfigDict, create_model

_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool}


def class_of(name, schema, extra="forbid"):
    """A class of pydantic's whose own schema says the same; extra is what it thinks of other properties."""
    fields = {key: (_type_of(property_), ...) for key, property_ in schema["properties"].items()}
    return create_model(name, __config__=ConfigDict(extra=extra), **fields)


def plain(parsed):
    """What a parser made, as JSON has it."""
    return parsed.model_dump() if hasattr(parsed, "model_dump") else parsed


def _type_of(schema):
    if "enum" in schema:
        return Literal[*schema["enum"]]
    if schema["type"] == "array":
        return list[_type_of(schema["items"])]
    return _TYPES[schema["type"]]
