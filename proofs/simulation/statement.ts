/** How statements and their results read in a trace. */

/** Ids are random: the last letters tell them apart. */
export const short = (id: unknown): string => String(id).slice(-6)

type Step = { step?: string; id?: string; user_id?: string }

/** The name of a statement's function or table, and for sets what they do to which video. */
export function describe(text: string, args: unknown[]): string {
  const set = /video_apply|video_generate_all|json_to_recordset/.test(text) && typeof args[0] === 'string'
  if (set) {
    const steps = JSON.parse(args[0] as string) as Step[]
    return steps
      .map(({ step, id }) => `${step ?? (text.includes('generate') ? 'generate' : 'read')} ${short(id)}`)
      .join(', ')
  }
  const called = /kinora\.(\w+)\(/.exec(text)?.[1]
  if (called === 'payment_receive') return `payment_receive ${args[3]} ${args[4]}`
  if (called?.startsWith('video_claim_')) return `claim ${String(args[0])}`
  if (called === 'video_begin_store') return `video_begin_store ${short(args[1])}`
  const table = /(?:from|update|into)\s+(?:kinora|public)\.("?\w+"?)/.exec(text)?.[1]
  return called ?? table ?? text.trim().split('\n')[0] ?? ''
}

export function describeResult(result: unknown): string {
  const rows = result as Record<string, unknown>[]
  if (rows.length === 0) return 'no row'
  return rows
    .slice(0, 5)
    .map(
      (row) =>
        row.outcomes ?? row.outcome ?? (row.id ? short(row.id) : Object.values(row).slice(0, 2).map(plain).join(' ')),
    )
    .join('; ')
}

const plain = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value).slice(0, 40))
