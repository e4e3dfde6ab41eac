/** The rows of views: their SELECT lists, and those that PostgreSQL has written as JSON. */

import { VIEWS, type View } from './describe.ts'
import { type Field, type JsonRow, type Row, readIn } from './fields.ts'

export const valueIn = (view: View, { sql = '' }: Field): string =>
  typeof sql === 'string' ? sql : (sql.in[view] ?? sql.else)

/** The SELECT list of a view, from a row `v` of kinora.video; `:now` stands for the time of the call. */
export const columnsText = (view: View): string =>
  readIn(view)
    .map(([name, field]) => `${valueIn(view, field)} as "${name}"`)
    .join(', ')

export const isTime = ({ schema }: Field): boolean => JSON.stringify(schema).includes('"date-time"')

/** A row that PostgreSQL has written as JSON. It is changed in place. */
export function revive<V extends View>(view: V, json: JsonRow<V>): Row<V> {
  const row = json as Record<string, unknown>
  for (const name of timesIn[view]) if (typeof row[name] === 'string') row[name] = new Date(row[name])
  return row as Row<V>
}
const timesIn = Object.fromEntries(
  VIEWS.map((view) => [view, readIn(view).flatMap(([name, field]) => (isTime(field) ? [name] : []))]),
) as Record<View, string[]>
