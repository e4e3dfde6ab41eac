/**
 * Explains in one sentence why an unfinished video is waiting, from its row: for an operator on call, what it waits
 * for, until when, and whether action is needed.
 */
import { counted } from '../text/counted.ts'
import { COLLECT_WINDOW_MS } from '../video/collect.ts'
import type { NoRoom } from '../video/provider-slot.ts'

/** A video that has been due for longer is overdue: no worker claims it. */
export const OVERDUE_AFTER_MS = 60_000

export type Waiting = {
  status: 'PENDING' | 'GENERATING' | 'UPLOADING'
  /** The current provider. */
  provider: string
  /** From the current one on. */
  accounts: string[]
  providerIndex: number
  attempt: number
  /** For a place among the user's videos in progress. */
  isWaiting: boolean
  submittedAt: Date | null
  acceptedAt: Date | null
  resultAt: Date | null
  dueAt: Date
  leaseUntil: Date | null
  deadlineAt: Date
  progress: number
  usualS: number
  /** The last entry of its log. */
  lastEvent: string | null
  lastDetail: string | null
}

/**
 * @param workersAreBusy whether any video is leased now, which distinguishes too few workers from none
 * @param noRoom the accounts whose limits take no submit now
 */
export function why(row: Waiting, now: Date, workersAreBusy: boolean, noRoom: ReadonlyMap<string, NoRoom>): string {
  const at = (moment: Date) => time(moment, now)
  if (row.dueAt.getTime() < now.getTime() - OVERDUE_AFTER_MS) return overdue(row, at, workersAreBusy)
  if (row.leaseUntil && row.leaseUntil > now) return claimed(row)
  switch (row.status) {
    case 'PENDING':
      return pending(row, now, at, noRoom)
    case 'GENERATING':
      return generating(row, now, at)
    case 'UPLOADING':
      return uploading(row, now, at)
  }
}

type At = (moment: Date) => string

function overdue(row: Waiting, at: At, workersAreBusy: boolean): string {
  const since = `Overdue: no worker has looked at it since ${at(row.dueAt)}`
  if (workersAreBusy) return `${since}, although workers are busy with others. Start more of them if this goes on.`
  const left = row.leaseUntil ? ', when the one that had it stopped' : ''
  return `${since}${left}. Is a worker running? "kinora worker" starts one.`
}

function claimed({ status, provider, attempt }: Waiting): string {
  const nth = attempt > 0 && status !== 'GENERATING' ? ` (try ${attempt + 1})` : ''
  if (status === 'PENDING') return `A worker is sending it to ${provider}${nth}.`
  if (status === 'GENERATING') return `A worker is asking ${provider} how far it is.`
  return `A worker is fetching and checking the film${nth}.`
}

function pending(row: Waiting, now: Date, at: At, noRoom: ReadonlyMap<string, NoRoom>): string {
  const { provider, accounts, dueAt, deadlineAt, submittedAt } = row
  if (row.isWaiting)
    return `It waits for other videos of its user to end (MAX_IN_PROGRESS); a worker looks ${next(dueAt, now, at)}.`
  if (submittedAt && dueAt >= deadlineAt) {
    const reason = row.lastEvent === 'no answer' ? reasonOf(row) : ''
    const until = `waiting for its callback until ${at(deadlineAt)}, then the credits go back`
    return `${provider} was sent the task and did not answer${reason}: ${until}.`
  }
  if (submittedAt)
    return `It was sent to ${provider} and no answer is recorded; a worker looks at it ${next(dueAt, now, at)}.`
  const full = accounts.flatMap((account): [string, NoRoom][] => {
    const room = noRoom.get(account)
    return room ? [[account, room]] : []
  })
  // Of several accounts, one that keeps the film before it is waited for alone.
  const isKept = row.lastEvent !== 'not accepted' && noRoom.has(provider)
  if (dueAt > now && (isKept || full.length === accounts.length)) {
    const each = full.map(([account, room]) => `${account} ${roomOf(room, at)}`).join(', ')
    return `It waits for room: ${each}. A worker looks ${next(dueAt, now, at)}, given up at ${at(deadlineAt)}.`
  }
  if (row.lastEvent === 'not accepted') {
    return `It was not accepted${reasonOf(row)}; ${provider} is tried ${next(dueAt, now, at)}, given up at ${at(deadlineAt)}.`
  }
  return `Waiting for a worker to send it to ${provider}.`
}

function roomOf(room: NoRoom, at: At): string {
  if (room.limit === 'concurrency') return `is full (${room.tasks} of ${room.tasks} tasks)`
  return `has had its ${room.count} submits in ${room.seconds} s and takes the next at ${at(room.freeAt)}`
}

function generating({ provider, dueAt, deadlineAt, acceptedAt, progress, usualS }: Waiting, now: Date, at: At): string {
  const isSlow = acceptedAt !== null && now.getTime() - acceptedAt.getTime() > 2 * usualS * 1000
  const slow = isSlow ? `, slower than its usual ${usualS} s` : ''
  const asked = `asked again ${next(dueAt, now, at)}, given up at ${at(deadlineAt)}`
  return `Waiting for ${provider} (${progress} %${slow}); ${asked}.`
}

function uploading(row: Waiting, now: Date, at: At): string {
  if (row.attempt === 0) return `${row.provider} has finished; waiting for a worker to fetch the film.`
  const tries = counted(row.attempt, 'try', 'tries')
  const end = row.resultAt ? `, given up at ${at(new Date(row.resultAt.getTime() + COLLECT_WINDOW_MS))}` : ''
  return `The film could not be fetched or stored (${tries})${reasonOf(row)}; next try ${next(row.dueAt, now, at)}${end}.`
}

/** The log's detail in parentheses. */
function reasonOf({ lastDetail }: Waiting): string {
  const reason = lastDetail?.trim().replace(/[.;]$/, '')
  return reason ? ` (${reason})` : ''
}

const next = (moment: Date, now: Date, at: At): string => (moment <= now ? 'any moment' : `at ${at(moment)}`)

/** `12:03:20 UTC`, preceded by the date when it is not today. */
function time(moment: Date, now: Date): string {
  const [day, clock = ''] = moment.toISOString().split('T')
  const isToday = now.toISOString().startsWith(day ?? '')
  return `${isToday ? '' : `${day} `}${clock.slice(0, 8)} UTC`
}
