/**
 * Files of a folder that stay open for some seconds: a player asks for many ranges of one film, and opening, asking for
 * the size and closing was a third of the cost of each. Invariant: a file that was removed or replaced, by this process
 * or another one, is not served again: an open file that has no name any more is closed.
 */
import fs from 'node:fs'
import { promisify } from 'node:util'

/** A number of the process, whatever the length: an open file takes no memory, and one that was removed is not kept. */
const OPEN_MAX = 64
const KEPT_MS = 5_000

export type OpenFile = { path: string; fd: number; sizeBytes: number; modifiedMs: number }
type Entry = OpenFile & { uses: number; usedMs: number }

const [open, fstat, readInto] = [promisify(fs.open), promisify(fs.fstat), promisify(fs.read)]
const entries = new Map<string, Entry>()
let timer: NodeJS.Timeout | null = null

/** Each call that returns a file is followed by one of `closeFile`. @returns null: there is none at this path */
export async function openFile(path: string): Promise<OpenFile | null> {
  const entry = entries.get(path)
  if (!entry) return await openAnew(path)
  entry.uses += 1
  entry.usedMs = performance.now()
  const { nlink, size, mtimeMs } = await fstat(entry.fd).catch(() => ({ nlink: 0, size: 0, mtimeMs: 0 }))
  if (nlink > 0 && size === entry.sizeBytes && mtimeMs === entry.modifiedMs) return entry
  closeFile(entry)
  if (entries.get(path) === entry) forgetFile(path)
  return await openFile(path)
}

export function closeFile(file: OpenFile): void {
  const entry = file as Entry
  entry.uses -= 1
  if (entry.uses === 0 && entries.get(entry.path) !== entry) fs.close(entry.fd)
}

/** Called when the file is removed or replaced. Who reads it goes on. */
export function forgetFile(path: string): void {
  const entry = entries.get(path)
  entries.delete(path)
  if (entry?.uses === 0) fs.close(entry.fd)
}

/** Fills the buffer from the position on. @throws Error when the file ends before */
export async function readFully({ fd }: OpenFile, buffer: Buffer, position: number): Promise<void> {
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await readInto(fd, buffer, filled, buffer.length - filled, position + filled)
    if (bytesRead === 0) throw new Error('A stored file is shorter than it was.')
    filled += bytesRead
  }
}

async function openAnew(path: string): Promise<Entry | null> {
  let fd: number
  try {
    fd = await open(path, 'r')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(String((error as { code?: string }).code))) return null
    throw error
  }
  const found = await fstat(fd)
  if (!found.isFile()) {
    fs.close(fd)
    return null
  }
  const usedMs = performance.now()
  const entry = { path, fd, sizeBytes: found.size, modifiedMs: found.mtimeMs, uses: 1, usedMs }
  forgetFile(path)
  entries.set(path, entry)
  const [oldest] = entries.keys()
  if (entries.size > OPEN_MAX && oldest !== undefined) forgetFile(oldest)
  timer ??= setInterval(closeUnused, KEPT_MS).unref()
  return entry
}

function closeUnused(): void {
  const beforeMs = performance.now() - KEPT_MS
  for (const { path, uses, usedMs } of [...entries.values()]) if (uses === 0 && usedMs < beforeMs) forgetFile(path)
  if (entries.size > 0 || !timer) return
  clearInterval(timer)
  timer = null
}
