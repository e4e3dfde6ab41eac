/**
 * The folder where films and images wait, as they come in, until they are known to be what they should be. The rule:
 * whoever puts something there removes it again; what a process that died left is removed by whichever runs an hour later.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

const PART_AGE_MS = 3600_000

export const partsDir = (dataDir: string): string => path.join(dataDir, 'parts')

/** Removes what nobody can be at work on any more. What is younger may belong to another process on this machine. */
export async function removeOldParts(dataDir: string): Promise<void> {
  const dir = partsDir(dataDir)
  for (const name of await readdir(dir).catch(() => [])) {
    const part = path.join(dir, name)
    const facts = await stat(part).catch(() => null)
    if (facts && Date.now() - facts.mtimeMs > PART_AGE_MS) await rm(part, { recursive: true, force: true })
  }
}
