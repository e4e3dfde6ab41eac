/**
 * The limits of a provider's account over all workers (server/sql/provider_slot.sql). An account without limits costs nothing. A video
 * that has to wait is deferred for longer, the older it is: of a long backlog few come at a time, and with a short one no slot is long idle.
 */
import type { App } from '../app.ts'
import { returnLease, type Step } from './outcome.ts'

export type Limits = {
  /** Tasks at a time. */
  concurrency?: number
  submitsPer?: { count: number; seconds: number }
}

/** How long an account that is full is not asked again by this process. */
const FULL_MS = 1_000
const PAUSE_MIN_MS = 1_000
const PAUSE_MAX_MS = 60_000

/** When each account of this process may have a free slot again. */
const closed = new WeakMap<App, Map<string, number>>()

/** Takes a slot for a submit. Returns false when there is none: the step is over, and the video due later. */
export async function takeSlot(app: App, step: Step, account: string, limits: Limits): Promise<boolean> {
  if (limits.concurrency === undefined && limits.submitsPer === undefined) return true
  const times = closed.get(app) ?? new Map<string, number>()
  closed.set(app, times)
  const nowMs = app.now().getTime()
  let freeMs = times.get(account) ?? 0
  // A later time is of a clock that has been set back.
  if (freeMs <= nowMs || freeMs > nowMs + FULL_MS) {
    let { outcome, freeAt } = await providerTakeSlot(app, step, account, limits)
    if (outcome === 'full' && (await freeEnded(app, account)))
      ({ outcome, freeAt } = await providerTakeSlot(app, step, account, limits))
    if (outcome === 'taken') return true
    freeMs = freeAt?.getTime() ?? nowMs + FULL_MS
    times.set(account, Math.min(freeMs, nowMs + FULL_MS))
  }
  const { createdAt, deadlineAt } = step.video
  const pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, (nowMs - createdAt.getTime()) / 8))
  const dueMs = Math.max(freeMs, nowMs + pauseMs * (0.5 + Math.random() / 2))
  await returnLease(app, step, new Date(Math.min(dueMs, deadlineAt.getTime())))
  return false
}

async function providerTakeSlot(
  { sql, now }: App,
  { video }: Step,
  account: string,
  { concurrency, submitsPer }: Limits,
): Promise<{ outcome: 'taken' | 'full' | 'later'; freeAt: Date | null }> {
  const [row] = await sql<[{ outcome: 'taken' | 'full' | 'later'; freeAt: Date | null }]>`
    select outcome, free_at
    from kinora.provider_take_slot(
      p_account => ${account},
      p_holder => ${`${video.userId}.${video.id}`},
      p_concurrency => ${concurrency ?? null}::integer,
      p_count => ${submitsPer?.count ?? null}::integer,
      p_seconds => ${submitsPer?.seconds ?? null}::integer,
      p_now => ${now()}
    )
  `
  return row
}

/** Frees the slots of videos that the account is not working on any more. Returns whether there are any. */
async function freeEnded({ sql, now }: App, account: string): Promise<boolean> {
  const rows = await sql<{ holder: string }[]>`
    select holder from kinora.provider_slot where account = ${account} and kind = 'task' and holder is not null and until <= ${now()}
  `
  const ended = await Promise.all(
    rows.map(async ({ holder }) => {
      const [userId = '', id = ''] = holder.split('.')
      const [atWork] = await sql`
        select from kinora.video v
        where v.user_id = ${userId} and v.id = ${id} and v.providers[v.provider_index] = ${account}
          and (v.status = 'GENERATING' or v.status = 'PENDING' and v.submitted_at is not null)
      `
      return atWork ? [] : [holder]
    }),
  )
  const holders = ended.flat()
  if (holders.length === 0) return false
  const [row] = await sql<[{ freed: number }]>`
    select kinora.provider_free_slots(p_account => ${account}, p_holders => ${holders}::text[], p_now => ${now()}) as freed
  `
  return row.freed > 0
}
