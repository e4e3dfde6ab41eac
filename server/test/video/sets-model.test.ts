/**
 * Random sets of requests and steps against the same ones made one by one: three users send theirs in sets, and each
 * has a twin whose are single calls. After each set the outcomes are the same, and so are accounts, packages, holds,
 * histories, videos and logs. SOAK_SEED=<the number in a title> repeats that sequence.
 */
import assert from 'node:assert/strict'
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { call } from '../../src/db/call.ts'
import { applyAll, generateAll } from '../../src/db/set-calls.ts'

import { claimRefund } from '../support/ledger/ledger-calls.ts'
import { HOUR_MS, later, MINUTE_MS, openLedger, start } from '../support/ledger/open-ledger.ts'
import { type Random, randomOf } from '../support/random.ts'
import { videoClaim } from '../support/video-calls.ts'

const SEQUENCES = 3
const ROUNDS = 30
const PAIRS = 3
const SET_MAX = 40
const PLACES = 6
const { sql, newUserId, grant } = await openLedger(4)

/** A user whose calls are sets, a twin with single calls. Their videos have the same places in two lists. */
type Pair = { users: [string, string]; videos: [string, string][]; requests: Request[] }
/** `args`: as generateAll or applyAll takes them, with the video's place in the list instead of its id. */
type Request = { pair: Pair; args: Record<string, unknown> }

for (let i = 0; i < SEQUENCES; i += 1) {
  const seed = Number(process.env.SOAK_SEED ?? randomInt(2 ** 31)) + i
  test(`sets of generates and steps: seed ${seed} → as the same calls one by one`, () => runSequence(seed))
}

async function runSequence(seed: number): Promise<void> {
  const random = randomOf(seed)
  const pairs: Pair[] = Array.from({ length: PAIRS }, () => ({
    users: [newUserId(), newUserId()],
    videos: [],
    requests: [],
  }))
  let now = start
  let grants = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    now = later(random.below(5) * 7 * MINUTE_MS, now)
    const pair = random.of(pairs)
    const what = random.below(8)
    if (what === 0 || round < PAIRS) {
      const target = pairs[round] ?? pair
      const [credits, expiresAt] = [10 + random.below(200), later((1 + random.below(40)) * 7 * MINUTE_MS + grants, now)]
      grants += 1
      for (const user of target.users)
        await grant(user, credits, expiresAt, now, { packageId: packageOf(user, grants) })
    } else if (what === 1 && grants > 0) {
      const [n, part] = [1 + random.below(grants), random.below(11) / 10]
      for (const user of pair.users) {
        await claimRefund(sql, { userId: user, source: `test:${packageOf(user, n)}`, key: `refund ${n}`, part, now })
      }
    } else if (what < 4) {
      await generateBoth(
        Array.from({ length: 1 + random.below(SET_MAX) }, () => newRequest(random, random.of(pairs), now)),
        now,
      )
    } else {
      await claimBoth(pairs, now)
      await beginBoth(pair, random, now)
      const steps = Array.from({ length: 1 + random.below(SET_MAX) }, () => newStep(random, random.of(pairs), now))
      await applyBoth(
        steps.filter((step) => step !== null),
        now,
      )
    }
    for (const { users } of pairs) {
      const [inSets, single] = [await stateOf(users[0]), await stateOf(users[1])]
      assert.deepEqual(
        inSets,
        single,
        `round ${round}: the state after sets (actual) and after single calls (expected)`,
      )
    }
  }
}

/** The ids of a video and of its twin rise alike: films that wait begin in their order. */
let madeIds = 0
function newVideoIds(): [string, string] {
  madeIds += 1
  const first = madeIds.toString(16).padStart(8, '0')
  return [first + randomUUID().slice(8), first + randomUUID().slice(8)]
}

/**
 * Requests, half with at most six videos in progress, of which a third may wait; keys that repeat, with the same
 * request and others.
 */
function newRequest(random: Random, pair: Pair, now: Date): Request {
  // A repetition, as after a lost connection.
  if (pair.requests.length > 0 && random.below(10) === 0) return random.of(pair.requests)
  const place = pair.videos.push(newVideoIds()) - 1
  const size = random.below(4) === 0 ? 2 + random.below(3) : 1
  for (let i = 1; i < size; i += 1) pair.videos.push(newVideoIds())
  const key = random.below(3) === 0 ? `key ${random.below(8)}` : null
  const credits = 1 + random.below(30)
  const request: Request = {
    pair,
    args: {
      place,
      size,
      prompt: `film ${place}`,
      model: 'delta-1-5',
      duration_s: 4,
      mode: 'text-to-video',
      aspect_ratio: '16:9',
      quality: '720p',
      credits,
      second_rate: random.of([null, null, 0.5, 2.5]),
      providers: ['provider-a', 'provider-b'],
      usual_s: 30,
      deadline_at: later(HOUR_MS, now),
      max_in_progress: random.below(2) * PLACES,
      may_wait: random.below(3) === 0,
      key,
      request_hash:
        key &&
        `\\x${createHash('sha256')
          .update(`${credits % 3}`)
          .digest('hex')}`,
    },
  }
  pair.requests.push(request)
  return request
}

/** Claims those that are due, each under a lease that a video and its twin share. */
async function claimBoth(pairs: Pair[], now: Date): Promise<void> {
  for (const { users, videos } of pairs) {
    for (const video of videos) {
      for (const i of [0, 1] as const) {
        const due = [{ userId: users[i], id: video[i] }]
        await videoClaim(sql, { videos: due, lease: leaseOf(video), leaseUntil: later(20 * MINUTE_MS, now), now })
      }
    }
  }
}

/** Gives the waiting videos of a user and of the twin their places. */
async function beginBoth({ users, videos }: Pair, random: Random, now: Date): Promise<void> {
  if (videos.length === 0) return
  const [video, maxInProgress] = [random.of(videos), random.below(9) === 0 ? 0 : PLACES]
  const [begun, alone] = await Promise.all(
    ([0, 1] as const).map((i) =>
      call(sql, 'video_begin_waiting', {
        ...{ userId: users[i], id: video[i], lease: leaseOf(video), maxInProgress, now },
      }),
    ),
  )
  assert.equal(begun, alone)
}

const leaseOf = ([first]: [string, string]): string => first

const film = {
  video_key: 'k',
  thumbnail_key: 't',
  size_bytes: 1,
  duration_s: 3.2,
  width: 1280,
  height: 720,
  grace_s: 60,
}

function newStep(random: Random, pair: Pair, now: Date): Request | null {
  if (pair.videos.length === 0) return null
  // Few videos, so that many steps of a set are of the same one.
  const place = Math.max(0, pair.videos.length - 1 - random.below(12))
  const video = pair.videos[place] ?? assert.fail()
  const lease = random.below(8) === 0 ? randomUUID() : leaseOf(video)
  const due = { due_at: later(random.below(3) * MINUTE_MS - MINUTE_MS, now) }
  const report = { provider: random.of(['provider-a', 'provider-b']), task_id: `task ${place}` }
  const failure = { error_code: 'CONTENT_REFUSED', error: 'no', grace_s: 60 * random.below(100) }
  const life = [
    { step: 'begin_submit', lease: leaseOf(video) },
    { step: 'accept', ...due, task_id: `task ${place}`, deadline_at: later(HOUR_MS, now) },
    { step: 'report_result', provider: 'provider-a', task_id: `task ${place}`, url: 'https://films.example/0' },
    { step: 'complete', lease: leaseOf(video), ...film },
  ]
  // Half of the steps are the next one of a video's life, so that many come to its end.
  const args: Record<string, unknown> = random.below(2)
    ? random.of(life)
    : random.of<Record<string, unknown>>([
        { step: 'begin_submit', lease },
        { step: 'accept', ...due, task_id: `task ${place}`, deadline_at: later(HOUR_MS, now) },
        { step: 'retry_submit', lease, provider_index: 1 + random.below(2), attempt: 1, ...due, detail: 'busy' },
        { step: 'reschedule_poll', lease, progress: random.below(101), attempt: 1, ...due },
        { step: 'report_progress', ...report, progress: random.below(101), ...due },
        { step: 'report_result', ...report, url: `https://films.example/${random.below(2)}` },
        { step: 'poll_now', ...report, due_at: now, entry: 'cancel requested' },
        {
          step: 'report_failure',
          ...report,
          ...failure,
          ...(random.below(2) === 0 ? { error_code: 'CANCELLED' } : {}),
        },
        { step: 'switch_link', lease, is_retryable: random.below(2) === 0, ...due, detail: 'gone' },
        { step: 'defer', lease, attempt: 1, ...due },
        { step: 'renew_lease', lease, lease_until: later(20 * MINUTE_MS, now) },
        { step: 'begin_store', lease, video_key: 'k', thumbnail_key: 't', ...due },
        { step: 'complete', lease, ...film },
        { step: 'complete', lease, ...film },
        { step: 'fail', lease, ...failure },
        { step: 'cancel', error: 'cancelled', grace_s: 60 * random.below(100) },
        { step: 'delete' },
      ])
  return { pair, args: { place, ...args } }
}

/** The request as the user (0) or the twin (1) sends it. `size` above 1: a batch, with places from `place` on. */
function sentBy(i: 0 | 1, { pair, args: { place, size = 1, ...args } }: Request) {
  const [from, count] = [Number(place), Number(size)]
  const ids = pair.videos.slice(from, from + count).map((video) => video[i])
  const batch = count > 1 ? { batch_id: ids[0], batch: ids.map((id, seed) => ({ id, seed })) } : {}
  return { user_id: pair.users[i], id: ids[0], ...args, ...batch }
}

async function generateBoth(requests: Request[], now: Date): Promise<void> {
  const call = async (i: 0 | 1, set: Request[]) =>
    (await generateAll(sql, JSON.stringify(set.map((request) => sentBy(i, request))), now)).map((row) => {
      // Ids differ: that of a video is known by its place.
      const videos = requests.flatMap(({ pair }) => pair.videos)
      const placeOf = (id: string | null) => videos.findIndex((video) => video[i] === id)
      const places = row.ids?.map(placeOf).sort((a, b) => a - b)
      return [row.outcome, row.outcome === 'insufficient' ? row.available : null, placeOf(row.id), places, row.credits]
    })
  const inSets = await call(0, requests)
  const single: unknown[] = []
  const byRound = [...requests.entries()].sort(([a], [b]) => roundOf(requests, a) - roundOf(requests, b))
  for (const [n, request] of byRound) single[n] = (await call(1, [request]))[0]
  assert.deepEqual(inSets, single, 'outcomes of the set (actual) and of single calls (expected)')
}

/** A request that repeats a key of its set is decided after those that do not. */
function roundOf(requests: Request[], n: number): number {
  const { pair, args } = requests[n] ?? assert.fail()
  if (args.key === null) return 0
  return requests.slice(0, n).filter((each) => each.pair === pair && each.args.key === args.key).length
}

async function applyBoth(steps: Request[], now: Date): Promise<void> {
  if (steps.length === 0) return
  const call = (i: 0 | 1, set: Request[]) => applyAll(sql, JSON.stringify(set.map((step) => sentBy(i, step))), now)
  const inSets = await call(0, steps)
  const single = []
  for (const step of steps) single.push(...(await call(1, [step])))
  assert.deepEqual(
    inSets,
    single,
    `outcomes of the set (actual) and of single calls (expected): ${JSON.stringify(steps.map(({ args }) => args))}`,
  )
}

/** All that is the user's, without ids, in a sequence that does not depend on them. */
async function stateOf(userId: string) {
  const [account] = await sql`
    select available, frozen, used, expired, clawed_back, open_holds, waiting_holds from kinora.credit_account where user_id = ${userId}
  `
  // Two grace packages of one call may have the same end, and then only their random ids say which is used first: their
  // sum is compared, and of what expires at one moment the sum.
  const packages = await sql`
    select sum(initial) as initial, sum(remaining) as remaining, sum(frozen) as frozen, sum(used) as used, sum(expired) as expired,
           sum(clawed_back) as clawed_back, sum(moved) as moved, expires_at, created_at
    from kinora.credit_package
    where user_id = ${userId}
    group by expires_at, created_at
    order by expires_at, created_at
  `
  const history = await sql`
    select max(n) as n, trans_type, sum(credits) as credits, min(balance_after) as balance_after, max(remark) as remark, created_at
    from (
      select *, case when trans_type = 'EXPIRED' then n - row_number() over (partition by trans_type, created_at order by n) else n end as run
      from kinora.credit_transaction
      where user_id = ${userId}
    ) t
    group by trans_type, created_at, run
    order by 1
  `
  const videos = await sql`
    select v.prompt, v.status, v.error, v.progress, v.provider_index, v.provider_task_id, v.is_waiting,
           -- Which of a set's ends has woken one that waits does not follow from the set.
           case when not v.is_waiting then v.due_at end as due_at, v.result_url, v.other_result_url,
           v.deleted_at, v.credits, h.state, h.closed_at,
           (select array_agg(l.entry order by l.at, l.entry) from kinora.video_log l where l.user_id = v.user_id and l.video_id = v.id) as log
    from kinora.video v
    left join kinora.credit_hold h on h.user_id = v.user_id and h.id = v.id
    where v.user_id = ${userId}
    order by v.prompt, v.seed
  `
  const counts =
    await sql`select model, status, videos from kinora.video_count where user_id = ${userId} and videos > 0 order by model, status`
  return structuredClone({
    account,
    packages: [...packages],
    history: [...history],
    videos: [...videos],
    counts: [...counts],
  })
}

const packageOf = (userId: string, n: number): string => uuidOf(`${userId} ${n}`)

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
