/**
 * `kinora verify`: recomputes every balance and prints the differences, and what to do about each rule. Progress goes
 * to stderr.
 *   --from USERS       goes on where an interrupted check has stopped: FIRST..END,…, as it printed
 *   --files            checks that storage has every film and asset, too
 *   --record           records the run for the administrators' page; needs the primary, the rest runs on a standby
 *   --every 24h        with --record: goes on until it is stopped, and checks as often, the first time when the last record is older
 *   --connections N    ranges of users at the same time; 2 by default
 * Exit status: 0 the books are right, 1 there are differences, 2 it did not get to the end.
 */

import { openBooks, readLedgerChecks, recordRun, startRun } from '../admin/ledger-check.ts'
import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import { type Config, sessionUrl } from '../config/config.ts'
import { adviceOf } from '../credit/advice.ts'
import { type Difference, type RangeResult, type UserRange, verifyInRanges } from '../credit/verify.ts'
import { KEPT_FILES } from '../db/backup.ts'
import { openDb, type Sql } from '../db/db.ts'
import { isUuid, NIL_UUID } from '../id.ts'
import { readArguments } from '../process/command-arguments.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'
import { counted } from '../text/counted.ts'
import { parseEvery, repeatEvery } from './repeat.ts'

export const RIGHT = 0
export const DIFFERENT = 1
export const NOT_FINISHED = 2
const PROGRESS_EVERY_MS = 5_000
/** Requests to storage at the same time. */
const FILES_AT_ONCE = 32
const FILES_PAGE = 1000

/** `only`: null: all users. */
type Options = { only: UserRange[] | null; files: boolean; record: boolean; everyS: number | null; connections: number }

/** @param interrupted aborts at SIGINT or SIGTERM */
export async function verifyCommand(config: Config, args: string[], interrupted: AbortSignal): Promise<number> {
  const options = readOptions(args)
  if (typeof options === 'string') {
    console.error(options)
    return NOT_FINISHED
  }
  if (options.everyS === null) return verify(config, options, interrupted)
  await repeatEvery(options.everyS, interrupted, {
    name: 'check',
    lastAt: () => lastRecordAt(config),
    run: () => verify(config, options, interrupted),
  })
  return RIGHT
}

/** When the last whole check ended. */
async function lastRecordAt(config: Config): Promise<Date | null> {
  const sql = openDb(sessionUrl(config), { connections: 1, name: 'kinora verify' })
  try {
    const { last } = await readLedgerChecks({ sql })
    return last?.state === 'finished' ? last.finishedAt : null
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function verify(config: Config, options: Options, interrupted: AbortSignal): Promise<number> {
  // Two more connections: for the ends of ranges and the counts, and for progress.
  const books = await openBooks(config, { connections: options.connections + 2, name: 'kinora verify' })
  const storage = options.files ? await openStorage(config) : null
  const counts = new Map<string, number>()
  const progress = openProgress(await countUsers(books.allParts, options.only))
  const check = async (result: RangeResult): Promise<Difference[]> => {
    const files: Difference[] = []
    if (storage) {
      for (const sql of books.allParts) files.push(...(await checkFiles({ sql, storage }, result, interrupted)))
    }
    for (const { userId, subject, rule, expected, found } of [...result.differences, ...files]) {
      progress.clear()
      console.log(`user ${userId}, ${subject}: ${rule}: expected ${expected}, found ${found}`)
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
    }
    progress.add(result.users)
    return files
  }
  try {
    const { connections, only } = options
    const rest = options.record
      ? await recordRun(books, await startRun(books.sql, null), {
          signal: interrupted,
          connections,
          onRange: check,
        })
      : await verifyInRanges(books, {
          signal: interrupted,
          connections,
          ...(only ? { only } : {}),
          onRange: async (result) => {
            await check(result)
          },
        })
    progress.clear()
    return report(counts, rest)
  } finally {
    progress.clear()
    await storage?.close()
    await books.close()
  }
}

type KeptFile = { userId: string; id: string; what: 'video' | 'asset'; keys: string[]; sizeBytes: number | null }

/**
 * Checks whether storage has the films, with the thumbnails and manifests beside them, and the assets of a range of
 * users, as large as their rows say.
 * @throws StorageError, or an error of the bucket, when storage does not answer
 */
async function checkFiles(
  { sql, storage }: { sql: Sql; storage: Storage },
  range: UserRange,
  signal: AbortSignal,
): Promise<Difference[]> {
  const differences: Difference[] = []
  // Keyset pagination: a cursor would hold its snapshot for as long as storage takes.
  let after = { userId: range.from, id: NIL_UUID }
  while (!signal.aborted) {
    const page = await sql.unsafe<KeptFile[]>(
      `select * from (${KEPT_FILES}) files
       where (user_id, id) > ($1, $2) and ($3::uuid is null or user_id < $3)
       order by user_id, id
       limit $4`,
      [after.userId, after.id, range.to, FILES_PAGE],
    )
    await forEachConcurrently(page, FILES_AT_ONCE, async (files) => {
      const difference = signal.aborted ? null : await findDifference(storage, files)
      // Retention and sweeps remove the files first and then mark the row: a file that is missing counts while its
      // row is not marked.
      if (difference && (await isKept(sql, files))) differences.push(difference)
    })
    const last = page.at(-1)
    if (!last || page.length < FILES_PAGE) break
    after = last
  }
  return differences
}

async function isKept(sql: Sql, { userId, id }: KeptFile): Promise<boolean> {
  const rows = await sql.unsafe(`select from (${KEPT_FILES}) files where user_id = $1 and id = $2`, [userId, id])
  return rows.length > 0
}

async function findDifference(storage: Storage, files: KeptFile): Promise<Difference | null> {
  const { userId, id, what, keys, sizeBytes } = files
  const isFilm = what === 'video'
  const difference = (rule: string, expected: string, found: string): Difference => ({
    ...{ userId, subject: `${what} ${id}`, rule, expected, found, advice: adviceOf(rule) },
  })
  const sizes = await Promise.all(keys.map(async (key) => ({ key, size: await storage.size(key) })))
  const missing = sizes.find(({ size }) => size === null)
  if (missing)
    return difference(isFilm ? 'a completed video has its film' : 'an asset has its file', missing.key, 'no file')
  const found = sizes[0]?.size
  if (sizeBytes === null || found === sizeBytes) return null
  const rule = isFilm ? 'a film is as large as its row says' : 'an asset is as large as its row says'
  return difference(rule, `${sizeBytes} bytes`, `${found} bytes`)
}

function report(counts: Map<string, number>, rest: UserRange[]): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (total > 0) {
    console.log(`${counted(total, 'difference')}. Leave the rows as they are until the cause is known.`)
    for (const [rule, count] of counts) console.log(`${rule} (${count}): ${adviceOf(rule)}`)
  }
  if (rest.length > 0) {
    const users = rest.map(({ from, to }) => `${from}..${to ?? ''}`).join()
    console.log(`Not finished. Go on with: kinora verify --from ${users}`)
    return NOT_FINISHED
  }
  if (total === 0) console.log('The books are right.')
  return total === 0 ? RIGHT : DIFFERENT
}

/** @returns the options, or what is wrong with the arguments */
function readOptions(args: string[]): Options | string {
  try {
    const { values } = readArguments('verify', {
      args,
      options: {
        from: { type: 'string' },
        files: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        every: { type: 'string' },
        connections: { type: 'string', default: '2' },
      },
    })
    const { files, record, every } = values
    const connections = Number(values.connections)
    const problems: string[] = []
    const everyS = parseEvery(every, problems)
    if (problems[0]) return problems[0]
    if (everyS !== null && !record) return '--every needs --record: what it finds is on the administrators’ page.'
    const only = values.from === undefined ? null : readRanges(values.from)
    if (typeof only === 'string') return only
    if (!(Number.isInteger(connections) && connections >= 1 && connections <= 64))
      return '--connections is from 1 to 64.'
    if (record && only) return '--record records a whole check: leave --from out.'
    return { only, files, record, everyS, connections }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** @returns the ranges, or which part is none. A user without an end: from this one on. */
function readRanges(text: string): UserRange[] | string {
  const ranges = text.split(',').map((part) => {
    const [from = '', to = ''] = part.split('..')
    return { from, to: to === '' ? null : to }
  })
  const wrong = ranges.flatMap(({ from, to }) => [from, to ?? from]).find((id) => !isUuid(id))
  return wrong === undefined ? ranges : `--from "${wrong}" is not the id of a user.`
}

async function countUsers(parts: readonly Sql[], only: UserRange[] | null): Promise<number> {
  let users = 0
  for (const sql of parts) {
    for (const { from, to } of only ?? [{ from: NIL_UUID, to: null }]) {
      const [row] = await sql<[{ users: number }]>`
        select count(*) as users from kinora.credit_account
        where user_id >= ${from} and (${to}::uuid is null or user_id < ${to})
      `
      users += row.users
    }
  }
  return users
}

/** Prints one line that is rewritten at a terminal, otherwise a line every 5 seconds. */
function openProgress(usersTotal: number) {
  const { stderr } = process
  const startedMs = performance.now()
  let users = 0
  let printedMs = startedMs
  return {
    add: (checked: number) => {
      users += checked
      const now = performance.now()
      const seconds = Math.round((now - startedMs) / 1000)
      const line = `${users} of ${counted(usersTotal, 'user')} checked, ${seconds} s`
      if (stderr.isTTY) stderr.write(`\r\x1b[K${line}`)
      else if (now - printedMs >= PROGRESS_EVERY_MS) {
        printedMs = now
        stderr.write(`${line}\n`)
      }
    },
    clear: () => {
      if (stderr.isTTY) stderr.write('\r\x1b[K')
    },
  }
}
