"""The client: the operations of the API, and what takes several of them."""
from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Iterator

from ._errors import KinoraError
from ._operations import Operations
from ._transport import ATTEMPTS, encoded_query, wait

if TYPE_CHECKING:
    from .types import Asset, GenerateRequest, InputsRequest, UpscaleRequest, Video

LARGE_BYTES = 16 * 1024**2
PIECE_BYTES = 4 * 1024**2
POLL_S = 1.5
_TUS = {"tus-resumable": "1.0.0"}


class Kinora(Operations):
    """The client of a service.

    base_url: the address of the service, such as https://films.example.com. api_key: an API key; or token: that of a
    session or a browser token. team: the id of a team. retry: whether a request whose response is lost is sent again;
    what creates has an Idempotency-Key, so nothing is made twice.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        token: str | None = None,
        team: str | None = None,
        retry: bool = True,
    ) -> None:
        super().__init__(base_url, api_key, token, team, retry)

    def generate_and_wait(
        self,
        body: GenerateRequest | InputsRequest | UpscaleRequest,
        *,
        on_progress: Callable[[Any], None] | None = None,
        idempotency_key: str | None = None,
    ) -> Video:
        """Makes a video and waits for it. Raises KinoraError, VIDEO_FAILED with the reason when the video failed."""
        made = self.generate_video(body, idempotency_key=idempotency_key)
        return self.wait(made["uuid"], on_progress=on_progress)

    def wait(self, uuid: str, *, on_progress: Callable[[Any], None] | None = None) -> Video:
        """Waits for a video that was requested before, as generate_and_wait does."""
        last = None
        while True:
            task = self.get_task(uuid=uuid)
            state = (task["status"], task["progress"])
            if on_progress and state != last:
                on_progress(task)
            last = state
            if task["status"] == "FAILED":
                message = task.get("error") or "The video failed. Its credits are back."
                raise KinoraError("VIDEO_FAILED", message, 200, {"uuid": uuid})
            if task["status"] == "COMPLETED":
                return self.get_video(uuid)
            time.sleep(POLL_S)

    def events(self, *, subject: str | None = None, last_event_id: str | None = None) -> Iterator[dict[str, Any]]:
        """Status and progress of the caller's videos as they change. A lost connection is opened again."""
        failures = 0
        while True:
            try:
                query = encoded_query({"subject": subject})
                headers = {"accept": "text/event-stream", "last-event-id": last_event_id}
                with self.open("GET", f"/api/v1/video/events{query}", None, headers) as response:
                    failures = 0
                    for event in _messages(response):
                        last_event_id = event["id"] or last_event_id
                        # A mark only says where the stream is.
                        if event["type"] != "mark":
                            yield event
            except KinoraError as error:
                if 400 <= error.status < 500 and error.status != 429:
                    raise
            except OSError:
                pass  # The connection was lost within the stream.
            failures += 1
            wait(failures)

    def upload(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        *,
        kind: str | None = None,
        name: str | None = None,
        content_type: str = "application/octet-stream",
        on_progress: Callable[[int], None] | None = None,
        address: str | None = None,
        on_address: Callable[[str | None], None] | None = None,
    ) -> Asset:
        """Uploads a picture, film or sound: a path, or a binary file that can seek.

        More than 16 MB go in pieces of 4 MB (tus): a lost connection costs one of them. on_progress gets the bytes that
        have arrived, on_address the address of the upload; with it as address another process goes on with the rest.
        """
        if isinstance(file, (str, os.PathLike)):
            with open(file, "rb") as opened:
                return self.upload(opened, kind=kind, name=name, content_type=content_type, on_progress=on_progress,
                                   address=address, on_address=on_address)
        size = file.seek(0, os.SEEK_END)
        query = {"kind": kind, "name": name}
        if size <= LARGE_BYTES and address is None:
            file.seek(0)
            asset = self.request("POST", "/api/v1/asset", file.read(), query=query, content_type=content_type)
            if on_progress:
                on_progress(size)
            return asset
        offset: int | None = None
        failures = 0
        while True:
            try:
                if address is None:
                    target = f"/api/v1/asset/upload{encoded_query(query)}"
                    begun = self._piece("POST", target, {"upload-length": str(size)})
                    address, offset = begun.get("location"), 0
                    if on_address:
                        on_address(address)
                if offset is None:
                    headers = self._piece("HEAD", address, {})
                else:
                    file.seek(offset)
                    sent = {"upload-offset": str(offset), "content-type": "application/offset+octet-stream"}
                    offset = None
                    headers = self._piece("PATCH", address, sent, file.read(PIECE_BYTES))
                offset = int(headers["upload-offset"])
                failures = 0
                if on_progress:
                    on_progress(offset)
                if headers.get("asset-id"):
                    if on_address:
                        on_address(None)
                    return self.get_asset(headers["asset-id"])
            except KinoraError as error:
                failures += 1
                if error.status == 404 and failures < ATTEMPTS:
                    address = None  # It has ended meanwhile.
                elif error.status not in (0, 409, 429, 502, 503, 504) or failures == ATTEMPTS:
                    raise
                offset = None
                wait(failures, error)

    def _piece(self, method: str, path: str, headers: dict[str, str], data: bytes | None = None) -> Any:
        with self.open(method, path, data, {**_TUS, **headers}) as response:
            return response.headers


def _messages(response: Any) -> Iterator[dict[str, Any]]:
    """The messages of an event stream: `id`, `type`, and the fields of their data."""
    fields: dict[str, str] = {}
    for line in response:
        text = line.decode().rstrip("\r\n")
        name, _, value = text.partition(":")
        if text == "" and "data" in fields:
            yield {"id": fields.get("id"), "type": fields.get("event", "message"), **json.loads(fields["data"])}
        if text == "":
            fields = {}
        elif name:
            fields[name] = value[1:] if value.startswith(" ") else value
