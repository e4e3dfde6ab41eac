/** A film on disk for one test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'

/** Writes the film into a temporary folder, which is removed after the test. */
export async function writeFilm(t: TestContext, bytes: Uint8Array) {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-media-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'result.mp4')
  await writeFile(file, bytes)
  return { folder, file, thumbnailFile: path.join(folder, 'thumbnail.jpg') }
}
