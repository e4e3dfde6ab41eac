"""Requests over urllib: credentials, the envelope, and what is sent again when a response is lost."""
from __future__ import annotations

import http.client
import json
import random
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Iterator, Mapping

from ._errors import KinoraError

TIMEOUT_S = 120
ATTEMPTS = 5
BACKOFF_S = 0.5
RETRY_AFTER_MAX_S = 120
_LOST = (urllib.error.URLError, http.client.HTTPException, socket.timeout, ConnectionError)


class Transport:
    def __init__(self, base_url: str, api_key: str | None, token: str | None, team: str | None, retry: bool) -> None:
        self._base_url = base_url.rstrip("/")
        self._attempts = ATTEMPTS if retry else 1
        headers = {"x-api-key": api_key, "authorization": f"Bearer {token}" if token else None, "x-team": team}
        self._headers = {name: value for name, value in headers.items() if value is not None}

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        content_type: str | None = None,
    ) -> Any:
        """Sends a request to a path of the API. Returns the data of the envelope, or the bytes of what is no JSON.

        Sent again when a response is lost or the service refuses for the moment: reads, PUT, and what has an
        idempotency key; anything after a 429. Raises KinoraError.
        """
        data, kind = _encoded(body, content_type)
        sent = {"content-type": kind, **(headers or {})}
        may_repeat = method in ("GET", "PUT", "HEAD") or sent.get("idempotency-key") is not None
        for attempt in range(1, self._attempts + 1):
            try:
                with self.open(method, path + encoded_query(query), data, sent) as response:
                    return _decoded(response.headers.get("content-type", ""), response.read())
            except KinoraError as error:
                if attempt == self._attempts or not (_is_retryable(error) and (may_repeat or error.status == 429)):
                    raise
                wait(attempt, error)
            except _LOST as error:
                if attempt == self._attempts or not may_repeat:
                    raise unreachable() from error
                wait(attempt)

    def open(self, method: str, path: str, data: Any, headers: Mapping[str, str | None]) -> Any:
        """One attempt. Returns the open response; raises KinoraError for a status that is no success."""
        sent = {name: value for name, value in {**self._headers, **headers}.items() if value is not None}
        address = path if path.startswith(("http:", "https:")) else self._base_url + path
        request = urllib.request.Request(address, data=data, headers=sent, method=method)
        try:
            return urllib.request.urlopen(request, timeout=TIMEOUT_S)
        except urllib.error.HTTPError as error:
            with error:
                raise _error_of(error) from None
        except _LOST as error:
            raise unreachable() from error


def new_idempotency_key() -> str:
    return uuid.uuid4().hex


def each_item(read: Callable[[str | None], Any], field: str) -> Iterator[Any]:
    """The items of all pages of a list."""
    cursor = None
    while True:
        page = read(cursor)
        yield from page[field]
        cursor = page["nextCursor"]
        if cursor is None:
            return


def path_value(value: Any) -> str:
    return urllib.parse.quote(str(value), safe="")


def unreachable() -> KinoraError:
    return KinoraError("UNREACHABLE", "The service cannot be reached. Check the connection and try again.")


def wait(attempt: int, error: KinoraError | None = None) -> None:
    """Exponential backoff with jitter, or what the service asks for."""
    backoff = min(30.0, BACKOFF_S * 2 ** (attempt - 1)) * (0.75 + random.random() / 2)
    time.sleep(max(backoff, (error.retry_after or 0) if error else 0))


def _is_retryable(error: KinoraError) -> bool:
    if (error.retry_after or 0) > RETRY_AFTER_MAX_S:
        return False
    if error.code == "CONFLICT":
        # A request with the same Idempotency-Key is in progress.
        return error.retry_after is not None
    return error.status in (0, 429, 502, 503, 504)


def encoded_query(query: Mapping[str, Any] | None) -> str:
    pairs: list[tuple[str, Any]] = []
    for name, value in (query or {}).items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            pairs += [(f"{name}[{key}]", each) for key, each in value.items()]
        else:
            values = value if isinstance(value, (list, tuple)) else [value]
            pairs += [(name, str(each).lower() if isinstance(each, bool) else each) for each in values]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


def _encoded(body: Any, content_type: str | None) -> tuple[bytes | None, str | None]:
    if body is None:
        return None, None
    if isinstance(body, (bytes, bytearray)):
        return bytes(body), content_type or "application/octet-stream"
    return json.dumps(body).encode(), "application/json"


def _decoded(content_type: str, content: bytes) -> Any:
    if "json" not in content_type:
        return content
    body = json.loads(content)
    return body["data"] if isinstance(body, dict) and body.get("success") is True and "data" in body else body


def _error_of(response: urllib.error.HTTPError) -> KinoraError:
    status, headers = response.code, response.headers
    wanted = headers.get("retry-after", "")
    request_id = headers.get("x-request-id")
    retry_after = float(wanted) if wanted.isdigit() else None
    try:
        body = json.loads(response.read())
        error = body.get("error", body)
        return KinoraError(error["code"], error["message"], status, error.get("details"), request_id, retry_after)
    except (ValueError, KeyError, TypeError, AttributeError, *_LOST):
        code = "UNAVAILABLE" if status in (502, 503, 504) else "INTERNAL"
        message = f"The response is not from Kinora (status {status}). Check the address, and any proxy in between."
        return KinoraError(code, message, status, None, request_id, retry_after)
