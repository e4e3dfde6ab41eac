"""Receives webhooks of Kinora: KINORA_WEBHOOK_SECRET=whsec_… python3 webhook-receiver.py

It verifies the signature over the raw body, knows a delivery that comes twice by its id, and responds before it works.
"""
import base64
import hashlib
import hmac
import json
import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ.get("KINORA_WEBHOOK_SECRET", "").removeprefix("whsec_"))
AGE_S_MAX = 300
BODY_BYTES_MAX = 1_000_000
SEEN_MAX = 100_000
# In a program of several processes: a table with the id as its unique key, written with what the event changes.
seen: dict[str, None] = {}
lock = threading.Lock()
work: queue.Queue[bytes] = queue.Queue()


def is_signed(webhook_id: str, timestamp: str, signatures: str, body: bytes) -> bool:
    """Standard Webhooks: while a secret is rotated a request has a signature of each; one that is right suffices."""
    if not KEY or not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > AGE_S_MAX:
        return False
    digest = hmac.new(KEY, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(expected, signature) for signature in signatures.split(" "))


def handle(event: dict) -> None:
    """Here your program does its work. What fails here is your own to repeat: the delivery has been accepted."""
    data = event["data"]
    of = data.get("uuid", data.get("id"))
    print(json.dumps({"type": event["type"], "of": of, "test": event.get("test", False)}), flush=True)


def is_new(webhook_id: str) -> bool:
    with lock:
        if webhook_id in seen:
            return False
        seen[webhook_id] = None
        if len(seen) > SEEN_MAX:
            seen.pop(next(iter(seen)))
        return True


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length) if length <= BODY_BYTES_MAX else b""
        webhook_id, timestamp, signatures = (self.headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
        is_right = is_signed(webhook_id, timestamp, signatures, body)
        self.send_response(204 if is_right else 401)
        self.end_headers()
        if is_right and is_new(webhook_id):
            work.put(body)

    def log_message(self, *_: object) -> None:
        pass


def work_off() -> None:
    while True:
        try:
            handle(json.loads(work.get()))
        except Exception as error:
            print(json.dumps({"error": str(error)}), flush=True)


threading.Thread(target=work_off, daemon=True).start()
server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "3000"))), Receiver)
print(json.dumps({"listening": {"port": server.server_address[1]}}), flush=True)
server.serve_forever()
