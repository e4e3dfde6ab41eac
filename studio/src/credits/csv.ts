/**
 * The credit history as CSV (RFC 4180), safe against CSV injection: text that a spreadsheet would evaluate as a formula is
 * escaped. Numbers are not escaped, so that negative amounts stay numbers.
 */
import type { CreditTransaction } from './transaction-types.ts'

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
] as const satisfies (keyof CreditTransaction)[]

export const csvHeader = `${columns.join(',')}\r\n`

/** One row, with its line end. */
export const csvRow = (transaction: CreditTransaction): string =>
  `${columns.map((column) => csvCell(transaction[column])).join(',')}\r\n`

function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // Spreadsheets take a leading apostrophe as "this is text". They ignore white space before a formula's first character.
  const text = /^[\s]*[=+\-@\t\r\n|]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
