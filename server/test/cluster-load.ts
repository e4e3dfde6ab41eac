/** Users of a distributed database by their node, and the load that they put on it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readPlacement, type Shard, shardOf } from '../src/db/citus/placement.ts'
import type { Server } from './citus-cluster.ts'
import { generateBody, type Kinora, type Person } from './harness.ts'

const PAUSE_MS = 1000

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
export async function placeOf({ app }: Kinora, { userId }: Person): Promise<Shard> {
  const placement = await readPlacement(app.sql)
  if (placement === null) throw new Error('the database is not distributed')
  return shardOf(placement, userId)
}

type Answer = { status: number; atMs: number; ms: number }
export type Load = { answers: Answer[]; stop: () => Promise<string[]> }

/** Generates one video after the other; a request that fails is repeated with its Idempotency-Key until it succeeds. */
export function startLoad(url: string, { token }: Person): Load {
  const answers: Answer[] = []
  const ids: string[] = []
  let isStopping = false
  const loop = async () => {
    for (let n = 0; !isStopping || answers.at(-1)?.status !== 200; ) {
      const atMs = performance.now()
      const response = await fetch(`${url}/api/v1/video/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': `n-${n}` },
        body: JSON.stringify(generateBody),
      })
      const { data } = (await response.json()) as { data: { uuid: string } }
      answers.push({ status: response.status, atMs, ms: performance.now() - atMs })
      if (response.status === 200) {
        ids.push(data.uuid)
        n += 1
      }
      await sleep(PAUSE_MS)
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
