/**
 * Pages of lists (keyset pagination): what a cursor holds, which rows are behind it, and whether another page follows.
 * Invariant: sequence, cursor and condition of a page come from one `Sequence`, whose columns are unique together, so
 * that a row is on one page, however many others come and go between two requests.
 */
import type { Logger } from 'pino'
import { unknownCursor } from '../errors.ts'
import { isUuid } from '../id.ts'
import { textOf } from './call.ts'
import type { Fragment, Query, Sql } from './db.ts'
import { fromEach } from './parts.ts'

/** How a cursor has the value of a column; `read` returns undefined for what `write` has not written. */
export type Codec = {
  write: (value: never) => string | number
  read: (written: unknown) => string | number | Date | undefined
}
/** The columns of `order by`: each an expression in SQL, and the field of a row that has its value. */
export type Sequence<Field extends string> = {
  columns: readonly { sql: string; field: Field; codec: Codec }[]
  isAscending: boolean
}

const text = (written: unknown) => (typeof written === 'string' ? written : undefined)
export const codecs = {
  uuid: {
    write: (id: string) => id,
    read: (written) => (isUuid(String(written)) ? String(written).toLowerCase() : undefined),
  },
  text: { write: (value: string) => value, read: text },
  /** In milliseconds. */
  time: {
    write: (time: Date) => time.getTime(),
    read: (written) => {
      const time = new Date(Number(written))
      return Number.isNaN(time.getTime()) ? undefined : time
    },
  },
  /** From 1. */
  number: {
    write: (value: number) => value,
    read: (written) => (/^[1-9]\d{0,14}$/.test(String(written)) ? Number(written) : undefined),
  },
} satisfies Record<string, Codec>

/** The sequence of a list by one column. An id begins with its time. */
export const by = <Field extends string>(sql: string, field: Field, codec: Codec = codecs.uuid): Sequence<Field> => ({
  columns: [{ sql, field, codec }],
  isAscending: false,
})
export const ascending = <Field extends string>(sequence: Sequence<Field>): Sequence<Field> => ({
  ...sequence,
  isAscending: true,
})

/** `page`, from 1, counts only without a cursor. */
export type PageQuery = { pageSize: number; cursor?: string; page?: number }
export type Page<Row> = { rows: Row[]; pageSize: number; nextCursor: string | null }

/** What a statement reads for a page. */
export type Keyset<Field extends string> = {
  /** The columns of the row before the page; null: it is the first page, or one by its number. */
  last: readonly unknown[] | null
  /** Rows before a page by its number. */
  skip: number
  /** One row more than the page has: it shows that another page follows. */
  limit: number
  /** SQL condition: a row is behind the cursor. */
  isBehind: (sql: Query) => Fragment
  /** SQL expressions of `order by`. */
  order: (sql: Query) => Fragment
  /** Makes the page of rows that were read with these clauses in each part of the database. */
  pageOf: <Row extends Record<Field, unknown>>(...parts: (readonly Row[])[]) => Page<Row>
  /** Makes the cursor of a page. @param last its last row */
  nextCursor: <Row extends Record<Field, unknown>>(last: Row | undefined, isFollowed: boolean) => string | null
}

/** @throws AppError INVALID_REQUEST for a cursor that no page of this sequence has returned */
export function keysetOf<Field extends string>(
  sequence: Sequence<Field>,
  { pageSize, cursor, page = 1 }: PageQuery,
): Keyset<Field> {
  const { columns, isAscending } = sequence
  const last = cursor === undefined ? null : read(sequence, cursor)
  const nextCursor = (row: Record<Field, unknown> | undefined, isFollowed: boolean) =>
    row && isFollowed ? written(sequence, row) : null
  return {
    last,
    skip: last ? 0 : (page - 1) * pageSize,
    limit: pageSize + 1,
    isBehind: (sql) => {
      if (last === null) return sql`true`
      const names = textOf(sql, columns.map((column) => column.sql).join(', '))
      const values = last.reduce<Fragment | null>((all, each) => (all ? sql`${all}, ${each}` : sql`${each}`), null)
      return isAscending ? sql`(${names}) > (${values})` : sql`(${names}) < (${values})`
    },
    order: (sql) => textOf(sql, columns.map((column) => `${column.sql} ${isAscending ? 'asc' : 'desc'}`).join(', ')),
    pageOf: (...parts) => {
      const found = parts.length === 1 ? (parts[0] ?? []) : parts.flat().toSorted((a, b) => compare(sequence, a, b))
      const rows = found.slice(0, pageSize)
      return { rows, pageSize, nextCursor: nextCursor(rows.at(-1), found.length > pageSize) }
    },
    nextCursor,
  }
}

const valuesOf = <Field extends string>({ columns }: Sequence<Field>, row: Record<Field, unknown>) =>
  columns.map(({ field, codec }) => codec.write(row[field] as never))

/** The value of one column is its own cursor. */
function written<Field extends string>(sequence: Sequence<Field>, row: Record<Field, unknown>): string {
  const values = valuesOf(sequence, row)
  return values.length === 1 ? String(values[0]) : Buffer.from(JSON.stringify(values)).toString('base64url')
}

function read({ columns }: Sequence<string>, cursor: string) {
  const all = columns.length === 1 ? [cursor] : parsed(cursor)
  const values = columns.flatMap(({ codec }, i) => codec.read(all[i]) ?? [])
  if (values.length < columns.length) throw unknownCursor()
  return values
}

function parsed(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

/** Compares rows of two parts of the database by ids and times: other texts have the database's collation. */
function compare<Field extends string>(
  sequence: Sequence<Field>,
  a: Record<Field, unknown>,
  b: Record<Field, unknown>,
): number {
  const [first, second] = [valuesOf(sequence, a), valuesOf(sequence, b)]
  const i = first.findIndex((value, column) => value !== second[column])
  const isFirst = (first[i] ?? '') < (second[i] ?? '')
  return isFirst === sequence.isAscending ? -1 : 1
}

/** One database, or the parts of a divided one that have rows of the list. */
type Source = Query | { log: Logger; parts: readonly Sql[] }
type List<Field extends string, Row> = {
  sequence: Sequence<Field>
  /** SQL condition of the rows of the list; default: all rows of the table are. */
  where?: (sql: Query) => Fragment
  /** Reads rows with these clauses. */
  rows: (sql: Query, page: Clauses) => PromiseLike<readonly Row[]>
}
export type Clauses = { where: Fragment; order: Fragment; limit: number }

const inSource = async <T>(source: Source, work: (sql: Query) => PromiseLike<T>): Promise<T[]> =>
  'parts' in source ? await fromEach(source, source.parts, async (sql) => [await work(sql)]) : [await work(source)]

/** @throws AppError INVALID_REQUEST for a cursor of another list */
export async function readPage<Field extends string, Row extends Record<Field, unknown>>(
  source: Source,
  query: PageQuery,
  { sequence, where = (sql) => sql`true`, rows }: List<Field, Row>,
): Promise<Page<Row>> {
  const { isBehind, order, limit, pageOf } = keysetOf(sequence, query)
  const parts = await inSource(source, (sql) =>
    rows(sql, { where: sql`${where(sql)} and ${isBehind(sql)}`, order: order(sql), limit }),
  )
  return pageOf(...parts)
}

/** Reads like readPage. `total`: all rows of the list. @param list `count`: counts rows of a condition */
export async function readCountedPage<Field extends string, Row extends Record<Field, unknown>>(
  source: Source,
  query: PageQuery,
  list: List<Field, Row> & {
    where: NonNullable<List<Field, Row>['where']>
    count: (sql: Query, where: Fragment) => PromiseLike<readonly { total: number }[]>
  },
): Promise<Page<Row> & { total: number }> {
  const [page, counts] = await Promise.all([
    readPage(source, query, list),
    inSource(source, (sql) => list.count(sql, list.where(sql))),
  ])
  return { ...page, total: counts.flat().reduce((sum, { total }) => sum + total, 0) }
}
