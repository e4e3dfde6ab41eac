/**
 * Records kept as one JSON file each. A file is written whole to a temporary name and then renamed, so that a process
 * killed at any instruction leaves either the old record or the new one, never half of either.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Reads back every record in `dir`, which is made if need be. */
export function readRecords<Kept>(dir: string): Kept[] {
  mkdirSync(dir, { recursive: true })
  return readdirSync(dir).flatMap((name) => {
    const file = path.join(dir, name)
    if (name.endsWith('.json')) return [read<Kept>(file)]
    // What a killed process had not renamed yet was never acted on.
    rmSync(file, { force: true })
    return []
  })
}

export function writeRecord(file: string, value: unknown): void {
  writeFileSync(`${file}.part`, JSON.stringify(value, null, 1))
  renameSync(`${file}.part`, file)
}

/** A power cut can leave an empty file behind, which no start should pass over in silence. */
function read<Kept>(file: string): Kept {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept
  } catch {
    throw new Error(`${file} cannot be read; delete it to go on without it.`)
  }
}
