"""The currency rate service: days into rates, failures into errors."""

import datetime as dt
import logging
from dataclasses import dataclass
from http import HTTPStatus

import httpx2
from pydantic import BaseModel, Field, ValidationError

from expenses._generated.errors import NoRate, RatesUnavailable

logger = logging.getLogger(__name__)

NO_RATE = {HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY}


class Rates(BaseModel):
    euros: float = Field(alias="EUR", gt=0, allow_inf_nan=False)


class Answer(BaseModel):
    rates: Rates


@dataclass(frozen=True)
class RateService:
    """The service at the base address of `client`."""

    client: httpx2.AsyncClient

    async def euros(self, currency: str, day: dt.date) -> float:
        """What one unit of a currency was worth on a day, or on the last bank day before."""
        if currency == "EUR":
            return 1
        query = {"base": currency, "symbols": "EUR"}
        try:
            response = await self.client.get(f"/{day}", params=query)
        except httpx2.HTTPError as error:
            raise RatesUnavailable(reason="it cannot be reached") from error
        if response.status_code in NO_RATE:
            raise NoRate(currency=currency, day=day)
        if response.status_code != HTTPStatus.OK:
            reason = f"it answered with status {response.status_code}"
            raise RatesUnavailable(reason=reason)
        try:
            return Answer.model_validate_json(response.content).rates.euros
        except ValidationError as error:
            logger.warning("An answer cannot be read: %s", error)
            raise RatesUnavailable(reason="its answer cannot be read") from error
