/** Judges a finished run: the ledger's checks, and what users, providers and processors know. */
import { verify } from '../../server/src/credit/verify.ts'
import { onePart } from '../../server/src/db/parts.ts'
import type { Clients } from './clients.ts'
import { BY_LENGTH, type Database } from './database.ts'
import { PAUSE_MS_MAX } from './fault-injector.ts'
import type { Processors } from './processors.ts'
import type { Generation } from './projects.ts'
import type { Providers } from './providers.ts'
import type { Received, Receivers } from './receivers.ts'
import type { Scheduler } from './scheduler.ts'
import { short } from './statement.ts'
import type { Stored } from './storage.ts'
import type { Team } from './teams.ts'

type Finished = {
  database: Database
  scheduler: Scheduler
  stored: Stored
  providers: Providers
  processors: Processors
  clients: Clients
  projects: { generations: Generation[] }
  /** null: the users of this run have no webhooks. */
  receivers: Receivers | null
  users: string[]
  team: Team | null
  isFinished: boolean
  healedMs: number
  skewMaxMs: number
  finishedMs: number
}

type Video = {
  userId: string
  id: string
  status: string
  errorCode: string | null
  model: string
  credits: number
  prompt: string
  createdAt: Date
  completedAt: Date | null
  deadlineAt: Date
  resultAt: Date | null
  videoKey: string | null
  thumbnailKey: string | null
  deletedAt: Date | null
  madeBy: string | null
}

const COLLECT_WINDOW_MS = 3_600_000
/** A lease, a call of a provider, a poll pause, and a download under way. */
const SLACK_MS = 10 * 60_000

export async function findViolations(finished: Finished): Promise<string[]> {
  const { database, isFinished } = finished
  const found: string[] = []
  for (const { subject, rule, expected, found: is } of await verify(onePart(database.sql))) {
    found.push(`ledger: ${subject}: ${rule}: expected ${expected}, found ${is}`)
  }
  const videos = [
    ...(await database.sql<Video[]>`
      select user_id, id, status, error_code, model, credits, prompt, created_at, completed_at, deadline_at, result_at, video_key,
             thumbnail_key, deleted_at, made_by
      from kinora.video
      order by id
    `),
  ]
  if (!isFinished) found.push('the service did not finish its work after the faults had ended')
  found.push(
    ...deadlines(finished, videos),
    ...submits(finished, videos),
    ...requests(finished, videos),
    ...generations(finished, videos),
    ...films(finished, videos),
  )
  found.push(...reports(finished, videos), ...(await credits(finished, videos)), ...(await payments(finished)))
  found.push(
    ...(await webhooks(finished, videos)),
    ...(await members(finished, videos)),
    ...(await transfers(finished)),
  )
  return found
}

/** No video is past its deadline. While faults last, all workers may be down; the time counts from their end then. */
function* deadlines({ healedMs }: Finished, videos: Video[]): Generator<string> {
  for (const { id, status, completedAt, deadlineAt, resultAt } of videos) {
    if (completedAt === null) yield `video ${short(id)} is still ${status}`
    const limitMs = resultAt ? resultAt.getTime() + COLLECT_WINDOW_MS : deadlineAt.getTime()
    if (completedAt && completedAt.getTime() > Math.max(limitMs, healedMs) + SLACK_MS) {
      yield `video ${short(id)} became ${status} ${Math.round((completedAt.getTime() - limitMs) / 1000)} s after its deadline`
    }
  }
}

/** Checks that at most one submit of a video is paid for. */
function* submits({ providers }: Finished, videos: Video[]): Generator<string> {
  for (const { id, status, errorCode } of videos) {
    const paid = providers.submits.filter((each) => each.videoId === id && each.isPaid)
    if (paid.length > 1) yield `video ${short(id)} was paid for ${paid.length} times`
    // A provider that was asked to stop removes the task, which may have ended just then.
    const isEnded = paid.every(({ task }) => task && (task.isCancelled || task.isRemoved || !task.isHonest))
    if (errorCode === 'CANCELLED' && !isEnded) yield `video ${short(id)} was cancelled, and its task was paid for`
    if (status === 'COMPLETED' && paid.some(({ task }) => task?.isHonest && task.isCancelled))
      yield `video ${short(id)} is COMPLETED, and the provider has cancelled its task`
  }
  yield* providers.leaks
  for (const { videoId } of providers.submits) {
    if (!videos.some(({ id }) => id === videoId))
      yield `a task was sent for the video ${short(videoId)}, which does not exist`
  }
}

/** Every acknowledged request is there, once. */
function* requests({ clients }: Finished, videos: Video[]): Generator<string> {
  const byId = new Map(videos.map((video) => [video.id, video]))
  for (const request of clients.requests) {
    const name = `the request ${request.key ?? 'without a key'} of user ${short(request.userId)}`
    const { prompt } = JSON.parse(request.body) as { prompt: string }
    const made = videos.filter((video) => video.userId === request.userId && video.prompt === prompt)
    if (request.key && made.length > 1) yield `${name} created ${made.length} videos`
    if (!request.key && request.acknowledged.size > made.length)
      yield `${name} was acknowledged with videos that are not there`
    if (request.key && request.acknowledged.size > 1)
      yield `${name} was acknowledged with ${request.acknowledged.size} videos`
    for (const uuid of request.acknowledged) {
      const video = byId.get(uuid)
      if (!video) yield `${name} was acknowledged, and its video ${short(uuid)} is not there`
      else if (request.cancelled.has(uuid) && video.errorCode !== 'CANCELLED')
        yield `the cancelled video ${short(uuid)} is ${video.status}`
      else if (request.deleted.has(uuid) && video.deletedAt === null) yield `the deleted video ${short(uuid)} is there`
    }
  }
}

/** Of the shots of a project all have a film, or none; the films are acknowledged as they are. */
function* generations({ projects }: Finished, videos: Video[]): Generator<string> {
  for (const { userId, prompts, acknowledged } of projects.generations) {
    const made = videos.filter((video) => video.userId === userId && prompts.includes(video.prompt))
    const ids = made.map(({ id }) => id).join()
    if (made.length !== 0 && made.map(({ prompt }) => prompt).join() !== prompts.join())
      yield `of ${prompts.length} shots of user ${short(userId)} ${made.length} were generated`
    for (const each of acknowledged)
      if (each !== ids) yield `the shots of user ${short(userId)} were acknowledged otherwise`
  }
}

/** A film of a team is its maker's, within the budget; who was removed gets nothing more; the team keeps an owner. */
async function members({ database, clients, team }: Finished, videos: Video[]): Promise<string[]> {
  const found = [...clients.problems]
  for (const { acknowledged, userId, actorId, member } of clients.requests) {
    for (const { id, madeBy, ...video } of videos.filter(({ id }) => acknowledged.has(id))) {
      if (video.userId !== userId)
        found.push(`video ${short(id)} was made for ${short(userId)}, and another owner has it`)
      if (madeBy !== (member ? actorId : null))
        found.push(`video ${short(id)} of ${short(actorId)} was made by ${madeBy && short(madeBy)}`)
    }
  }
  for (const { userId, budgetMax } of team?.members ?? []) {
    const own = videos.filter((video) => video.madeBy === userId && video.status !== 'FAILED')
    const spent = own.reduce((sum, { credits: cost }) => sum + cost, 0)
    if (budgetMax !== null && spent > budgetMax)
      found.push(`member ${short(userId)} spent ${spent} credits of a budget of ${budgetMax}`)
  }
  const [row] = await database.sql<{ owners: number }[]>`
    select count(*)::int as owners from kinora.team_member where team_id = ${team?.id ?? null} and role = 'owner'
  `
  if (team && row?.owners === 0) found.push('the team has no owner')
  return found
}

/** Every acknowledged transfer left the member and came to the team, once; no credit is made or lost. */
async function transfers({ database: { sql }, team }: Finished): Promise<string[]> {
  const found: string[] = []
  const rows = await sql<{ userId: string; id: string; credits: number }[]>`
    select user_id, split_part(source, ':', 2) as id, credits
    from kinora.credit_transaction
    where source like 'transfer:%'
    -- What left the member comes first, whichever id is larger.
    order by credits, user_id, n
  `
  for (const { userId, key, credits: asked, acknowledged } of team?.transfers ?? []) {
    if (acknowledged.size > 1) found.push(`the transfer ${key} was acknowledged as ${acknowledged.size}`)
    for (const id of acknowledged) {
      const moved = rows.filter((row) => row.id === id).map((row) => `${row.credits} of ${short(row.userId)}`)
      const expected = [`${-asked} of ${short(userId)}`, `${asked} of ${short(team?.id)}`]
      if (moved.join() !== expected.join())
        found.push(`the transfer ${key} of ${asked} credits was ${moved.join(', ')}`)
    }
  }
  const attempts = team?.transfers.length ?? 0
  if (rows.length > 2 * attempts) found.push(`${attempts} requests of transfers left ${rows.length} rows`)
  const [sums] = await sql<{ total: number; granted: number }[]>`
    select (select sum(total) from kinora.credit_account)::bigint as total,
           (select sum(initial) from kinora.credit_package where parent_id is null and from_user_id is null)::bigint as granted
  `
  if (sums?.total !== sums?.granted)
    found.push(`${sums?.granted} credits were granted, and the accounts have ${sums?.total}`)
  const claims = await sql<{ source: string; asked: number; claimed: number }[]>`
    select r.source, round(r.initial * least(1, c.part))::bigint as asked, sum(p.refund_claimed)::bigint as claimed
    from kinora.credit_package r
    cross join lateral (
      select coalesce(sum(part), 0) as part from kinora.credit_refund_claim where user_id = r.user_id and source = r.source
    ) c
    join kinora.credit_package f on f.user_id = r.user_id and r.id = coalesce(f.root_id, f.id)
    join kinora.credit_package p
      on p.user_id = f.user_id and p.id = f.id or p.from_user_id = f.user_id and p.from_package_id = f.id
    where r.source like 'payment-%'
    group by r.user_id, r.source, r.initial, c.part
    order by r.user_id, r.source
  `
  for (const { source, asked, claimed } of claims) {
    if (Number(asked) !== Number(claimed))
      found.push(`${asked} credits of ${source} are asked back, and ${claimed} from packages`)
  }
  return found
}

/** Storage has the films of completed videos, and nothing else. */
function* films({ stored, providers, isFinished }: Finished, videos: Video[]): Generator<string> {
  const expected = new Set<string>()
  for (const { id, status, videoKey, thumbnailKey } of videos) {
    if (status !== 'COMPLETED' || videoKey === null || thumbnailKey === null) continue
    expected.add(videoKey).add(thumbnailKey)
    const [film, thumbnail] = [stored.get(videoKey), stored.get(thumbnailKey)]
    if (!film || !thumbnail) yield `video ${short(id)} is COMPLETED without its files`
    else if (film.isThumbnail || !thumbnail.isThumbnail) yield `video ${short(id)} has its files the wrong way round`
    const task = providers.tasks.find((each) => each.id === film?.taskId && each.isHonest)
    const isLiedTo = providers.tasks.some((each) => each.videoId === id && !each.isHonest)
    if (task && !isLiedTo && task.videoId !== id) yield `video ${short(id)} has the film of another one`
  }
  for (const key of isFinished ? stored.keys() : []) {
    if (!expected.has(key)) yield `the file ${key.slice(-20)} is left over`
  }
}

/** Invariant: a result is recorded before its callback is answered with 200. Processes' clocks may be off. */
function* reports({ providers, skewMaxMs }: Finished, videos: Video[]): Generator<string> {
  for (const { task, kind, atMs } of providers.received) {
    const video = videos.find(({ id }) => id === task.videoId)
    if (!video || !task.isHonest || kind !== 'completed') continue
    const latestMs = atMs + 2 * skewMaxMs + 1
    const recordedMs = (video.resultAt ?? video.completedAt)?.getTime() ?? Number.POSITIVE_INFINITY
    if (recordedMs > latestMs) {
      yield `the result of video ${short(video.id)} was acknowledged, and it was not recorded then; it is ${video.status}`
    }
  }
}

/** The books by a simpler reckoning: what was granted, minus what completed videos cost, is what is left. */
async function credits({ database }: Finished, videos: Video[]): Promise<string[]> {
  const accounts = await database.sql<
    { userId: string; total: number; available: number; frozen: number; used: number; clawedBack: number }[]
  >`
    select user_id, total, available, frozen, used, clawed_back from kinora.credit_account order by user_id
  `
  const found = []
  for (const { id, model, status, credits: cost } of videos) {
    if (model === BY_LENGTH.model && (cost === BY_LENGTH.credits) !== (status === 'COMPLETED'))
      found.push(`video ${short(id)}, whose price follows its length, is ${status} and cost ${cost}`)
  }
  for (const { userId, available, frozen, used, total } of accounts) {
    const own = videos.filter((video) => video.userId === userId)
    const spent = own.filter(({ status }) => status === 'COMPLETED').reduce((sum, { credits: cost }) => sum + cost, 0)
    if (used !== spent) found.push(`user ${short(userId)} paid ${used} credits for films of ${spent}`)
    if (frozen !== 0 && own.every(({ completedAt }) => completedAt))
      found.push(`user ${short(userId)} has ${frozen} credits frozen`)
    if (available < 0 || total < 0) found.push(`user ${short(userId)} has ${available} credits`)
  }
  return found
}

/** Every payment is granted once, in full, to one user, and what was refunded is asked back. */
async function payments({ database, processors, isFinished }: Finished): Promise<string[]> {
  const packages = await database.sql<{ userId: string; source: string; initial: number }[]>`
    select user_id, source, initial from kinora.credit_package where source like 'payment-%' order by source, user_id
  `
  const claims = await database.sql<{ source: string; part: number }[]>`
    select source, sum(part)::double precision as part
    from kinora.credit_refund_claim
    group by source
  `
  const found: string[] = []
  for (const { source, credits: paid, userIds, returned, isIdReused } of processors.payments) {
    const granted = packages.filter((each) => each.source === source)
    const sum = granted.reduce((total, { initial }) => total + initial, 0)
    if (granted.length > 1 || (granted.length === 0 && isFinished))
      found.push(`the payment ${source} was granted ${granted.length} times`)
    else if (granted.length === 1 && sum !== paid) found.push(`the payment ${source} of ${paid} credits granted ${sum}`)
    if (granted.some(({ userId }) => !userIds.includes(userId)))
      found.push(`the payment ${source} was granted to another user`)
    const asked = claims.find((each) => each.source === source)?.part ?? 0
    if (isFinished && !isIdReused && userIds.length === 1 && Math.abs(asked - returned) > 0.001) {
      found.push(`the payment ${source} was returned to ${returned}, and ${asked} was asked back`)
    }
  }
  for (const { source } of packages) {
    if (!processors.payments.some((each) => each.source === source)) found.push(`${source} was granted, and not paid`)
  }
  const open = await database.sql<{ externalId: string; state: string; reason: string }[]>`
    select external_id, state, reason from kinora.payment_event where state in ('unmatched', 'failed') order by external_id
  `
  for (const { externalId, state, reason } of isFinished ? open : [])
    found.push(`the event ${externalId} is ${state}: ${reason}`)
  return found
}

/** Every webhook is delivered at least once, in the order of its video's log, and none that reports nothing. */
async function webhooks(
  { database, clients, receivers, skewMaxMs, isFinished }: Finished,
  videos: Video[],
): Promise<string[]> {
  if (!receivers || !isFinished) return []
  const { received, endpointOf, webhookUrlOf } = receivers
  const found = [...receivers.problems]
  const nameOf = ({ type, subjectId, id }: Received) => `the webhook ${short(id)} (${type} of ${short(subjectId)})`
  const rows = await database.sql<{ id: string; url: string; state: string }[]>`
    select d.id, coalesce(d.url, e.url) as url, d.state
    from kinora.webhook_delivery d
    join kinora.webhook_endpoint e on e.user_id = d.user_id and e.id = d.endpoint_id
    order by d.id, url
  `
  const written = new Set(rows.map(({ id, url }) => `${url} msg_${id.replaceAll('-', '')}`))
  for (const { id, state } of rows) if (state !== 'delivered') found.push(`the webhook ${short(id)} is ${state}`)
  for (const each of received) {
    if (each.accepted === 0) found.push(`${nameOf(each)} was never accepted`)
    if (!written.has(`${each.url} ${each.id}`)) found.push(`${nameOf(each)} was sent, and is not in the database`)
  }

  const typesOf = (url: string, subjectId: string) =>
    received.filter((each) => each.url === url && each.subjectId === subjectId).map(({ type }) => type)
  for (const { userId, id, status, errorCode, completedAt, deletedAt } of videos) {
    const types = typesOf(endpointOf(userId), id)
    const final = status === 'COMPLETED' ? 'completed' : errorCode === 'CANCELLED' ? 'cancelled' : 'failed'
    const countOf = (type: string) => types.filter((each) => each === `video.${type}`).length
    // A deleted video reports nothing more. Both times are of processes, whose clocks may be off, and which may be
    // paused before they send them to the database.
    const latestMs = (completedAt?.getTime() ?? 0) + 2 * skewMaxMs + PAUSE_MS_MAX
    const isFinalFirst = deletedAt === null || latestMs < deletedAt.getTime()
    const isFinalSent = isFinalFirst ? countOf(final) === 1 : countOf(final) <= 1
    if (!isFinalSent || (deletedAt && countOf('deleted') !== 1))
      found.push(
        `${final}${deletedAt ? ' and deleted' : ''} of video ${short(id)} was sent as ${types.join(', ') || 'nothing'}`,
      )
    if (types.includes('video.deleted') && types.at(-1) !== 'video.deleted' && skewMaxMs === 0)
      found.push(`the webhooks of video ${short(id)} came in another sequence than its log: ${types.join(', ')}`)
  }
  for (const { body, userId } of clients.requests) {
    const { prompt, webhookUrl } = JSON.parse(body) as { prompt: string; webhookUrl?: string }
    if (!webhookUrl) continue
    for (const { id } of videos.filter((video) => video.userId === userId && video.prompt === prompt)) {
      const types = typesOf(webhookUrlOf(userId), id)
      if (types.length !== 1) found.push(`the webhookUrl of video ${short(id)} got ${types.join(', ') || 'nothing'}`)
    }
  }
  const packages = await database.sql<{ userId: string; id: string }[]>`
    select user_id, id from kinora.credit_package where source like 'payment-%' order by id
  `
  for (const { userId, id } of packages) {
    const types = typesOf(endpointOf(userId), id)
    if (!types.includes('credit.added')) found.push(`the package ${short(id)} was not reported by a webhook`)
  }
  return found
}
