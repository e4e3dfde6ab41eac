/** Fixture: a list of the API, its rows, and which of them each value of a filter leaves in it. */
import type { Person } from './harness.ts'

/** `key`: sorts as the list does. */
export type Row = { id: string; key: string } & Record<string, unknown>
export type Is = (row: Row) => boolean
export type List = {
  operation: string
  path: string
  as?: Person
  headers?: Record<string, string>
  /** The field of the rows in the response, and that of their ids. */
  rows: string
  id: string
  /** The id in the response; default: as it is stored. */
  shown?: (id: string) => string
  isAscending?: boolean
  /** The parameter that turns the sequence. */
  turned?: string
  /** Rows without a filter; default: all. */
  isPlain?: Is
  /** By parameter and value; a value with a `=` is the whole parameter. */
  filters: Record<string, Record<string, Is>>
  /** Makes what rows refer to. */
  begin?: () => Promise<void>
  end?: () => Promise<void>
  /** Rows that are there already. */
  existing?: () => Promise<Row[]>
  make: (place: number) => Promise<Row[]>
  /** Default: rows are never removed. */
  remove?: (row: Row) => Promise<unknown>
}

export const PLACES = 60
export const has = (name: string, value: unknown) => (row: Row) => row[name] === value
/** Filters of rows of which the list has some only. */
export const within = (isListed: Is, filters: List['filters']): List['filters'] =>
  Object.fromEntries(
    Object.entries(filters).map(([name, values]) => [
      name,
      Object.fromEntries(
        Object.entries(values).map(([value, isIn]): [string, Is] => [value, (row) => isListed(row) && isIn(row)]),
      ),
    ]),
  )
export const eachOf = (name: string, values: readonly string[]) =>
  Object.fromEntries(values.map((value) => [value, has(name, value)]))
