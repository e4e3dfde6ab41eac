/** The credit history as CSV (RFC 4180), safe against CSV injection. */
import type { DataOf } from '@kinora/client'

export type Transaction = DataOf<'get', '/api/v1/credit/history'>['transactions'][number]

const columns = [
  'createdAt',
  'transNo',
  'transType',
  'credits',
  'balanceAfter',
  'videoUuid',
  'orderNo',
  'remark',
  'id',
] as const

export const csvHeader = `${columns.join(',')}\r\n`

export const csvRow = (transaction: Transaction): string =>
  `${columns.map((column) => cell(transaction[column])).join(',')}\r\n`

/** Text that a spreadsheet would take for a formula, which it does at the start of a cell and behind a tab or a line break. */
const formula = /(^|[\t\r\n;])(?=[\s"'\p{C}]*[=+\-@|＝＋－＠])/gu

/** Spreadsheets take a leading apostrophe as "this is text". */
function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = (value ?? '').replaceAll(formula, "$1'")
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
