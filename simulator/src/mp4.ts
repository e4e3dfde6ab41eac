import { rename } from 'node:fs/promises'
import { FilePathTarget, Mp4OutputFormat, Output, type VideoSource } from 'mediabunny'

/** Writes an MP4 whose index (`moov`) precedes the pictures. The file appears at `path` only once it is complete. */
export async function writeMp4(
  path: string,
  source: VideoSource,
  frameRate: number,
  addPictures: () => Promise<void>,
): Promise<void> {
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target: new FilePathTarget(`${path}.part`),
  })
  output.addVideoTrack(source, { frameRate })
  await output.start()
  await addPictures()
  await output.finalize()
  await rename(`${path}.part`, path)
}
