/** Writes a film with the edits that inspection planned. It copies bytes and does not read them. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Edit } from '../media/film/binding.ts'

const CHUNK_BYTES = 1024 * 1024

/**
 * @param edits sorted by position; `content` has the bytes of each in turn, but of the manifest's
 * @returns SHA-256 and size of the new file
 */
export async function splice(
  source: string,
  target: string,
  { edits, content, manifest }: { edits: readonly Edit[]; content: Uint8Array; manifest: Uint8Array },
): Promise<{ sha256: Buffer; sizeBytes: number }> {
  await using from = await open(source, 'r')
  await using to = await open(target, 'wx', 0o600)
  const hash = createHash('sha256')
  let sizeBytes = 0
  const write = async (bytes: Uint8Array) => {
    hash.update(bytes)
    await to.writeFile(bytes)
    sizeBytes += bytes.length
  }
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  const copy = async (start: number, end: number) => {
    for (let at = start; at < end; ) {
      const { bytesRead } = await from.read(buffer, 0, Math.min(CHUNK_BYTES, end - at), at)
      if (bytesRead === 0) break
      await write(buffer.subarray(0, bytesRead))
      at += bytesRead
    }
  }
  let copiedTo = 0
  let contentAt = 0
  for (const edit of edits) {
    await copy(copiedTo, edit.at)
    if (edit.isManifest) await write(manifest)
    else {
      await write(content.subarray(contentAt, contentAt + edit.sizeBytes))
      contentAt += edit.sizeBytes
    }
    copiedTo = edit.at + edit.removedBytes
  }
  await copy(copiedTo, (await from.stat()).size)
  return { sha256: hash.digest(), sizeBytes }
}
