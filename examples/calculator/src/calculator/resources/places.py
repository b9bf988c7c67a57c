"""The places whose weather this server knows, with their coordinates."""

import json

from calculator._generated.contract import Context, ResourceResult


async def places(context: Context) -> ResourceResult:
    known = [
        {
            "place": observation.place,
            "latitude": observation.latitude,
            "longitude": observation.longitude,
        }
        for observation in context.shared.observations.by_name.values()
    ]
    return json.dumps(known, ensure_ascii=False)
