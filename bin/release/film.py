"""Makes a film with the Python client: KINORA_URL and KINORA_API_KEY from the environment; prints the number of its bytes."""
import os
import sys
import time
import urllib.request

import kinora

configuration = kinora.Configuration(host=os.environ.get("KINORA_URL", "http://localhost:8080"))
configuration.access_token = os.environ["KINORA_API_KEY"]
video_api = kinora.VideoApi(kinora.ApiClient(configuration))

request = kinora.GenerateRequest(prompt="A paper kite over the dunes", model="delta-1-5", duration=4, aspect_ratio="16:9")
uuid = video_api.generate_video(request).data.uuid
while video_api.get_task(uuid).data.status not in ("COMPLETED", "FAILED"):
    time.sleep(1)
video = video_api.get_video(uuid).data
if video.status != "COMPLETED":
    sys.exit(f"the film failed: {video.error}")
with urllib.request.urlopen(video.video_url) as film:
    print(len(film.read()))
