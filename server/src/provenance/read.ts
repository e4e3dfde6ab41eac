/** Reads the manifests of a stored film: behind `ftyp`, where signing puts them, or in the file beside it. */
import { MANIFEST_BOX_OVERHEAD } from '../media/film/binding.ts'
import type { Storage } from '../storage/storage.ts'
import { C2PA_BOX } from './manifest.ts'

const MANIFESTS_BYTES_MAX = 4 * 1024 * 1024

export const readSidecar = (storage: Storage, key: string): Promise<Buffer | null> => readStart(storage, key, null)

/** @returns null: the film has none there, or is not stored */
export async function readEmbeddedManifests(storage: Storage, key: string): Promise<Buffer | null> {
  const start = await readStart(storage, key, endOfManifests)
  const end = start && endOfManifests(start)
  return start && end && end <= start.length ? start.subarray(start.readUInt32BE(0) + MANIFEST_BOX_OVERHEAD, end) : null
}

/** @returns where the box behind `ftyp` ends; null: it is no manifest's; 0: more of the file is needed to know */
function endOfManifests(start: Buffer): number | null {
  if (start.length < 8) return 0
  const at = start.readUInt32BE(0)
  if (start.toString('latin1', 4, 8) !== 'ftyp' || at < 8) return null
  if (start.length < at + 24) return 0
  const isManifest =
    start.toString('latin1', at + 4, at + 8) === 'uuid' && start.subarray(at + 8, at + 24).equals(C2PA_BOX)
  return isManifest ? at + start.readUInt32BE(at) : null
}

/** @param end of the part that is wanted, from what was read so far; null: the whole file */
async function readStart(
  storage: Storage,
  key: string,
  end: ((start: Buffer) => number | null) | null,
): Promise<Buffer | null> {
  const abort = new AbortController()
  const chunks = await storage.read(key, abort.signal)
  if (!chunks) return null
  let read = Buffer.alloc(0)
  try {
    for await (const chunk of chunks) {
      read = Buffer.concat([read, chunk])
      const wanted = end?.(read)
      if (read.length > MANIFESTS_BYTES_MAX || wanted === null || (wanted && wanted <= read.length)) break
    }
  } finally {
    abort.abort()
  }
  return read
}
