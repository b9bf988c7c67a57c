"""Test the handlers as functions."""

import pytest
from fake_context import fake_context

from weather._generated.models import GetAlertsArguments
from weather.answers import Alert
from weather.lifespan import Shared
from weather.service import WeatherService
from weather.tools.get_alerts import get_alerts


class CalmService(WeatherService):
    """Replaces the service; there is never an alert."""

    def __init__(self) -> None:
        pass

    async def alerts(self, state: str) -> list[Alert]:
        return []


@pytest.mark.anyio
async def test_a_state_without_alerts_gets_a_sentence() -> None:
    context = fake_context(shared=Shared(CalmService()))
    arguments = GetAlertsArguments(state="CA")
    assert await get_alerts(arguments, context) == "No alerts in force in CA."
