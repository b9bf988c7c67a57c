"""Find the defaults that a server uses for omitted properties."""

from __future__ import annotations

from scaffold.jsonschema.index import Index, Property


def default_of(index: Index, one: Property) -> tuple[object, ...]:
    """Return the default of an optional property, if it is null or the property allows it.

    The result is empty if there is none.
    """
    stated = [part.keywords["default"] for part in one.schemas if "default" in part.keywords]
    if not stated or one.required:
        return ()
    value = stated[0]
    is_valid = value is None or all(index.accepts(part, value) for part in one.schemas)
    return (value,) if is_valid else ()
