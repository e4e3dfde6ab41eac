// slow
/**
 * Shards are moved to and fro, and functions are replaced, while API processes, workers and payments go on. On a Citus
 * cluster of its own; skipped where PostgreSQL has no Citus (docs/distributed.md).
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../../src/db/database.ts'
import { findCitus } from '../../support/citus/cluster.ts'
import { moveShard, openOnCluster, peopleOf, startLoad } from '../../support/citus/load.ts'
import { freePort } from '../../support/free-port.ts'
import { generateBody, type Kinora, type Person } from '../../support/harness.ts'
import { deliver } from '../../support/payment/payment-delivery.ts'
import { checkoutA, eventA } from '../../support/payment/payment-events.ts'
import { runCommand, type ServerProcess, startProcess } from '../../support/processes.ts'
import { waitFor } from '../../support/video-row.ts'

const binDir = findCitus()
const skip = binDir === null && 'no PostgreSQL of this machine has Citus'
const cluster = binDir === null ? null : await openCluster(binDir)
const opened = () => cluster ?? assert.fail()
const SHARDS = 4
/** Of each mode. */
const MOVES = 10
/** Leaves CPU time to the moves. */
const PAUSE_MS = 500
const REPLACEMENTS = 2
const ENDED = { timeoutMs: 150_000, intervalMs: 200 }

for (const mode of ['auto', 'block_writes'] as const) {
  test(`shard: moved (${mode}) while processes run → every request once, read by each process at once, every payment once, books right`, {
    skip,
  }, async (t) => {
    const { work, ...cluster } = opened()
    const waits: number[] = []
    const { statuses, videos, slowestMs } = await work(async () => {
      for (let i = 0; i < MOVES; i++) waits.push(await moveShard(cluster, i % SHARDS, mode))
    })
    t.diagnostic(
      `${MOVES} moves of ${Math.round(Math.min(...waits))} to ${Math.round(Math.max(...waits))} ms: ${videos} videos, ` +
        `slowest response ${slowestMs} ms, answers ${JSON.stringify(statuses)}`,
    )
    // A move may hold its lock for longer than a request waits: 503, and 409 for one behind a transaction that waits,
    // which the caller repeats.
    assert.deepEqual(
      Object.keys(statuses).filter((status) => !['200', '503', '409'].includes(status)),
      [],
    )
  })
}

test('functions of a shard: replaced while processes run → no request fails, books right', { skip }, async (t) => {
  const { kinora, work } = opened()
  const { statuses, videos, slowestMs } = await work(async () => {
    for (let i = 0; i < REPLACEMENTS; i++) {
      for (const [number, shard] of kinora.app.database.allParts.entries()) {
        await shard.unsafe(`
          do $$ begin
            execute format('comment on schema kinora_shard_${number} is %L', 'other ' || split_part(obj_description('kinora_shard_${number}'::regnamespace), ' ', 2));
          end $$
        `)
      }
      assert.deepEqual((await migrate(kinora.databaseUrl)).applied, [`functions of ${SHARDS} shards`])
    }
  })
  t.diagnostic(`${REPLACEMENTS} replacements: ${videos} videos, slowest response ${slowestMs} ms`)
  assert.deepEqual(Object.keys(statuses), ['200'])
})

/** Films take most of the CPU time: nine of ten videos fail at their provider, and their credits are released. */
const bodyOf = (n: number) => ({ ...generateBody, prompt: n % 10 === 0 ? 'A harbour' : 'A harbour [fail: no luck]' })

async function openCluster(dir: string) {
  const processes: ServerProcess[] = []
  // It runs before the harness drops its database.
  after(() => Promise.all(processes.map(({ stop }) => stop())))
  const { kinora, ...cluster } = await openOnCluster(dir, { simulator: { pace: 0.1 } })
  const ports = [await freePort(), await freePort()] as const
  const database = new URL(kinora.databaseUrl).pathname.slice(1)
  const env = { MAX_IN_PROGRESS: '0' }
  const started = await Promise.all([
    ...ports.map((port) => startProcess(kinora, 'api', { ...env, PORT: `${port}` })),
    ...cluster.nodes.map(({ url }) => startProcess(kinora, `worker --node ${url(database)}`)),
  ])
  processes.push(...started)
  const [url, otherUrl] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string]

  /** Users of each shard generate and pay while this is done; then all that was acknowledged is there, once. */
  const work = async (change: () => Promise<void>) => {
    const people = (await Promise.all(cluster.nodes.map((node) => peopleOf(kinora, node)))).flat()
    const unread: string[] = []
    const loads = people.map((person) =>
      startLoad(url, person, {
        pauseMs: PAUSE_MS,
        bodyOf,
        onVideo: async (uuid) => {
          if (!(await isRead(otherUrl, person, uuid))) unread.push(uuid)
        },
      }),
    )
    const payments = people.map((person) => startPayments(kinora, person))
    await change()
    const ids = (await Promise.all(loads.map(({ stop }) => stop()))).flat()
    const paid = await Promise.all(payments.map(({ stop }) => stop()))
    await waitFor('an end of every video', async () => (await openVideos(kinora)) === 0, ENDED)
    for (const [i, person] of people.entries()) assert.equal(await paymentsOf(kinora, person), paid[i])
    assert.deepEqual(unread, [])
    const stored = (
      await Promise.all(
        kinora.app.database.allParts.map(
          (sql) =>
            sql<
              { id: string }[]
            >`select id from kinora.video where user_id = any(${people.map(({ userId }) => userId)})`,
        ),
      )
    ).flat()
    assert.deepEqual(stored.map(({ id }) => id).sort(), ids.sort())
    const verified = await runCommand(kinora, ['verify'])
    assert.equal(verified.status, 0, verified.output)
    const answers = loads.flatMap(({ answers }) => answers)
    return {
      statuses: Object.fromEntries(
        [...Map.groupBy(answers, ({ status }) => status)].map(([s, all]) => [s, all.length]),
      ),
      videos: ids.length,
      slowestMs: Math.round(Math.max(...answers.map(({ ms }) => ms))),
    }
  }
  return { ...cluster, kinora, work }
}

/** @returns whether another process finds the video that was acknowledged */
async function isRead(url: string, { token }: Person, uuid: string): Promise<boolean> {
  for (;;) {
    const response = await fetch(`${url}/api/v1/video/task?uuid=${uuid}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (response.status !== 503) return response.status === 200
  }
}

/** Delivers one payment after the other; one that fails is delivered again, as processors do. */
function startPayments(kinora: Kinora, { userId }: Person): { stop: () => Promise<number> } {
  let isStopping = false
  const loop = async () => {
    let paid = 0
    while (!isStopping) {
      const event = eventA('checkout.completed', checkoutA(userId))
      while ((await deliver(kinora, 'payment-a', event)).status !== 200);
      paid += 1
      await sleep(PAUSE_MS)
    }
    return paid
  }
  const done = loop()
  return {
    stop: async () => {
      isStopping = true
      return await done
    },
  }
}

async function paymentsOf({ app }: Kinora, { userId }: Person): Promise<number> {
  const [row] = await app.sql<[{ count: number }]>`
    select count(*) as count from kinora.credit_package where user_id = ${userId} and source like 'payment-a:%'
  `
  return row.count
}

async function openVideos({ app }: Kinora): Promise<number> {
  let open = 0
  for (const sql of app.database.allParts) {
    const [row] = await sql<[{ count: number }]>`select count(*) as count from kinora.video where due_at is not null`
    open += row.count
  }
  return open
}
