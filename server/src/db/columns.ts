/** Columns of the database by the names of the fields. */
import postgres from 'postgres'
import { VIEWS, type View } from '../film/describe.ts'
import { readIn } from '../film/fields.ts'
import { columnsText, isTime, valueIn } from '../film/rows.ts'
import type { Query } from './db.ts'

/** One object a view: what is known of a statement's text is cached by the object. */
const templates = Object.fromEntries(VIEWS.map((view) => [view, templateOf(view)])) as Record<
  View,
  TemplateStringsArray
>

function templateOf(view: View): TemplateStringsArray {
  const parts = columnsText(view).split(':now')
  return Object.assign(parts, { raw: parts })
}

/** SQL fragment: the SELECT list of a view of videos over the row `v` of kinora.video. It returns the view's `Row`. */
export function videoColumns(sql: Query, view: View, now: Date) {
  const template = templates[view]
  return sql(template, ...template.slice(1).map(() => now))
}

const columnNames = new Map<string, string>()

/**
 * A record for jsonb_populate_recordset, to which an attribute that is absent is null. Names are converted once and
 * nulls left out, because each request passes here: 3 µs instead of 32 with its JSON, of about 100 that a request
 * takes.
 */
export function withColumnNames(record: Record<string, unknown>): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    if (value !== null) row[columnNames.get(name) ?? rememberColumn(name)] = inJson(value)
  }
  return row
}

/** Such a record in an array, whose absent attributes would be those of the element before. */
export const withEveryColumn = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [rememberColumn(name), value]))

/** PostgreSQL reads bytes from JSON in hexadecimal. */
const inJson = (value: unknown) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value)

function rememberColumn(name: string): string {
  const column = postgres.fromCamel(name)
  columnNames.set(name, column)
  return column
}

/** The text of server/sql/video_view.sql. */
export const videoViewSql =
  (): string => `-- What webhooks show of a video. Written by \`npm run schema\` from server/src/film/fields.ts.

-- Returns the data of an event of a video.
${jsonFunction('webhook_data', 'event')}
-- Returns a video as its webhooks in another service's format are made of it (server/src/compatible/wire-formats.ts).
${jsonFunction('webhook_view', 'webhook')}`

function jsonFunction(name: string, view: View): string {
  const pairs = readIn(view).map(([key, field]) => {
    const value = valueIn(view, field).replace(/\bv\./g, 'p_video.')
    return `  '${key}', ${isTime(field) ? `kinora.iso_time(${value})` : value}`
  })
  return `create or replace function kinora.${name}(p_video kinora.video) returns jsonb
language sql stable
return jsonb_build_object(
${pairs.join(',\n')}
);
`
}
