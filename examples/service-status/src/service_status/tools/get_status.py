# Copyright Acme Ltd. All rights reserved.
"""Tell whether a service of Acme is up, and since when. Names are those of the
service catalog.
"""

import tomllib
from importlib.resources import files

from service_status._generated.contract import (
    Context,
    GetStatusArguments,
    GetStatusResult,
    UnknownService,
)


async def get_status(
    arguments: GetStatusArguments,
    context: Context,
) -> GetStatusResult:
    catalog = tomllib.loads(
        files("service_status").joinpath("services.toml").read_text()
    )
    name = arguments.service
    if name not in catalog:
        raise UnknownService(service=name, known=", ".join(catalog))
    service = catalog[name]
    return GetStatusResult(up=service["up"], since=service["since"])
