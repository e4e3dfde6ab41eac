/**
 * Where a submit goes: to the first of the film's accounts that has room. Their order is that of the catalogue, with
 * those that are switched off or whose route fails at the end; an account has room by its limits over all workers
 * (server/sql/provider_slot.sql), and one without limits costs nothing. A video for which none has room is deferred for
 * longer, the older it is: of a long backlog few come at a time, and with a short one no slot is long idle.
 */

import type { App } from '../app.ts'
import { isOn } from '../catalogue/switches.ts'
import { call } from '../db/call.ts'
import type { OpenProvider } from '../provider/open.ts'
import { isKeptAt } from './input-step.ts'
import { returnLease, type Step } from './outcome.ts'
import { orderByHealth } from './route-health.ts'

export type Limits = {
  /** Tasks at a time. */
  concurrency?: number
  submitsPer?: { count: number; seconds: number }
}
/** `step`: with accounts in today's order, and `account` in use. `provider`: null without settings. */
export type Route = { step: Step; account: string; provider: OpenProvider | null }

/** How long an account that is full is not asked again by this process. */
const FULL_MS = 1_000
const PAUSE_MIN_MS = 1_000
const PAUSE_MAX_MS = 60_000

/** When each account of this process may have a free slot again. */
const closed = new WeakMap<App, Map<string, number>>()

/** Takes a slot for a submit. Returns null when no account has one: the step is over, and the video due later. */
export async function takeRoute(app: App, step: Step): Promise<Route | null> {
  const { video } = step
  const providers = await orderOf(app, video)
  let freeMs = Number.POSITIVE_INFINITY
  for (let providerIndex = video.providerIndex; providerIndex <= providers.length; providerIndex += 1) {
    const account = providers[providerIndex - 1] ?? ''
    const provider = await app.providers.open(account)
    const freeAtMs = provider && (await takeSlot(app, step, account, provider.limits))
    if (freeAtMs === null) {
      const attempt = account === video.providers[video.providerIndex - 1] ? video.attempt : 0
      return { step: { ...step, video: { ...video, providers, providerIndex, attempt } }, account, provider }
    }
    freeMs = Math.min(freeMs, freeAtMs)
    // It goes on from what it has made itself, as no other account can.
    if (isEarly(app, video) && (await isKeptAt(app, video, account))) break
  }
  const nowMs = app.now().getTime()
  const { createdAt, deadlineAt } = video
  const pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, (nowMs - createdAt.getTime()) / 8))
  const dueMs = Math.max(freeMs, nowMs + pauseMs * (0.5 + Math.random() / 2))
  await returnLease(app, step, new Date(Math.min(dueMs, deadlineAt.getTime())))
  return null
}

/** In the first half of its time a film waits for the account that keeps the film before it. */
const isEarly = ({ now }: App, { createdAt, deadlineAt }: Step['video']): boolean =>
  now().getTime() < (createdAt.getTime() + deadlineAt.getTime()) / 2

/** Tried ones stay in place. A film that only accounts that are off can make is sent to them: it was sold. */
async function orderOf(app: App, { providers, providerIndex, model }: Step['video']): Promise<string[]> {
  const rest = providers.slice(providerIndex - 1)
  if (rest.length < 2) return providers
  const on = rest.filter((account) => isOn({ model, account }))
  const off = rest.filter((account) => !isOn({ model, account }))
  return [...providers.slice(0, providerIndex - 1), ...(await orderByHealth(app, on, model)), ...off]
}

/** @returns null when a slot was taken, else when there may be one */
async function takeSlot(app: App, step: Step, account: string, limits: Limits): Promise<number | null> {
  if (limits.concurrency === undefined && limits.submitsPer === undefined) return null
  const times = closed.get(app) ?? new Map<string, number>()
  closed.set(app, times)
  const nowMs = app.now().getTime()
  const knownMs = times.get(account) ?? 0
  // A later time is of a clock that has been set back.
  if (knownMs > nowMs && knownMs <= nowMs + FULL_MS) return knownMs
  let { outcome, freeAt } = await providerTakeSlot(app, step, account, limits)
  if (outcome === 'full' && (await freeEnded(app, account)))
    ({ outcome, freeAt } = await providerTakeSlot(app, step, account, limits))
  if (outcome === 'taken') return null
  const freeMs = freeAt?.getTime() ?? nowMs + FULL_MS
  times.set(account, Math.min(freeMs, nowMs + FULL_MS))
  return freeMs
}

/** Why an account takes no submit now: all of its tasks at a time are taken, or its submits of a time were sent. */
export type NoRoom =
  | { limit: 'concurrency'; tasks: number }
  | { limit: 'submitsPer'; count: number; seconds: number; freeAt: Date }

/** The accounts that have no room. */
export async function accountsWithoutRoom({ sql, providers, now }: App): Promise<Map<string, NoRoom>> {
  const rows = await sql<{ account: string; tasks: number; submits: number; freeAt: Date | null }[]>`
    select account,
           count(*) filter (where kind = 'task' and holder is not null) as tasks,
           count(*) filter (where kind = 'submit' and until > ${now()}) as submits,
           min(until) filter (where kind = 'submit') as free_at
    from kinora.provider_slot
    group by account
  `
  const found = new Map<string, NoRoom>()
  for (const { account, tasks, submits, freeAt } of rows) {
    const { concurrency, submitsPer } = (await providers.open(account))?.limits ?? {}
    if (concurrency !== undefined && tasks >= concurrency) found.set(account, { limit: 'concurrency', tasks })
    else if (submitsPer && freeAt && submits >= submitsPer.count)
      found.set(account, { limit: 'submitsPer', ...submitsPer, freeAt })
  }
  return found
}

async function providerTakeSlot(
  { sql, now }: App,
  { video }: Step,
  account: string,
  { concurrency, submitsPer }: Limits,
): Promise<{ outcome: 'taken' | 'full' | 'later'; freeAt: Date | null }> {
  return await call(sql, 'provider_take_slot', {
    account,
    holder: `${video.userId}.${video.id}`,
    concurrency: concurrency ?? null,
    count: submitsPer?.count ?? null,
    seconds: submitsPer?.seconds ?? null,
    now: now(),
  })
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
  const freed = await call(sql, 'provider_free_slots', { account, holders, now: now() })
  return freed > 0
}
