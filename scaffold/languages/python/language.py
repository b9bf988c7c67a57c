"""Python 3.11 and newer, as a `Language`."""

from scaffold.languages.python import code, errors, format, handlers, modules, names, text
from scaffold.languages.python.stdlib import limits


class Python:
    """See `Language`."""

    is_source = staticmethod(modules.is_source)
    package = staticmethod(modules.package)
    rewriter = staticmethod(modules.rewriter)
    definitions = staticmethod(modules.definitions)
    imports = staticmethod(modules.imports)
    possible_imports = staticmethod(modules.possible_imports)
    filters = text.FILTERS
    package_name = staticmethod(names.package_name)
    command_name = staticmethod(names.command_name)
    named = staticmethod(handlers.named)
    new_names = staticmethod(handlers.new_names)
    code = staticmethod(code.code)
    formatted = staticmethod(format.formatted)
    layout = format.OPTIONS
    faults = staticmethod(errors.faults)
    limits = limits.LIMITS
    is_taken = staticmethod(errors.is_taken)
