"""The scopes of a Python module, used to resolve names to variables."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from scaffold.python.refactor.spans import Source

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(eq=False, slots=True)
class Scope:
    """A block of code with its own variables, named in `bound`.

    `kind` is `module`, `class`, `function`, `comprehension` or `types`. A `types` scope holds type
    parameters and the code that uses them. It sees the variables of an enclosing class.
    """

    kind: str
    parent: Scope | None = None
    bound: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        return self.parent.module if self.parent else self

    def owner(self, name: str) -> Scope | None:
        """Return the scope whose variable a name means here; None if builtin or unknown."""
        if name in self.globals:
            return self.module
        if name in self.bound and name not in self.nonlocals:
            return self
        return self.outer_owner(name)

    def outer_owner(self, name: str) -> Scope | None:
        """Return the enclosing scope whose variable a name means here, if any."""
        below, scope = self, self.parent
        while scope:
            if (scope.kind != "class" or below.kind == "types") and name in scope.bound:
                return scope.owner(name)
            below, scope = scope, scope.parent
        return None

    def bind(self, name: str) -> None:
        """Record that a statement in this scope sets a name."""
        if name in self.globals:
            self.module.bound.add(name)
        elif name not in self.nonlocals:
            self.bound.add(name)

    def below(self, kind: str) -> Scope:
        """Return a new scope inside this one."""
        return Scope(kind, self)


Scoped: TypeAlias = tuple[ast.AST, Scope]
"""A node and the scope it is evaluated in; for a definition, the scope of its name."""


def scoped(tree: ast.Module, source: Source) -> tuple[Scope, tuple[Scoped, ...]]:
    """Return the scope of the module, and every node with its scope.

    Quoted annotations are parsed if their names can be located in the source.
    """
    top = Scope("module")
    nodes = (*_below(tree, top, source, False),)
    for node, scope in nodes:
        if isinstance(node, ast.Global):
            scope.globals.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            scope.nonlocals.update(node.names)
    for node, scope in nodes:
        for name in bound(node):
            scope.bind(name)
    return top, nodes


def bound(node: ast.AST) -> list[str]:
    """Return the variables that a node sets or declares."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return [name]
        case ast.Import():
            return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        case ast.ImportFrom():
            return [alias.asname or alias.name for alias in node.names if alias.name != "*"]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            return [name]
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return [name]
    if isinstance(node, Definition):
        return [node.name]
    return [str(getattr(node, "name", ""))] if _is_type_parameter(node) else []


def _below(node: ast.AST, scope: Scope, source: Source, typed: bool) -> Iterator[Scoped]:
    """Yield the nodes below a node; if `typed`, strings in it are types."""
    for child in ast.iter_child_nodes(node):
        yield from _at(child, scope, source, typed)


def _at(node: ast.AST, scope: Scope, source: Source, typed: bool = False) -> Iterator[Scoped]:
    """Yield a node and all nodes below it, each with its scope."""

    def each(children: object, scope: Scope, typed: bool = False) -> Iterator[Scoped]:
        for child in children if isinstance(children, list) else [children]:
            if isinstance(child, ast.AST):
                yield from _at(child, scope, source, typed)

    if isinstance(node, Comprehension):
        yield node, scope
        inner, first = scope.below("comprehension"), node.generators[0]
        yield from each(first.iter, scope)
        for part in ast.iter_child_nodes(node):
            if part is first:
                yield from each([first.target, *first.ifs], inner)
            else:
                yield from each(part, inner)
        return
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            yield node, scope
            arguments, outer = node.args, scope
            yield from each([*arguments.defaults, *arguments.kw_defaults], scope)
            if isinstance(node, Function):
                yield from each(node.decorator_list, scope)
                outer = scope.below("types") if getattr(node, "type_params", None) else scope
                yield from each(getattr(node, "type_params", []), outer)
                yield from each(node.returns, outer, typed=True)
            inner = outer.below("function")
            listed = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            for argument in filter(None, (*listed, arguments.vararg, arguments.kwarg)):
                yield argument, inner
                yield from each(argument.annotation, outer, typed=True)
            yield from each(node.body, inner)
        case ast.ClassDef():
            yield node, scope
            yield from each(node.decorator_list, scope)
            outer = scope.below("types") if getattr(node, "type_params", None) else scope
            yield from each(getattr(node, "type_params", []), outer)
            yield from each([*node.bases, *node.keywords], outer)
            yield from each(node.body, outer.below("class"))
        case ast.NamedExpr(target=target, value=value):
            holder = scope
            while holder.kind == "comprehension" and holder.parent:
                holder = holder.parent
            yield from [(node, scope), (target, holder)]
            yield from each(value, scope)
        case ast.AnnAssign():
            yield node, scope
            yield from each(node.target, scope)
            yield from each(node.annotation, scope, typed=True)
            yield from each(node.value, scope, typed=_ends(node.annotation, "TypeAlias"))
        case ast.Call(func=func, args=[of, *rest]) if _ends(func, "cast"):
            yield node, scope
            yield from each([func, *rest, *node.keywords], scope)
            yield from each(of, scope, typed=True)
        case ast.Subscript(value=value, slice=index) if typed:
            yield node, scope
            yield from each(value, scope, typed=True)
            if _ends(value, "Annotated") and isinstance(index, ast.Tuple) and index.elts:
                yield from each(index.elts[0], scope, typed=True)
                yield from each(index.elts[1:], scope)
            else:
                yield from each(index, scope, typed=not _ends(value, "Literal"))
        case ast.Constant(value=str(text)) if typed and (inside := _parsed(node, text, source)):
            yield from each(inside, scope, typed=True)
        case _ if type(node).__name__ == "TypeAlias":
            yield node, scope
            inner = scope.below("types")
            yield from each(getattr(node, "name", None), scope)
            yield from each(
                [*getattr(node, "type_params", []), getattr(node, "value", None)], inner
            )
        case _:
            yield node, scope
            yield from _below(node, scope, source, typed)


def _parsed(node: ast.Constant, text: str, source: Source) -> ast.expr | None:
    """Parse a quoted type, with node positions in the file; None if that fails."""
    try:
        parsed = ast.parse(text, mode="eval").body if source.inside(node) else None
    except (SyntaxError, ValueError):
        return None
    for one in ast.walk(parsed) if parsed else ():
        if isinstance(one, ast.expr):
            one.lineno = one.end_lineno = node.lineno
            one.col_offset += node.col_offset + 1
            one.end_col_offset = (one.end_col_offset or 0) + node.col_offset + 1
    return parsed


def _ends(node: ast.expr, name: str) -> bool:
    """Return whether an expression is `name` or `….name`."""
    match node:
        case ast.Name(id=last) | ast.Attribute(attr=last):
            return last == name
    return False


def _is_type_parameter(node: ast.AST) -> bool:
    return type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple")
