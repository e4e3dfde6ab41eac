/**
 * The folder of temporary files: partial downloads, uploads and their thumbnails, until they are checked and stored.
 * Invariant: the step that creates a temporary file removes it; files of a process that died are removed by age.
 */
import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'

const STALE_AFTER_MS = 3600_000

export const temporaryDir = (dataDir: string): string => path.join(dataDir, 'tmp')

/** The folder of temporary files of versions before 0.1, whose killed processes may have left some. */
const olderDir = (dataDir: string): string => path.join(dataDir, 'parts')

/** Removes entries older than an hour. Younger ones may belong to a running process that shares the folder. */
export async function removeStaleTemporaryFiles(dataDir: string): Promise<void> {
  for (const dir of [temporaryDir(dataDir), olderDir(dataDir)]) {
    for (const name of await readdir(dir).catch(() => [])) {
      const entry = path.join(dir, name)
      const facts = await stat(entry).catch(() => null)
      if (facts && Date.now() - facts.mtimeMs > STALE_AFTER_MS) await rm(entry, { recursive: true, force: true })
    }
  }
  // Fails while it is not empty.
  await rmdir(olderDir(dataDir)).catch(() => undefined)
}
