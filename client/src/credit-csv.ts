/**
 * The credit history as CSV (RFC 4180), safe against CSV injection: text that a spreadsheet would evaluate as a formula
 * is escaped. Numbers are not escaped, so that negative amounts stay numbers.
 */
import type { Schemas } from './calls.ts'

type Transaction = Schemas['CreditTransaction']

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
] as const satisfies (keyof Transaction)[]

export const creditCsvHeader = `${columns.join(',')}\r\n`

/** One row, with its line end. */
export const creditCsvRow = (transaction: Transaction): string =>
  `${columns.map((column) => csvCell(transaction[column])).join(',')}\r\n`

/**
 * What a spreadsheet may ignore before the first character of a formula: white space, a byte order mark, control and
 * format characters, quotation marks.
 */
const IGNORED = String.raw`[\s\p{C}\p{Z}\p{Pi}\p{Pf}"'\u0060„‚＂＇]*`
/** The first character of a formula, also full-width, small, raised and lowered, and the mathematical minus. */
const FORMULA = '[=+\\-@|＝＋－＠｜﹦﹢﹣﹫⁼⁺⁻₌₊₋−]'
/**
 * The begin of a formula: at the start of the text, and behind a tab, line break or semicolon, at which a spreadsheet
 * splits cells in spite of the quotation marks when its separator is not the comma.
 */
const formulaStart = new RegExp(`(^|[\\t\\r\\n;])(?=${IGNORED}${FORMULA})`, 'gu')

/** One cell. Spreadsheets take a leading apostrophe as "this is text". */
function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const escaped = value.replace(formulaStart, "$1'")
  const text = /^[\s\0]*[\t\r\n]/.test(escaped) ? `'${escaped}` : escaped
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
