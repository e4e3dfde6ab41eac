/** Load on a service while its releases change, and the schema of a next release. */
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { generateBody, type Kinora, type Person } from './harness.ts'
import { own, type SchemaChange } from './schema-fixture.ts'
import { waitFor } from './video-row.ts'

/** The pause before each request of a person, so that the load leaves CPU time to the processes that start. */
const PAUSE_MS = 200

/** `inFlight`: the requests that have begun there. */
export type Address = { url: string; inFlight: Set<Promise<unknown>> }

/** A next release: an optional parameter, a result's column, a function with a new name, new columns. */
export const nextSchema: SchemaChange = {
  version: own.version + 1,
  edits: [
    ['p_sequence integer default null', 'p_sequence integer default null, p_next text default null'],
    ['out expiring_soon bigint', 'out expiring_soon bigint, out next bigint'],
    ['kinora.credit_settle_holds(', 'kinora.credit_settle_holds_next('],
  ],
  files: {
    'migrations/9001_next.sql': 'alter table kinora.credit_account add column next bigint not null default 0;',
    'migrations/9002_next_steps.sql': `
-- step: column
alter table kinora.video add column if not exists next text, alter column next set default 'new';
-- step: constraint
alter table kinora.credit_transaction drop constraint if exists next, add constraint next check (credits <> 0) not valid;
-- step: index
create index concurrently if not exists video_next on kinora.video (user_id, next);
-- repeated step: fill
update kinora.video set next = 'filled'
where (user_id, id) in (select user_id, id from kinora.video where next is null limit 5);
-- step: validate
alter table kinora.credit_transaction validate constraint next;
`,
  },
}

/** Ends the load of a test that has failed. */
let isOver = false
after(() => {
  isOver = true
})

/** Each person generates, reads and cancels, at one process of the rotation after the other. */
export function startLoad(rotation: Address[], people: Person[]) {
  const failures: string[] = []
  let isStopped = false
  let count = 0
  const send = async (as: Person, method: string, target: string, body?: unknown, accepted = [200]) => {
    await pause(PAUSE_MS)
    const api = rotation[count++ % rotation.length]
    if (!api) throw new Error('no process is in rotation')
    const request = fetch(`${api.url}${target}`, {
      method,
      headers: {
        authorization: `Bearer ${as.token}`,
        ...(body ? { 'content-type': 'application/json', 'idempotency-key': randomUUID() } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).then(async (response) => ({ status: response.status, text: await response.text() }))
    const settled = request.catch(() => undefined)
    api.inFlight.add(settled)
    const { status, text } = await request.catch((error: Error) => ({ status: 0, text: String(error.cause ?? error) }))
    api.inFlight.delete(settled)
    if (!accepted.includes(status)) failures.push(`${method} ${target}: ${status} ${text}`)
    return text
  }
  const loop = async (as: Person) => {
    for (let i = 0; !isStopped && !isOver; i++) {
      // Rendering and inspecting a film takes most of the time of a processor, so one in twenty has one.
      const body = i % 20 === 0 ? generateBody : { ...generateBody, prompt: '[fail: No luck.]' }
      const text = await send(as, 'POST', '/api/v1/video/generate', body, [200, 429])
      const uuid = text.startsWith('{') ? JSON.parse(text).data?.uuid : undefined
      await send(as, 'GET', '/api/v1/credit/balance')
      await send(as, 'GET', '/api/v1/video/list')
      // 409: a provider has the task already.
      if (uuid) await send(as, 'POST', `/api/v1/video/${uuid}/cancel`, undefined, [200, 409])
      await send(as, 'GET', '/api/v1/credit/history')
    }
  }
  const loops = people.map(loop)
  return {
    failures: failures as readonly string[],
    requests: (more: number) => {
      const goal = count + more
      return waitFor(`${more} requests`, () => count >= goal)
    },
    stop: async () => {
      isStopped = true
      await Promise.all(loops)
    },
  }
}

export type Load = ReturnType<typeof startLoad>

export function threePeople(of: Kinora): Promise<Person[]> {
  return Promise.all(Array.from({ length: 3 }, () => of.person({ credits: 100_000 })))
}

export const schemaVersion = async ({ app }: Kinora) =>
  (await app.sql<{ version: number }[]>`select max(version) as version from kinora.schema_version`)[0]?.version
