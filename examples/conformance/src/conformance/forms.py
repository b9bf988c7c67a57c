"""The forms that users are asked to fill in."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, WithJsonSchema


class Name(BaseModel):
    name: str


class Colour(BaseModel):
    color: str


class Confirmation(BaseModel):
    ok: bool


class Deletion(BaseModel):
    confirm: bool


class Background(BaseModel):
    context: str


class User(BaseModel):
    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Profile(BaseModel):
    """A default in each field."""

    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


Option = Literal["option1", "option2", "option3"]
VALUES = [
    {"const": "value1", "title": "First Option"},
    {"const": "value2", "title": "Second Option"},
    {"const": "value3", "title": "Third Option"},
]
LEGACY = {
    "type": "string",
    "enum": ["opt1", "opt2", "opt3"],
    "enumNames": ["Option One", "Option Two", "Option Three"],
}
SEVERAL = {"type": "array", "items": {"anyOf": VALUES}}


class Choices(BaseModel):
    """Each kind of choice."""

    untitledSingle: Option | None = None
    titledSingle: Annotated[
        str | None, WithJsonSchema({"type": "string", "oneOf": VALUES})
    ] = None
    legacyEnum: Annotated[str | None, WithJsonSchema(LEGACY)] = None
    untitledMulti: list[Option] | None = None
    titledMulti: Annotated[list[str] | None, WithJsonSchema(SEVERAL)] = None
