/**
 * The history as a file for spreadsheets: RFC 4180, and no cell that a spreadsheet would run. The rule: numbers stay
 * numbers, minus sign and all; it is text that is kept from being read as a formula.
 */
import type { Row } from './ledger-check.ts'

const columns = [
  'createdAt',
  'transNo',
  'transType',
  'credits',
  'balanceAfter',
  'state',
  'videoUuid',
  'orderNo',
  'remark',
  'id',
] as const satisfies (keyof Row)[]

export const csvHead = `${columns.join(',')}\r\n`

/** One line, with its end. */
export const csvLine = (row: Row): string => `${columns.map((name) => cell(row[name])).join(',')}\r\n`

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // An apostrophe is how a spreadsheet itself marks text; blanks before the sign do not make it harmless.
  const text = /^[\s]*[=+\-@\t\r\n|]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
