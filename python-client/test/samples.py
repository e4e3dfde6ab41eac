"""Runs the samples of /docs, JSON on standard input, without a service: each calls what is there, as it takes it."""
import inspect
import json
import os
import sys
import tempfile

from kinora import Kinora
from kinora._transport import Transport

os.environ.update(KINORA_API_KEY="kin_key", KINORA_TOKEN="token")
os.chdir(tempfile.mkdtemp())
with open("boat.png", "wb") as file:
    file.write(b"png")
Kinora.events = lambda self: iter([])
Kinora.upload = lambda self, file: {}


def request(self, method, path, body=None, **options):
    sent.append(f"{method} {path.split('?')[0]}")
    # An empty page, or bytes.
    return Answer()


class Answer(bytes):
    def __getitem__(self, name):
        return None if name == "nextCursor" else []


signature = inspect.signature(Transport.request)
Transport.request = request
for sample in json.load(sys.stdin):
    sent = []
    try:
        exec(compile(sample["code"], sample["operationId"], "exec"), {})
    except Exception as error:
        sys.exit(f"{sample['operationId']}: {error!r}\n{sample['code']}")
    print(*sent)
