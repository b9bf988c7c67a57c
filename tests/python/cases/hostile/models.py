import datetime as dt
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field
from tests.python.models import ABSENT, Model


class Allocation(Model):
    Note_: Annotated["Note | None", Field(alias="Note")] = None
    notes: list["Note"] | None = None


class Note(Model):
    Allocation_: Annotated[Allocation | None, Field(alias="Allocation")] = None
    Note: str | None = None


class NoteArguments(Model):
    note: Note | None = None


class TypesArguments(Model):
    None_: Annotated[int | None, Field(alias="None")] = None
    int_: Annotated[str | None, Field(alias="int")] = None
    str_: Annotated[int | None, Field(alias="str")] = None
    list_: Annotated[list[int] | None, Field(alias="list")] = None
    dict_: Annotated[dict[str, Any] | None, Field(alias="dict")] = None
    Any_: Annotated[Any, Field(alias="Any")] = None
    Literal_: Annotated[Literal["a", "b"] | None, Field(alias="Literal")] = None
    Annotated_: Annotated[str | None, Field(alias="Annotated", deprecated=True)] = None
    Field_: Annotated[list[Any], Field(alias="Field")] = Field(default_factory=list)
    Model: str | None = None
    UUID_: Annotated[UUID | None, Field(alias="UUID")] = None
    dt_: Annotated[dt.date | None, Field(alias="dt")] = None
    TypesArguments_: Annotated[
        "TypesArguments | None", Field(alias="TypesArguments")
    ] = None
    ABSENT_: Annotated[str | None, Field(alias="ABSENT")] = None
    class_2: Annotated[str | None, Field(alias="__class__")] = None
    class_3: Annotated[str | None, Field(alias="class")] = None
    class_: int | None = None
    self: str | None = None
    model_config_: Annotated[str | None, Field(alias="model_config")] = None
    value_model_dump: Annotated[str | None, Field(alias="model_dump")] = None
    of_client_: Annotated[str | None, Field(alias="of_client")] = None
    copy_: Annotated[str | None, Field(alias="copy")] = None


class TypesResult(Model):
    ABSENT_: Annotated[str | None, Field(alias="ABSENT")] = ABSENT
    Field_: Annotated[str | None, Field(alias="Field")] = ABSENT
    None_: Annotated[None, Field(alias="None")] = None
    bool_: Annotated[bool | None, Field(alias="bool")] = ABSENT


class Int(Model):
    a: int | None = None


class DefinitionsAny(Model):
    b: Any = None


class DefinitionsNone(Model):
    c: int | None = None


class DefinitionsModel(Model):
    d: int | None = None


class DefinitionsContext(Model):
    e: int | None = None


class TypesArgumentsValue(Model):
    f: int | None = None


class DefinitionsValueError(Model):
    g: int | None = None


class Value(Model):
    h: int | None = None


class Dt(Model):
    i: int | None = None


class DefinitionsArgumentsItema4c7(Model):
    j: int | None = None


class DefinitionsArgumentsItemade8(Model):
    k: int | None = None


class DefinitionsArguments(Model):
    a: Int | None = None
    b: DefinitionsAny | None = None
    c: DefinitionsNone | None = None
    d: DefinitionsModel | None = None
    e: DefinitionsContext | None = None
    f: TypesArgumentsValue | None = None
    g: DefinitionsValueError | None = None
    h: Value | None = None
    i: Dt | None = None
    j: DefinitionsArgumentsItema4c7 | None = None
    k: DefinitionsArgumentsItemade8 | None = None
