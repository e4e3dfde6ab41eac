/**
 * The database as the application sees it: in one part, or in several, of which each has all rows of some users. A
 * statement about one user is written as if there were one part. What concerns all users is done in each part, or read
 * in each and merged here.
 */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { DbOptions, Sql } from './db.ts'

/** Removes up to `limit` rows that are older than `before`, and returns them. */
export type RemoveOldRows = (sql: Sql, before: Date, limit: number) => PromiseLike<{ count: number }>

export type DatabaseOptions = DbOptions & {
  /** The same as `Config.division`; default: what the database says. */
  division?: Config['division']
  /** The address without a pooler, for what locks by session; default: the same. */
  directUrl?: string
}

export type Database = {
  /** Sends each statement where its rows are: to the part of the named user, else to that with rows of no user. */
  sql: Sql
  /** The parts with rows of users that can be reached, beginning with another one at each call. */
  parts: () => Sql[]
  /** Every part with rows of users. */
  allParts: readonly Sql[]
  /** The parts of a table that has rows with a user and rows without one; the latter is the first. */
  everywhere: () => Sql[]
  /** The part of a user, for a call about several users, who are all of one part. Null: there is one part. */
  partOf: ((userId: string) => string) | null
  /** Asked for the time: a worker of one node works without the others. */
  clock: () => Sql
  /** The nodes beside the server, and why one cannot be reached. */
  checkNodes: () => Promise<{ node: string; error: string | null }[]>
  /** Where payments are apart from users: what has them, and the end of transactions of both. */
  payments: { sql: Sql; transactionsEnded: (signal?: AbortSignal) => Promise<void> } | null
  /** Retention for the keys of administrators that the database has beside those of the product. */
  removeOldKeys: RemoveOldRows
  close: () => Promise<void>
}

/** SQLSTATE of a call that concerns a user of another part: the user became known after the process had looked. */
export const OTHER_PART = 'KN002'

/** A database in one part. */
export const onePart = (sql: Sql): Database => ({
  sql,
  parts: () => [sql],
  allParts: [sql],
  everywhere: () => [sql],
  partOf: null,
  clock: () => sql,
  checkNodes: async () => [],
  payments: null,
  removeOldKeys: async () => ({ count: 0 }),
  close: () => sql.end({ timeout: 1 }),
})

/** Divides what is about several users into calls, each about users of one part. */
export const groupByPart = <T>({ partOf }: Pick<Database, 'partOf'>, all: T[], userOf: (each: T) => string): T[][] =>
  partOf ? [...Map.groupBy(all, (each) => partOf(userOf(each))).values()] : [all]

/**
 * Does the work in each part. A part that cannot be reached keeps its own users' work from being done and no others':
 * its error is logged, unless no part could be reached.
 */
export async function* inEach<T>(
  { log }: { log: Logger },
  parts: readonly Sql[],
  work: (sql: Sql) => Promise<T>,
): AsyncGenerator<T> {
  let failures = 0
  for (const sql of parts) {
    try {
      yield await work(sql)
    } catch (err) {
      failures += 1
      if (failures === parts.length) throw err
      log.warn({ err }, 'a part of the database cannot be reached; the others go on')
    }
  }
}

/** The rows that a statement finds in each part, together; without those of a part that cannot be reached. */
export async function fromEach<T>(
  app: { log: Logger },
  parts: readonly Sql[],
  read: (sql: Sql) => PromiseLike<readonly T[]>,
): Promise<T[]> {
  const rows: T[] = []
  for await (const found of inEach(app, parts, async (sql) => await read(sql))) rows.push(...found)
  return rows
}

/** The sum of what is done in each part; without a part that cannot be reached. */
export async function countInEach(
  app: { log: Logger },
  parts: readonly Sql[],
  work: (sql: Sql) => Promise<number>,
): Promise<number> {
  let count = 0
  for await (const done of inEach(app, parts, work)) count += done
  return count
}

/** What two rows have together, by column. Rows are merged when they are equal in every other column. */
export type Merges<Row> = {
  [Column in keyof Row]?: (a: Row[Column], b: Row[Column], ofA: Row, ofB: Row) => Row[Column]
}

export const sum = (a: number, b: number): number => a + b
export const either = (a: boolean, b: boolean): boolean => a || b
export const max = <T extends number | Date | null>(a: T, b: T): T => (a === null || (b !== null && b > a) ? b : a)

/**
 * Figures over all users: one query, which reads each part as if it were all, and how rows of two parts are merged. A
 * histogram is a query with a row for each value and its count, which is merged by `sum`; a median follows from it.
 */
export const figures = async <Row extends object>(
  { log, database }: { log: Logger; database: Database },
  read: (sql: Sql) => PromiseLike<readonly Row[]>,
  merges: Merges<Row>,
  parts = database.parts(),
): Promise<Row[]> => merged(await fromEach({ log }, parts, read), merges)

export function merged<Row extends object>(rows: readonly Row[], merges: Merges<Row>): Row[] {
  const columns = Object.keys(merges) as (keyof Row & string)[]
  const keyOf = (row: Row) => JSON.stringify(Object.entries(row).filter(([column]) => !(column in merges)))
  const merge = (a: Row, b: Row): Row => {
    const together = { ...a }
    for (const column of columns) together[column] = merges[column]?.(a[column], b[column], a, b) ?? a[column]
    return together
  }
  return [...Map.groupBy(rows, keyOf).values()].map((same) => same.reduce(merge))
}
