/** What a command prints: results to stdout, progress and errors to stderr, so that a pipe gets results only. */
import { CommandError, EXIT, type Exit } from './exit.ts'

export type Output = {
  isJson: boolean
  /** The result: `value` with --json, else the text. */
  result: (value: unknown, text: string) => void
  /** A line for the user; nothing with --json. */
  note: (text: string) => void
}

export const openOutput = (isJson: boolean): Output => ({
  isJson,
  result: (value, text) => {
    process.stdout.write(isJson ? `${JSON.stringify(value, null, 2)}\n` : text && `${text}\n`)
  },
  note: (text) => {
    if (!isJson) process.stderr.write(`${text}\n`)
  },
})

/** Prints the error of a command. @returns the exit status */
export function printError(error: unknown, isJson: boolean): Exit {
  const known =
    error instanceof CommandError
      ? error
      : new CommandError(EXIT.failed, 'FAILED', error instanceof Error ? error.message : String(error))
  const { code, message, details } = known
  const json = { error: { code, message, ...(details === undefined ? {} : { details }) } }
  process.stderr.write(isJson ? `${JSON.stringify(json)}\n` : `${safeText(message)}\n`)
  return known.exit
}

/** Text of a service without control characters, which a terminal would obey. */
export const safeText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (each) => (each === '\n' ? ' ' : ''))

/** Columns as wide as their widest cell. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
