"""What generated models are built on, as in a generated server."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        validate_by_name=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        defer_build=True,
    )

    @classmethod
    def of_client(cls, value: object) -> Self:
        return cls.model_validate(value, by_alias=True, by_name=False)


OMIT_IF_NONE: Any = Field(default=None, exclude_if=lambda value: value is None)
