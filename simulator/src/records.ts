/**
 * A persistent map: one JSON file per record. A file is written to a temporary name and then renamed, so that a process
 * killed at any instruction leaves either the old record or the new one.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The most records: `save` deletes the oldest one beyond. */
const RECORDS_MAX = 5_000

/** Reads back every record in `dir`, oldest first; `dir` is created if missing. A record's `id` is a file name. */
export function openRecords<Item extends { id: string; createdAt: number }>(
  dir: string,
  onDelete = (_id: string) => {},
) {
  mkdirSync(dir, { recursive: true })
  const fileOf = (id: string): string => path.join(dir, `${id}.json`)
  // A file of another name was not yet renamed when its process was killed, so that nothing depends on it.
  const files = readdirSync(dir).filter((name) => name.endsWith('.json'))
  const items = files.map((name) => read<Item>(path.join(dir, name)))
  const all = new Map(items.sort((a, b) => a.createdAt - b.createdAt).map((item) => [item.id, item]))
  const save = (item: Item): void => {
    all.set(item.id, item)
    writeFileSync(`${fileOf(item.id)}.part`, JSON.stringify(item, null, 1))
    renameSync(`${fileOf(item.id)}.part`, fileOf(item.id))
    const [oldest] = all.keys()
    if (all.size <= RECORDS_MAX || oldest === undefined) return
    all.delete(oldest)
    rmSync(fileOf(oldest), { force: true })
    onDelete(oldest)
  }
  return { all: all as ReadonlyMap<string, Item>, save }
}

/** A power cut can leave an empty file behind, which no start should ignore silently. */
function read<Item>(file: string): Item {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Item
  } catch {
    throw new Error(`${file} cannot be read; delete it to go on without it.`)
  }
}
