/** A service on a Citus cluster of the test's own, its users by their node, and the load that they put on it. */
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { readPlacement, type Shard, shardOf } from '../../../src/db/citus/placement.ts'
import { ANCHOR } from '../../../src/db/citus/tables.ts'
import { generateBody, type Kinora, openKinora, type Person } from '../harness.ts'
import { paymentEnv } from '../payment/payment-delivery.ts'
import { type CitusCluster, type Server, startCitus } from './cluster.ts'

const PAUSE_MS = 1000

/** Opens the service on a cluster of its own, and ends both after the file's last test. @param binDir of `findCitus` */
export async function openOnCluster(
  binDir: string,
  options: { simulator?: { pace: number }; worker?: boolean } = {},
): Promise<CitusCluster & { kinora: Kinora }> {
  const cluster = await startCitus(binDir)
  // It runs before the harness drops its database, on every node.
  after(async () => {
    await Promise.all([cluster.coordinator, ...cluster.nodes].map(({ start }) => start()))
  })
  const ofRun = process.env.CITUS_URL
  process.env.CITUS_URL = cluster.coordinator.url('postgres')
  const kinora = await openKinora({ ...options, env: paymentEnv })
  after(async () => {
    // Other files of this process have the databases of the run.
    if (ofRun === undefined) delete process.env.CITUS_URL
    else process.env.CITUS_URL = ofRun
    await cluster.stop()
  })
  return { ...cluster, kinora }
}

/** A user of each shard of a node. */
export async function peopleOf(kinora: Kinora, { address }: Server): Promise<Person[]> {
  const placement = await readPlacement(kinora.app.sql)
  if (placement === null) throw new Error('the database is not distributed')
  const wanted = placement.shards.filter(({ node }) => node === address).flatMap(({ number }) => [number])
  const people: Person[] = []
  while (wanted.length > 0) {
    const person = await kinora.person({ credits: 100_000 })
    const i = wanted.indexOf(shardOf(placement, person.userId).number)
    if (i >= 0) people.push(person)
    if (i >= 0) wanted.splice(i, 1)
  }
  return people
}

/** The shard that has the user's rows, and its node. */
export async function shardOfUser({ app }: Kinora, { userId }: Person): Promise<Shard> {
  const placement = await readPlacement(app.sql)
  if (placement === null) throw new Error('the database is not distributed')
  return shardOf(placement, userId)
}

/** Moves the shard to another node of the cluster. @returns how long it took, in ms */
export async function moveShard(
  { kinora, nodes }: { kinora: Kinora; nodes: Server[] },
  number: number,
  mode: 'auto' | 'block_writes',
): Promise<number> {
  const shard = (await readPlacement(kinora.app.sql))?.shards[number]
  const other = nodes.find(({ address }) => address !== shard?.node)
  if (!shard || !other) throw new Error('the database has no such shard or no other node')
  const [from = [], to = []] = [shard.node, other.address].map((address) => address.split(':'))
  // An operator's session, which has no limits.
  const sql = postgres(kinora.databaseUrl, { max: 1, onnotice: () => {} })
  const startMs = performance.now()
  try {
    await sql`
      select citus_move_shard_placement(
        ${shard.ids.get(ANCHOR) ?? 0}::bigint, ${from[0] ?? ''}, ${Number(from[1])}::integer, ${to[0] ?? ''}, ${Number(to[1])}::integer, ${mode}
      )
    `
  } finally {
    await sql.end()
  }
  return performance.now() - startMs
}

type Answer = { status: number; atMs: number; ms: number }
export type Load = { answers: Answer[]; stop: () => Promise<string[]> }

/**
 * Generates one video after the other; a request that fails is repeated with its Idempotency-Key until it succeeds.
 * @param bodyOf of the n-th video. @param onVideo is awaited before the next request
 */
export function startLoad(
  url: string,
  { token }: Person,
  {
    pauseMs = PAUSE_MS,
    bodyOf = () => generateBody,
    onVideo,
  }: { pauseMs?: number; bodyOf?: (n: number) => object; onVideo?: (uuid: string) => Promise<void> } = {},
): Load {
  const answers: Answer[] = []
  const ids: string[] = []
  let isStopping = false
  const loop = async () => {
    for (let n = 0; !isStopping || answers.at(-1)?.status !== 200; ) {
      const atMs = performance.now()
      const response = await fetch(`${url}/api/v1/video/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': `n-${n}` },
        body: JSON.stringify(bodyOf(n)),
      })
      const { data } = (await response.json()) as { data: { uuid: string } }
      answers.push({ status: response.status, atMs, ms: performance.now() - atMs })
      if (response.status === 200) {
        ids.push(data.uuid)
        n += 1
        await onVideo?.(data.uuid)
      }
      await sleep(pauseMs)
    }
  }
  const done = loop()
  return {
    answers,
    stop: async () => {
      isStopping = true
      await done
      return ids
    },
  }
}

/** The different statuses of the requests that began and ended in this time. */
export const statusesBetween = (loads: Load[], fromMs: number, toMs: number): number[] => [
  ...new Set(
    loads.flatMap(({ answers }) =>
      answers.filter(({ atMs, ms }) => atMs >= fromMs && atMs + ms <= toMs).map(({ status }) => status),
    ),
  ),
]
