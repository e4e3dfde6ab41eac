/**
 * CSV (RFC 4180) that people edit in a spreadsheet: texts that it would compute as a formula begin with an apostrophe,
 * which reading removes.
 */
import { AppError } from '../errors.ts'

const FORMULA = /^(?!-\d+(\.\d+)?$)[=+\-@\t\r]/
const ESCAPED = /^'(?=[=+\-@\t\r'])/

/** The rows as CSV; null is an empty cell, and an amount stays one. */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

function cellOf(cell: string | number | null): string {
  const text = String(cell ?? '')
  const escaped = FORMULA.test(text) || ESCAPED.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

/**
 * The rows of a CSV, without blank ones. Commas, semicolons or tabs separate its cells, whichever the first line has
 * most of: a spreadsheet takes those of its language.
 * @throws AppError INVALID_REQUEST for a quotation mark without its end
 */
export function readCsv(text: string): string[][] {
  const whole = text.replace(/^\ufeff/, '')
  const separator = separatorOf(whole.split(/\r?\n/, 1)[0] ?? '')
  const rows: string[][] = []
  let row: string[] = []
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n"][^${separator}\\r\\n]*)?)(${separator}|\\r?\\n|\\r|$)`,
    'y',
  )
  while (cell.lastIndex < whole.length || row.length > 0) {
    const at = cell.lastIndex
    const found = cell.exec(whole)
    if (!found)
      throw new AppError(
        'INVALID_REQUEST',
        `Row ${rows.length + 1} of the CSV has a quotation mark too many or too few.`,
      )
    const [, quoted, plain = '', end = ''] = found
    row.push((quoted?.replaceAll('""', '"') ?? plain.trim()).replace(ESCAPED, ''))
    if (end === separator) continue
    if (row.some((each) => each !== '')) rows.push(row)
    row = []
    if (cell.lastIndex >= whole.length || cell.lastIndex === at) break
  }
  return rows
}

const separatorOf = (line: string): string =>
  [',', ';', '\t'].reduce((best, each) => (line.split(each).length > line.split(best).length ? each : best))
