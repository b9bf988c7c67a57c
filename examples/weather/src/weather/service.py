"""The National Weather Service: alerts and forecasts, with errors for unusable answers."""

import asyncio
import logging
import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeVar

import httpx2
from pydantic import BaseModel, ValidationError

from weather._generated.contract import NoForecast, UnknownState, WeatherUnavailable
from weather.answers import Alert, AlertCollection, Forecast, Period, Point

logger = logging.getLogger(__name__)

MAX_BYTES = 8 * 1024 * 1024

# A path of plain segments: none climbs out of the base address.
ADDRESS = re.compile(r"https?://[\w.:-]+((?:/[\w,-]+)+)", re.ASCII)

Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True)
class WeatherService:
    """The service at the base address of `client`; a request may take `seconds` in all."""

    client: httpx2.AsyncClient
    seconds: float = 10

    async def alerts(self, state: str) -> list[Alert]:
        """Return the alerts in force in a state, given by its two-letter code."""
        status, body = await self.get(f"/alerts/active/area/{state}")
        if status == HTTPStatus.BAD_REQUEST:
            raise UnknownState(state=state)
        features = read(AlertCollection, status, body).features
        return [feature.properties for feature in features]

    async def forecast(self, latitude: float, longitude: float) -> list[Period]:
        """Return the forecast for a point: find its grid cell, then ask for that one's."""
        nothing_there = NoForecast(latitude=latitude, longitude=longitude)
        point = f"/points/{degrees(latitude)},{degrees(longitude)}"
        status, body = await self.get(point)
        if status == HTTPStatus.NOT_FOUND:
            raise nothing_there
        address = read(Point, status, body).properties.forecast
        if address is None:
            raise nothing_there
        status, body = await self.get(self.path_of(address))
        if status == HTTPStatus.NOT_FOUND:
            raise nothing_there
        return read(Forecast, status, body).properties.periods

    def path_of(self, address: str) -> str:
        """Return the path of an address, so that requests stay at the base address."""
        match = ADDRESS.fullmatch(address)
        if match is None:
            raise WeatherUnavailable(reason="it gave no usable address of the forecast")
        return match[1].removeprefix(self.client.base_url.path.rstrip("/"))

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return the status and body of an answer. Redirects are not followed."""
        body = bytearray()
        try:
            async with (
                asyncio.timeout(self.seconds),
                self.client.stream("GET", path, timeout=None) as response,
            ):
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > MAX_BYTES:
                        raise WeatherUnavailable(reason="its answer is too long")
        except TimeoutError:
            reason = f"it took longer than {self.seconds:g} seconds"
            raise WeatherUnavailable(reason=reason) from None
        except httpx2.HTTPError as error:
            logger.warning("GET %s failed: %r", path, error)
            raise WeatherUnavailable(reason="it cannot be reached") from error
        return response.status_code, bytes(body)


def read(kind: type[Answer], status: int, body: bytes) -> Answer:
    """Return the body of a good answer as a model. Raises WeatherUnavailable over others."""
    if status != HTTPStatus.OK:
        raise WeatherUnavailable(reason=f"it answered with status {status}")
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        logger.warning("An answer cannot be read: %s", error)
        raise WeatherUnavailable(reason="its answer cannot be read") from error


def degrees(value: float) -> str:
    """Return degrees with at most four decimals: the service redirects other forms."""
    return f"{round(value, 4) + 0:.4f}".rstrip("0").rstrip(".")
