"""Data about an id."""

import json

from conformance._generated.contract import Context, ResourceResult, TemplateArguments


async def template(arguments: TemplateArguments, context: Context) -> ResourceResult:
    identifier = arguments.id
    data = {"id": identifier, "templateTest": True, "data": f"Data for {identifier}"}
    return json.dumps(data)
