/**
 * A persistent map: one JSON file per record. A file is written to a temporary name and then renamed, so that a process
 * killed at any instruction leaves either the old record or the new one.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type Records<Item> = { all: ReadonlyMap<string, Item>; save: (item: Item) => void }

/**
 * Reads back every record in `dir`, oldest first; `dir` is created if missing.
 * @param max beyond this many, `save` deletes the oldest records for which `mayDelete` returns true
 */
export function openRecords<Item extends { createdAt: number }>(
  dir: string,
  { id, max, mayDelete = () => true }: { id: (item: Item) => string; max: number; mayDelete?: (item: Item) => boolean },
): Records<Item> {
  mkdirSync(dir, { recursive: true })
  // A `.part` file that a killed process had not yet renamed was never acted on.
  for (const name of readdirSync(dir)) if (!name.endsWith('.json')) rmSync(path.join(dir, name), { force: true })
  const items = readdirSync(dir).map((name) => read<Item>(path.join(dir, name)))
  const all = new Map(items.sort((a, b) => a.createdAt - b.createdAt).map((item) => [id(item), item]))
  // A client may choose the id, and a file name must not follow it.
  const fileOf = (key: string): string =>
    path.join(dir, `${/^\w[\w-]{0,80}$/.test(key) ? key : createHash('sha256').update(key).digest('hex')}.json`)

  const save = (item: Item): void => {
    all.set(id(item), item)
    const file = fileOf(id(item))
    writeFileSync(`${file}.part`, JSON.stringify(item, null, 1))
    renameSync(`${file}.part`, file)
    if (all.size <= max) return
    for (const [key, old] of all) {
      if (all.size <= max) return
      if (!mayDelete(old)) continue
      all.delete(key)
      rmSync(fileOf(key), { force: true })
    }
  }
  return { all, save }
}

/** A power cut can leave an empty file behind, which no start should ignore silently. */
function read<Item>(file: string): Item {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Item
  } catch {
    throw new Error(`${file} cannot be read; delete it to go on without it.`)
  }
}
