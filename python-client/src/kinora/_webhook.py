"""Webhooks that a program receives, by Standard Webhooks."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Mapping

if TYPE_CHECKING:
    from .types import WebhookEvent

TOLERANCE_S = 300


class KinoraWebhookError(Exception):
    """The request is not one that Kinora has signed with this secret, or it is old: respond with 401."""


def unwrap(body: bytes | str, headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """Verifies the signature of a request, and returns its event; `type` determines `data`.

    body: as it arrived, before it is parsed. secret: whsec_… of the endpoint, or that of webhookUrl.
    """
    sent = {name.lower(): value for name, value in headers.items()}
    try:
        identifier, timestamp, signatures = (sent[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        key = base64.b64decode(secret[len("whsec_"):] if secret.startswith("whsec_") else secret, validate=True)
        age = abs(time.time() - int(timestamp))
    except KeyError:
        raise KinoraWebhookError("The request has no webhook-id, webhook-timestamp and webhook-signature.") from None
    except (binascii.Error, ValueError):
        raise KinoraWebhookError("The secret is base64 after whsec_, the timestamp a number of seconds.") from None
    if age > TOLERANCE_S:
        raise KinoraWebhookError("The request is older than five minutes, or the clock of this machine is wrong.")
    content = body.encode() if isinstance(body, str) else bytes(body)
    expected = hmac.new(key, f"{identifier}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    wanted = f"v1,{base64.b64encode(expected).decode()}"
    # Several while a secret is changed.
    if not any([hmac.compare_digest(each.encode(), wanted.encode()) for each in signatures.split(" ")]):
        raise KinoraWebhookError("No signature of the request is of this secret: pass the body as it arrived.")
    return json.loads(content)
