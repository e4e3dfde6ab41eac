/** The users: they generate, cancel and delete videos, and repeat a lost request with its Idempotency-Key. */
import { vendorFilms } from '../vendors.ts'
import type { ApiResponse, Call } from './api.ts'
import type { Scheduler } from './scheduler.ts'
import { short } from './statement.ts'
import { type Sender, sendAs } from './teams.ts'

/** A generate request of a user or a member, however often it is sent. */
export type ClientRequest = Sender & {
  key: string | null
  body: string
  atMs: number
  /** The videos that responses with 200 named, whether or not they arrived. */
  acknowledged: Set<string>
  /** How often it was sent. */
  sent: number
  /** Those whose cancellation or deletion was acknowledged. */
  cancelled: Set<string>
  deleted: Set<string>
  /** 402, 409 or 429: it created no video. */
  refusals: number
}

export type Clients = {
  requests: ClientRequest[]
  /** Requests of removed members that were not refused. */
  problems: string[]
  pending: () => number
  start: (sender: Sender, count: number) => void
}

const TRIES = 6
const PAUSE_MS = 2_000
const MODELS = [
  { model: 'delta-1-5', duration: 4, aspectRatio: '16:9' },
  { model: 'alpha-2', duration: 5, aspectRatio: '16:9' },
  { model: 'beta-3-1', duration: 6, aspectRatio: '16:9' },
  ...vendorFilms,
]

/** @param webhookUrlOf for some of the requests of a user; null: no request has one */
export function openClients(
  scheduler: Scheduler,
  call: Call,
  webhookUrlOf: ((userId: string) => string) | null = null,
): Clients {
  const { random } = scheduler
  const problems: string[] = []
  const world = { scheduler, call, problems }
  const requests: ClientRequest[] = []
  let pending = 0

  const live = async (sender: Sender, count: number) => {
    const { userId, member } = sender
    // The requests of an owner have keys and prompts of their own.
    const by = member ? ` of ${short(member.userId)}` : ''
    for (let n = 1; n <= count; n++) {
      await scheduler.sleep(random.between(0, random.chance(0.3) ? 30_000 : 500))
      const webhookUrl = webhookUrlOf && random.chance(0.3) ? { webhookUrl: webhookUrlOf(userId) } : {}
      const request: ClientRequest = {
        ...sender,
        key: random.chance(0.75) ? `key-${n}${by}` : null,
        body: JSON.stringify({ prompt: `A paper boat, take ${n}${by}`, ...random.pick(MODELS), ...webhookUrl }),
        atMs: scheduler.nowMs(),
        acknowledged: new Set(),
        sent: 0,
        cancelled: new Set(),
        deleted: new Set(),
        refusals: 0,
      }
      requests.push(request)
      pending++
      generate(world, request)
        .then(async (uuid) => {
          if (uuid === null || random.chance(0.7)) return
          await scheduler.sleep(random.between(0, random.pick([5_000, 30_000])))
          const first = random.chance(0.7) ? 'cancel' : 'delete'
          await change(world, request, uuid, first)
          if (first === 'delete' || random.chance(0.5)) return
          // The deletion comes at once, as from a user who clears the list, or when the film is there.
          await scheduler.sleep(random.between(0, random.pick([1_000, 90_000])))
          await change(world, request, uuid, 'delete')
        })
        .finally(() => {
          pending--
        })
    }
  }
  return {
    requests,
    problems,
    pending: () => pending,
    start: (sender, count) => {
      pending++
      live(sender, count).finally(() => {
        pending--
      })
    },
  }
}

type World = { scheduler: Scheduler; call: Call; problems: string[] }

/** Sends a request until there is a response that is no failure of the service. Returns the video, or null. */
async function generate(world: World, request: ClientRequest): Promise<string | null> {
  const { scheduler } = world
  const headers = request.key ? { 'idempotency-key': request.key } : {}
  const tries = request.key ? TRIES : 1
  for (let n = 1; n <= tries; n++) {
    request.sent++
    const response = await sendAs(
      world,
      request,
      {
        method: 'POST',
        path: '/api/v1/video/generate',
        headers: { 'content-type': 'application/json', ...headers },
        body: request.body,
      },
      ({ status, data }) => {
        if (status === 200) request.acknowledged.add(String(data.uuid))
        else if (status < 500) request.refusals++
      },
    )
    scheduler.trace(
      `user ${short(request.actorId)}`,
      `generate${request.key ? ` ${request.key}` : ''} → ${textOf(response)}`,
    )
    if (response?.status === 200) return String(response.data.uuid)
    if (response && response.status < 500) return null
    await scheduler.sleep(scheduler.random.between(100, PAUSE_MS * 2 ** n))
  }
  return null
}

async function change(world: World, request: ClientRequest, uuid: string, kind: 'cancel' | 'delete') {
  const { scheduler } = world
  for (let n = 1; n <= TRIES; n++) {
    const [method, path] =
      kind === 'cancel' ? ['POST', `/api/v1/video/${uuid}/cancel`] : ['DELETE', `/api/v1/video/${uuid}`]
    const response = await sendAs(world, request, { method, path, headers: {}, body: '' }, ({ status, data }) => {
      // Still GENERATING: the provider was asked, and may finish the film all the same.
      if (status !== 200 || data.status === 'GENERATING') return
      request[kind === 'cancel' ? 'cancelled' : 'deleted'].add(uuid)
    })
    scheduler.trace(`user ${short(request.actorId)}`, `${kind} ${short(uuid)} → ${textOf(response)}`)
    // A provider that may have the task has not said so yet, or did not answer; or it is too late.
    const isWorthAgain = response?.status === 409 && kind === 'cancel' && scheduler.random.chance(0.5)
    if (response && response.status < 500 && !isWorthAgain) return
    await scheduler.sleep(scheduler.random.between(100, PAUSE_MS * 2 ** n))
  }
}

const textOf = (response: ApiResponse | null): string =>
  response
    ? `${response.status} ${response.status === 200 ? short(response.data.uuid) : String(response.data.code)}`
    : 'no response'
