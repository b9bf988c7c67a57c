from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from tests.python.models import Model


class ExpressionNot(Model):
    class_: Annotated[Literal["not"], Field(alias="class")]
    of: "Expression"


class ExpressionAnd(Model):
    class_: Annotated[Literal["and"], Field(alias="class")]
    parts: list["Expression"]


class Expression3(Model):
    class_: Annotated[Literal["value", "name"], Field(alias="class")]
    text: str | None = None


Expression: TypeAlias = (
    Annotated[
        ExpressionNot | ExpressionAnd | Expression3, Field(discriminator="class_")
    ]
    | str
)


class EvaluateArguments(Model):
    expression: Expression | None = None


class DrawShapeCircle(Model):
    kind: Literal["circle"]
    radius: float


class DrawShapeBox(Model):
    kind: Literal["box"]
    side: float


class DrawArguments(Model):
    shapes: (
        list[
            Annotated[DrawShapeCircle | DrawShapeBox, Field(discriminator="kind")]
            | None
        ]
        | None
    ) = None


Either: TypeAlias = Any


Optional: TypeAlias = Any


Lists: TypeAlias = Any


class NestArguments(Model):
    node: Either | None = None
    optional: Optional | None = None
    lists: Lists | None = None


class Filter1(Model):
    and_: Annotated[list["Filter"], Field(alias="and")]


class Filter2(Model):
    property: str


Filter: TypeAlias = Filter1 | Filter2


class FilterEither1(Model):
    x: str | None = None


class FilterEither2(Model):
    y: int | None = None


class FilterArguments(Model):
    filter: Filter | None = None
    either: FilterEither1 | FilterEither2 | None = None
