"""The Python client against a service: KINORA_URL, a proxy that breaks connections at KINORA_PROXY_URL, KINORA_API_KEY.

The proxy breaks what python-client.test.ts says. Prints a line for each that was checked.
"""
import io
import json
import os
import time
import wave

import kinora
from kinora import Kinora, KinoraError, KinoraWebhookError, unwrap

KEY = os.environ["KINORA_API_KEY"]
FILM = {"prompt": "A paper boat", "model": "delta-1-5", "duration": 4, "aspectRatio": "16:9"}
client = Kinora(os.environ["KINORA_URL"], api_key=KEY)

progress = []
film = client.generate_and_wait(FILM, on_progress=lambda task: progress.append(task["progress"]))
assert film["status"] == "COMPLETED" and progress[-1] == 100, (film, progress)
print("film")

proxied = Kinora(os.environ["KINORA_PROXY_URL"], api_key=KEY)
second = proxied.generate_video({**FILM, "prompt": "lost twice"})
listed = [each["uuid"] for each in client.iter_videos(pageSize=1)]
assert listed == [second["uuid"], film["uuid"]], listed
print("retry, pages")

sound = io.BytesIO()
with wave.open(sound, "wb") as file:
    file.setparams((2, 2, 48_000, 0, "NONE", ""))
    file.writeframes(os.urandom(4 * 48_000 * 100))
arrived, addresses = [], []
asset = proxied.upload(sound, name="Voice", on_progress=arrived.append, on_address=addresses.append)
assert asset["kind"] == "sound" and asset["name"] == "voice", asset
assert arrived == sorted(arrived) and arrived[-1] == len(sound.getvalue()), arrived
assert addresses[0] and addresses[-1] is None, addresses
print("upload")

try:
    client.generate_video({**FILM, "prompt": ""})
    raise AssertionError("not refused")
except KinoraError as error:
    assert (error.code, error.status) == ("INVALID_REQUEST", 400) and error.details and error.request_id, vars(error)
try:
    Kinora("http://127.0.0.1:9", api_key=KEY, retry=False).get_key()
    raise AssertionError("not refused")
except KinoraError as error:
    assert (error.code, error.status) == ("UNREACHABLE", 0), vars(error)
print("errors")

body, headers, secret = json.loads(os.environ["KINORA_WEBHOOK"])
event = unwrap(body.encode(), headers, secret)
assert event["type"] == "credit.low" and event["data"]["threshold"] == 2, event
old = {**headers, "webhook-timestamp": str(int(time.time()) - 400)}
for sent, given, used in [
    (body + " ", headers, secret),
    (body, old, secret),
    (body, headers, "whsec_AAAA"),
    (body, headers, "whsec_!"),
    (body, {}, secret),
]:
    try:
        unwrap(sent, given, used)
        raise AssertionError("not refused")
    except KinoraWebhookError:
        pass
print("webhook")

events = client.events()
client.generate_video({**FILM, "prompt": "followed"})
print("events" if next(events)["type"] == "video" else "no event")
