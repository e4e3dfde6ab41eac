/**
 * The load of a chaos run: users who generate, cancel, delete, upload and pay, for themselves and for a team whose
 * members are removed and invited again, and repeat each request until it has an answer. It notes what was
 * acknowledged, which the service must not lose.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { plain } from '../../server/test/support/images.ts'
import { type Processor, signed, webhooks } from '../../server/test/support/payment/payment-delivery.ts'
import { checkoutA, eventA, eventB, sessionB } from '../../server/test/support/payment/payment-events.ts'
import { vendorFilms } from '../vendors.ts'

export type User = { userId: string; token: string }
/** `members` make films for it, each within a budget. */
export type Team = { id: string; owner: User; members: User[] }
export type Load = {
  /** The videos that responses named, by Idempotency-Key. */
  generated: Map<string, Set<string>>
  cancelled: Set<string>
  deleted: Set<string>
  /** The member who made a video for the team, by its id. */
  ofTeam: Map<string, string>
  removals: number
  returns: number
  /** The credits and the user, by source, of payments whose webhook was answered with 200. */
  paid: Map<string, { userId: string; credits: number }>
  uploads: number
  requests: number
  failures: number
  stop: () => Promise<void>
}

const TIMEOUT_MS = 20_000
const RETRY_MS = 400
/** A third of them is made by provider-b and provider-a. */
const FILMS = [...vendorFilms, ...Array(3).fill({ model: 'delta-1-5', duration: 4, aspectRatio: '16:9' })]
const SENTINELS = [
  '',
  '',
  '',
  '',
  '',
  '[lost]',
  '[twice]',
  '[early]',
  '[contradict]',
  '[fail: No.]',
  '[down: 2]',
  '[hang]',
  '[truncated]',
]

/** @param api the base URL of an API process, another one each time */
export function startLoad(api: () => string, users: User[], pauseMs: number, team: Team | null = null): Load {
  let isStopped = false
  const load: Books = {
    generated: new Map(),
    cancelled: new Set(),
    deleted: new Set(),
    ofTeam: new Map(),
    removals: 0,
    returns: 0,
    paid: new Map(),
    uploads: 0,
    requests: 0,
    failures: 0,
  }
  const sender: Sender = { load, api }
  const live = async (user: User) => {
    const teamId = team?.members.includes(user) ? team.id : null
    while (!isStopped) {
      const chance = Math.random()
      await (chance < 0.75
        ? generate(sender, user, chance < 0.375 ? teamId : null)
        : chance < 0.85
          ? upload(sender, user)
          : pay(sender, user))
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }
  const manage = async ({ id, owner, members }: Team) => {
    for (let n = 0; !isStopped; n++) {
      await sleep(pauseMs * 3)
      const member = members[n % members.length]
      if (member) await removeAndInvite(sender, { teamId: id, owner, member, pauseMs })
    }
  }
  const over = Promise.all([...users.map(live), ...(team ? [manage(team)] : [])])
  return Object.assign(load, {
    stop: async () => {
      isStopped = true
      await over
    },
  })
}

type Books = Omit<Load, 'stop'>
type Sender = { load: Books; api: () => string }

/** Sends until there is an answer below 500 or the load is over. */
async function send({ load, api }: Sender, make: () => { path: string; init: RequestInit }) {
  for (let tries = 0; tries < 500; tries++) {
    const { path, init } = make()
    load.requests++
    try {
      const response = await fetch(api() + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
      const text = await response.text()
      if (response.status < 500 && response.status !== 429) return { status: response.status, text }
    } catch {
      load.failures++
    }
    await sleep(RETRY_MS * Math.random() * 2)
  }
  return { status: 0, text: '' }
}

const bearer = ({ token }: User, teamId: string | null = null) => ({
  authorization: `Bearer ${token}`,
  ...(teamId && { 'x-team': teamId }),
})

async function generate(sender: Sender, user: User, teamId: string | null) {
  const key = randomUUID()
  const prompt = `Chaos ${key.slice(0, 8)} ${SENTINELS[Math.floor(Math.random() * SENTINELS.length)]}`
  const body = JSON.stringify({ prompt, ...FILMS[Math.floor(Math.random() * FILMS.length)] })
  const headers = { ...bearer(user, teamId), 'content-type': 'application/json', 'idempotency-key': key }
  const answer = await send(sender, () => ({ path: '/api/v1/video/generate', init: { method: 'POST', body, headers } }))
  if (answer.status !== 200) return
  const { uuid } = JSON.parse(answer.text).data
  if (teamId) sender.load.ofTeam.set(uuid, user.userId)
  sender.load.generated.set(key, (sender.load.generated.get(key) ?? new Set()).add(uuid))
  const chance = Math.random()
  if (chance < 0.1) {
    const path = `/api/v1/video/${uuid}/cancel`
    const cancel = await send(sender, () => ({ path, init: { method: 'POST', headers: bearer(user, teamId) } }))
    // Still GENERATING: the provider was asked, and may finish the film all the same.
    if (cancel.status === 200 && JSON.parse(cancel.text).data.status === 'FAILED') sender.load.cancelled.add(uuid)
  } else if (chance < 0.2) {
    const path = `/api/v1/video/${uuid}`
    if (
      (await send(sender, () => ({ path, init: { method: 'DELETE', headers: bearer(user, teamId) } }))).status === 200
    )
      sender.load.deleted.add(uuid)
  }
}

type Change = { teamId: string; owner: User; member: User; pauseMs: number }

/** A repetition of what was done without a response is 404, and so is what a removed member asks for. */
async function removeAndInvite(sender: Sender, { teamId, owner, member, pauseMs }: Change) {
  const headers = { ...bearer(owner, teamId), 'content-type': 'application/json' }
  const path = `/api/v1/team/members/${member.userId}`
  const removed = await send(sender, () => ({ path, init: { method: 'DELETE', headers: bearer(owner, teamId) } }))
  if (removed.status !== 200 && removed.status !== 404) return
  sender.load.removals++
  await sleep(pauseMs)
  const body = JSON.stringify({ email: `${member.userId}@example.com`, role: 'maker' })
  const invited = await send(sender, () => ({
    path: '/api/v1/team/invitations',
    init: { method: 'POST', headers, body },
  }))
  if (invited.status !== 200) return
  const token = /[\w-]{43}$/.exec(JSON.parse(invited.text).data.link)?.[0]
  const accepted = await send(sender, () => ({
    path: '/api/v1/team/invitations/accept',
    init: {
      method: 'POST',
      headers: { ...bearer(member), 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    },
  }))
  if (accepted.status === 200 || accepted.status === 404) sender.load.returns++
}

async function upload(sender: Sender, user: User) {
  const picture = await plain(320, 240)
  const headers = { ...bearer(user), 'content-type': 'image/png' }
  const init = () => ({
    path: '/api/v1/video/image',
    init: { method: 'POST', body: new Uint8Array(picture), headers },
  })
  if ((await send(sender, init)).status === 200) sender.load.uploads++
}

async function pay(sender: Sender, { userId }: User) {
  const processor: Processor = Math.random() < 0.5 ? 'payment-a' : 'payment-b'
  const id = randomUUID().slice(0, 12)
  const event =
    processor === 'payment-a'
      ? eventA('checkout.completed', checkoutA(userId, { order: { id: `ord_${id}`, status: 'paid', type: 'onetime' } }))
      : eventB('checkout.session.completed', sessionB(userId, { payment_intent: `pi_${id}` }))
  const body = JSON.stringify(event)
  const deliver = () => ({
    path: webhooks[processor],
    init: { method: 'POST', body, headers: { 'content-type': 'application/json', ...signed(processor, body) } },
  })
  const { status } = await send(sender, deliver)
  if (Math.random() < 0.3) await send(sender, deliver)
  if (status !== 200) return
  const source = processor === 'payment-a' ? `payment-a:ord_${id}` : `payment-b:pi_${id}`
  sender.load.paid.set(source, { userId, credits: processor === 'payment-a' ? 280 : 960 })
}
