/** CSV (RFC 4180) that a spreadsheet opens as it is: no cell becomes a formula. */

type Cell = string | number | null

/** A line with its end. Null: an empty cell. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // A spreadsheet takes an apostrophe as "this is text"; an amount is none.
  const safe = /^[\s]*[=+\-@|]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
