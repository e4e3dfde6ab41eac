"""The typed client of the Kinora API."""
from ._client import Kinora
from ._errors import KinoraError
from ._webhook import KinoraWebhookError, unwrap

__all__ = ["Kinora", "KinoraError", "KinoraWebhookError", "unwrap"]
