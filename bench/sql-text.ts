/**
 * The text of a statement of the server, for pgbench: the bench measures the very statement that the server sends and has no
 * copy of its own.
 */
import type { Query } from '../server/src/db/db.ts'

/**
 * @param call a typed function of the service or of server/test/support/ledger/ledger-calls.ts that sends one statement
 * @param expressions SQL expressions by the argument that stands for them; a Date stands for now() plus its time since 1970
 */
export function sqlTextOf(call: (sql: Query) => Promise<unknown>, expressions: Record<string, string>): string {
  let text = ''
  const tag = (strings: TemplateStringsArray, ...values: unknown[]) => {
    text = strings.reduce((sum, part, i) => `${sum}${i === 0 ? '' : literal(values[i - 1])}${part}`, '')
    return Promise.resolve([{}])
  }
  const literal = (value: unknown): string => {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
    if (value instanceof Date) return `now() + interval '${value.getTime()} milliseconds'`
    if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
    if (typeof value !== 'string') throw new Error(`no literal for ${typeof value}`)
    return expressions[value] ?? `'${value.replaceAll("'", "''")}'`
  }
  void call(tag as unknown as Query)
  return text
}
