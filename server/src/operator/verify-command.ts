/**
 * `kinora verify`: recomputes every balance and prints the differences, and what to do about each rule. Progress goes
 * to stderr.
 *   --from USER_ID     goes on where an interrupted check has stopped
 *   --files            checks that storage has every film, too
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
import { openDb, type Sql } from '../db/db.ts'
import { isUuid, NIL_UUID } from '../id.ts'
import { readArguments } from '../process/command-arguments.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'
import { counted } from '../text/counted.ts'
import type { FilmKeys } from '../video/transitions.ts'
import { parseEvery, repeatEvery } from './repeat.ts'

export const RIGHT = 0
export const DIFFERENT = 1
export const NOT_FINISHED = 2
const PROGRESS_EVERY_MS = 5_000
/** Requests to storage at the same time. */
const FILMS_AT_ONCE = 32
const FILMS_PAGE = 1000

type Options = { from: string; files: boolean; record: boolean; everyS: number | null; connections: number }

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
  const progress = openProgress(await countUsers(books.allParts, options.from))
  const check = async (result: RangeResult): Promise<Difference[]> => {
    let films: Difference[] = []
    if (storage) {
      for (const sql of books.allParts)
        films = films.concat((await checkFilms({ sql, storage }, result, interrupted)).differences)
    }
    for (const { userId, subject, rule, expected, found } of [...result.differences, ...films]) {
      progress.clear()
      console.log(`user ${userId}, ${subject}: ${rule}: expected ${expected}, found ${found}`)
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
    }
    progress.add(result.users)
    return films
  }
  try {
    const { connections, from } = options
    const next = options.record
      ? await recordRun(books, await startRun(books.sql, null), {
          signal: interrupted,
          connections,
          onRange: check,
        })
      : await verifyInRanges(books, {
          signal: interrupted,
          connections,
          from,
          onRange: async (result) => {
            await check(result)
          },
        })
    progress.clear()
    return report(counts, next)
  } finally {
    progress.clear()
    await storage?.close()
    await books.close()
  }
}

type Film = { userId: string; id: string; sizeBytes: number | null } & FilmKeys

/**
 * Checks whether storage has the film, the thumbnail and the manifest beside it of every completed video of a range of
 * users, as large as its row says.
 * @throws StorageError, or an error of the bucket, when storage does not answer
 */
async function checkFilms(
  { sql, storage }: { sql: Sql; storage: Storage },
  range: UserRange,
  signal?: AbortSignal,
): Promise<{ films: number; differences: Difference[] }> {
  const differences: Difference[] = []
  let films = 0
  // Keyset pagination: a cursor would hold its snapshot for as long as storage takes.
  let after = { userId: range.from, id: NIL_UUID }
  while (!signal?.aborted) {
    const page = await sql<Film[]>`
      select user_id, id, video_key, thumbnail_key, manifest_key, size_bytes
      from kinora.video
      where (user_id, id) > (${after.userId}, ${after.id}) and (${range.to}::uuid is null or user_id < ${range.to})
        and status = 'COMPLETED' and files_removed_at is null
      order by user_id, id
      limit ${FILMS_PAGE}
    `
    await forEachConcurrently(page, FILMS_AT_ONCE, async (film) => {
      if (!signal?.aborted) differences.push(...(await checkFilm(storage, film)))
    })
    films += page.length
    const last = page.at(-1)
    if (!last || page.length < FILMS_PAGE) break
    after = last
  }
  return { films, differences: await withoutRemoved(sql, differences) }
}

async function checkFilm(storage: Storage, film: Film): Promise<Difference[]> {
  const { userId, id, sizeBytes, videoKey, thumbnailKey, manifestKey = null } = film
  const difference = (rule: string, expected: string, found: string): Difference[] => [
    { userId, subject: `video ${id}`, rule, expected, found, advice: adviceOf(rule) },
  ]
  const keys = [videoKey, thumbnailKey, manifestKey].filter((key) => key !== null)
  const sizes = await Promise.all(keys.map(async (key) => ({ key, size: await storage.size(key) })))
  const missing = sizes.find(({ size }) => size === null)
  if (missing) return difference('a completed video has its film', missing.key, 'no file')
  const found = sizes[0]?.size
  if (sizeBytes === null || found === sizeBytes) return []
  return difference('a film is as large as its row says', `${sizeBytes} bytes`, `${found} bytes`)
}

/** Retention removes the files first and then marks the row: a missing file counts while its row is not marked. */
async function withoutRemoved(sql: Sql, differences: Difference[]): Promise<Difference[]> {
  const kept: Difference[] = []
  for (const difference of differences) {
    const rows = await sql`
      select from kinora.video
      where user_id = ${difference.userId} and id = ${difference.subject.slice('video '.length)} and files_removed_at is null
    `
    if (rows.length > 0) kept.push(difference)
  }
  return kept
}

function report(counts: Map<string, number>, next: string | null): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (total > 0) {
    console.log(`${counted(total, 'difference')}. Leave the rows as they are until the cause is known.`)
    for (const [rule, count] of counts) console.log(`${rule} (${count}): ${adviceOf(rule)}`)
  }
  if (next !== null) {
    console.log(`Not finished. Go on with: kinora verify --from ${next}`)
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
        from: { type: 'string', default: NIL_UUID },
        files: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        every: { type: 'string' },
        connections: { type: 'string', default: '2' },
      },
    })
    const { from, files, record, every } = values
    const connections = Number(values.connections)
    const problems: string[] = []
    const everyS = parseEvery(every, problems)
    if (problems[0]) return problems[0]
    if (everyS !== null && !record) return '--every needs --record: what it finds is on the administrators’ page.'
    if (!isUuid(from)) return `--from "${from}" is not the id of a user.`
    if (!(Number.isInteger(connections) && connections >= 1 && connections <= 64))
      return '--connections is from 1 to 64.'
    if (record && from !== NIL_UUID) return '--record records a whole check: leave --from out.'
    return { from, files, record, everyS, connections }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function countUsers(parts: readonly Sql[], from: string): Promise<number> {
  let users = 0
  for (const sql of parts) {
    const [row] = await sql<[{ users: number }]>`
      select count(*) as users from kinora.credit_account where user_id >= ${from}
    `
    users += row.users
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
