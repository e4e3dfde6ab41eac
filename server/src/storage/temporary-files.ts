/**
 * The folder of temporary files: partial downloads, uploads and their thumbnails, until they are checked and stored.
 * Invariant: the step that creates a temporary file removes it; files of a process that died are removed by age.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

const STALE_AFTER_MS = 3600_000

export const temporaryDir = (dataDir: string): string => path.join(dataDir, 'tmp')

/** Removes entries older than an hour. Younger ones may belong to a running process that shares the folder. */
export async function removeStaleTemporaryFiles(dataDir: string): Promise<void> {
  const dir = temporaryDir(dataDir)
  for (const name of await readdir(dir).catch(() => [])) {
    const entry = path.join(dir, name)
    const facts = await stat(entry).catch(() => null)
    if (facts && Date.now() - facts.mtimeMs > STALE_AFTER_MS) await rm(entry, { recursive: true, force: true })
  }
}
