"""The errors of calls."""
from __future__ import annotations

from typing import Any


class KinoraError(Exception):
    """A call without success.

    `code` is for programs: a code of the service, UNREACHABLE when no response came, VIDEO_FAILED from what waits for a
    film. `status` is the HTTP status, 0 when no response came; `request_id` identifies the request in the service's log.
    """

    def __init__(
        self,
        code: str,
        message: str,
        status: int = 0,
        details: Any = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after
