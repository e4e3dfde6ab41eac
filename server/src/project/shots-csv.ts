/** Shots as CSV: a row each, with a column for each of its settings. What is written can be read again. */
import { invalid } from '../catalogue/refusal.ts'
import { csvOf, readCsv } from '../text/csv.ts'
import { parseJson } from '../text/json-reader.ts'
import type { Shot, ShotDraft } from './shots.ts'

const COLUMNS = {
  prompt: 'text',
  notes: 'text',
  model: 'text',
  duration: 'number',
  aspectRatio: 'text',
  quality: 'text',
  mode: 'text',
  seed: 'number',
  negativePrompt: 'text',
  audio: 'boolean',
  startImageUrl: 'text',
  endImageUrl: 'text',
  extendFrom: 'text',
  upscaleFrom: 'text',
  referenceImageUrls: 'json',
  inputs: 'json',
  options: 'json',
} as const
type Column = keyof typeof COLUMNS
const NAMES = Object.keys(COLUMNS) as Column[]

export const shotsCsv = (shots: readonly Pick<Shot, 'settings' | 'notes'>[]): string =>
  csvOf([
    NAMES,
    ...shots.map(({ settings, notes }) => {
      const values: Partial<Record<Column, unknown>> = { ...settings, notes }
      return NAMES.map((name) => textOf(values[name]))
    }),
  ])

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/**
 * The first row names the columns, in any order. An empty cell says nothing.
 * @throws AppError INVALID_REQUEST for a name of no column, and a value that is none of its column's
 */
export function readShotsCsv(text: string): ShotDraft[] {
  const [head = [], ...rows] = readCsv(text)
  const names = head.map((each) => columnOf(each))
  return rows.map((row, i) => {
    const { notes, ...settings } = Object.fromEntries(
      names.flatMap((name, n) => (row[n] ? [[name, readCell(name, row[n], i + 2)]] : [])),
    ) as { notes?: string }
    return { settings, ...(notes !== undefined && { notes }) }
  })
}

function columnOf(head: string): Column {
  const name = NAMES.find((each) => each.toLowerCase() === head.trim().toLowerCase())
  if (name) return name
  throw invalid(
    'INVALID_REQUEST',
    'csv',
    `The first row names the columns: ${NAMES.join(', ')}; “${head.slice(0, 40)}” is none.`,
  )
}

function readCell(name: Column, cell: string, row: number): unknown {
  const value = readValue(COLUMNS[name], cell)
  if (value !== undefined) return value
  throw invalid('INVALID_REQUEST', 'csv', `Row ${row} of the CSV has no ${COLUMNS[name]} in the column ${name}.`)
}

function readValue(kind: (typeof COLUMNS)[Column], cell: string): unknown {
  switch (kind) {
    case 'text':
      return cell
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : undefined
    case 'boolean':
      return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : undefined
    case 'json':
      return parseJson(cell) ?? undefined
  }
}
