from typing import Any, Literal, TypeAlias

from tests.python.models import ABSENT, Model


class SearchFilterTag(Model):
    name: str | None = None


class SearchFilter(Model):
    tags: list[SearchFilterTag] | None = None


class SearchByNameValue(Model):
    x: int | None = None


class SearchDataItem(Model):
    y: int | None = None


class SearchStatusItem(Model):
    z: int | None = None


class SearchMatrixItemItem(Model):
    n: int | None = None


class SearchArguments(Model):
    filter: SearchFilter | None = None
    by_name: dict[str, SearchByNameValue] | None = None
    data: list[SearchDataItem] | None = None
    status: list[SearchStatusItem] | None = None
    matrix: list[list[SearchMatrixItemItem]] | None = None


class SearchResultsItem(Model):
    id: int | None = ABSENT


class SearchQuery(Model):
    id: int | None = ABSENT


class SearchResultArgumentsValue(Model):
    b: Any = None


class SearchResultValue(Model):
    arguments: SearchResultArgumentsValue | None = ABSENT


class SearchResult(Model):
    results: list[SearchResultsItem] | None = ABSENT
    queries: list[SearchQuery] | None = ABSENT
    result: SearchResultValue | None = ABSENT


class AlphaYear(Model):
    a: int | None = None


class AlphaArguments(Model):
    year: AlphaYear | None = None


class BetaYear(Model):
    b: str | None = None


class BetaArguments(Model):
    year: BetaYear | None = None


class AddExpensePlace(Model):
    city: str | None = ABSENT


class AddExpenseArgumentsExpense(Model):
    amount: float | None = None


class AddExpenseArguments(Model):
    place: AddExpensePlace | None = None
    expense: AddExpenseArgumentsExpense | None = None


class AddExpenseResultExpense(Model):
    amount: float | None = ABSENT
    id: int | None = ABSENT


class AddExpenseResult(Model):
    place: AddExpensePlace | None = ABSENT
    expense: AddExpenseResultExpense | None = ABSENT


class DrawShapeCircle(Model):
    kind: Literal["circle"] | None = None
    radius: float | None = None


class DrawShapeABox(Model):
    kind: Literal["box"] | None = None


class DrawShape3(Model):
    points: list[Any] | None = None


class DrawArguments(Model):
    shape: DrawShapeCircle | DrawShapeABox | DrawShape3 | None = None


class Draw1(Model):
    done: bool | None = ABSENT


class Draw2(Model):
    left: int | None = ABSENT


DrawResult: TypeAlias = Draw1 | Draw2


class GetArgumentsUserAddress(Model):
    street: str | None = None


class GetUser(Model):
    address: GetArgumentsUserAddress | None = None


class GetArgumentsTwoWords1e9c(Model):
    a: int | None = None


class GetArgumentsTwoWordsaaf8(Model):
    b: int | None = None


class GetArguments(Model):
    user: GetUser | None = None
    two_words: GetArgumentsTwoWords1e9c | None = None
    twoWords: GetArgumentsTwoWordsaaf8 | None = None


class GetUserArgumentsAddress(Model):
    email: str | None = None


class GetUserArguments(Model):
    address: GetUserArgumentsAddress | None = None


class DescribeEverythingOrganizationEmployeesContactdd27(Model):
    c: int | None = None


class DescribeEverythingOrganizationEmployees8177(Model):
    contact: DescribeEverythingOrganizationEmployeesContactdd27 | None = None


class DescribeEverythingOrganizationDepartments(Model):
    organization_employees: DescribeEverythingOrganizationEmployees8177 | None = None


class DescribeEverythingArguments(Model):
    organization_departments: DescribeEverythingOrganizationDepartments | None = None


class MeasureArguments(Model):
    pass


class MeasureValue(Model):
    a: int | None = ABSENT


MeasureResult: TypeAlias = MeasureValue
