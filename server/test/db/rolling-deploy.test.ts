// slow
/**
 * A rolling deploy with load on: processes of this release are replaced, one by one, by those of a next release with another
 * schema (a copy of the server with more migrations and changed functions), and back. No request fails and the ledger adds up.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { verify } from '../../src/credit/verify.ts'
import { notDistributed } from '../support/citus/database.ts'
import { freePort } from '../support/free-port.ts'
import { generateBody, type Kinora, openKinora, type Person } from '../support/harness.ts'
import { type ServerProcess, startProcess } from '../support/processes.ts'
import { own, writeSchema } from '../support/schema-fixture.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const updateUnderLoad = notDistributed('the processes are stopped for an update')
/** The pause before each request of a person, so that the load leaves CPU time to the processes that start. */
const PAUSE_MS = 50
const root = path.resolve(import.meta.dirname, '../../..')

type Release = { main?: string }
type Api = { process: ServerProcess; url: string; inFlight: Set<Promise<unknown>> }

const thisRelease: Release = {}
/** The next release: one more optional parameter, one more column of a result, a function with a new name, and new columns. */
const next = own.version + 1
const nextRelease = copyServer({
  version: next,
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
})

const started = new Set<ServerProcess>()
after(() => {
  for (const { child } of started) child.kill('SIGKILL')
})

test(
  'rolling deploy: to the next release and back, with load on → no request fails, every video ends, the ledger adds up',
  updateUnderLoad,
  async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => kinora.person({ credits: 100_000 })))
    const service = openService()
    await service.replaceWorker(thisRelease)
    await service.addApi(thisRelease)
    await service.addApi(thisRelease)
    const load = startLoad(service.rotation, people)
    await load.requests(20)
    const forth = [
      () => service.replaceApi(nextRelease),
      () => service.replaceWorker(nextRelease),
      () => service.replaceApi(nextRelease),
    ]
    for (const replace of forth) {
      await replace()
      assert.equal(await schemaVersion(kinora), next)
      await load.requests(20)
    }
    // Its processes leave the newer schema as it is.
    await service.replaceApi(thisRelease)
    await service.replaceWorker(thisRelease)
    await service.replaceApi(thisRelease)
    await load.requests(20)
    assert.equal(await schemaVersion(kinora), next)

    const failures = await load.stop()
    const errors = service.processes.flatMap(({ lines }) => lines).filter((line) => /err/i.test(line))
    assert.deepEqual(failures, [], errors.join('\n'))
    await waitFor('every video to end', async () => {
      const [row] = await kinora.app.sql<[{ open: number }]>`
        select count(*) as open from kinora.video where due_at is not null
      `
      return row.open === 0
    })
    assert.deepEqual(await verify(kinora.app.database), [])
    await service.stop()
  },
)

const other = await openKinora()

test(
  'rolling deploy: the database accepts newer processes only → a running one ends with 1, a started one names both versions',
  updateUnderLoad,
  async () => {
    const running = await start(other, 'worker', thisRelease)
    const newer = await start(other, 'worker', nextRelease)
    await other.app.sql`update kinora.schema_version set minimum = version where version = ${next}`
    assert.equal(await running.ended, 1)
    await running.logged('is too old for the database')
    await assert.rejects(
      start(other, 'api', thisRelease),
      new RegExp(`schema version ${own.version}, is too old .* version ${next}`),
    )
    assert.equal(await newer.stop(), 0)
  },
)

function copyServer(change: Parameters<typeof writeSchema>[0]): Release {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-next-'))
  after(() => rmSync(folder, { recursive: true }))
  cpSync(path.join(root, 'catalogue'), path.join(folder, 'catalogue'), { recursive: true })
  for (const name of ['server/src', 'server/package.json', 'package.json', 'openapi.json']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  }
  for (const name of ['bin', 'node_modules', 'server/node_modules'])
    symlinkSync(path.join(root, name), path.join(folder, name))
  writeSchema(change, path.join(folder, 'server'))
  return { main: path.join(folder, 'server/src/main.ts') }
}

async function start(
  service: Kinora,
  command: 'api' | 'worker',
  { main }: Release,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  // A person has at most two videos at a time, so that the workers keep up with the load.
  const server = await startProcess(service, command, { MAX_IN_PROGRESS: '2', ...env }, main)
  started.add(server)
  server.ended.then(() => started.delete(server))
  return server
}

/** A worker, and API processes behind a load balancer. */
function openService() {
  /** The load balancer's list. A process is taken out of it before SIGTERM, and its requests end first. */
  const rotation: Api[] = []
  const processes: ServerProcess[] = []
  let worker: ServerProcess | null = null
  const add = async (...args: [command: 'api' | 'worker', release: Release, env?: Record<string, string>]) => {
    const server = await start(kinora, ...args)
    processes.push(server)
    return server
  }
  const addApi = async (release: Release) => {
    const port = await freePort()
    const server = await add('api', release, { PORT: String(port) })
    const url = `http://127.0.0.1:${port}`
    assert.equal((await fetch(`${url}/readyz`)).status, 200)
    rotation.push({ process: server, url, inFlight: new Set() })
  }
  return {
    rotation,
    processes,
    addApi,
    /** Adds a process of the release, then removes the oldest one from the rotation, drains it and stops it. */
    replaceApi: async (release: Release) => {
      await addApi(release)
      const oldest = rotation.shift()
      await Promise.all(oldest?.inFlight ?? [])
      assert.equal(await oldest?.process.stop(), 0)
    },
    replaceWorker: async (release: Release) => {
      const old = worker
      worker = await add('worker', release)
      if (old) assert.equal(await old.stop(), 0)
    },
    stop: async () => {
      assert.equal(await worker?.stop(), 0)
      await Promise.all(rotation.splice(0).map((api) => api.process.stop()))
    },
  }
}

/** Each person generates, reads and cancels, at one process of the rotation after the other. */
function startLoad(rotation: Api[], people: Person[]) {
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
    for (let i = 0; !isStopped; i++) {
      // Rendering and inspecting a film takes most of the time of a processor, so one in twenty has one.
      const body = i % 20 === 0 ? generateBody : { ...generateBody, prompt: '[fail: No luck.]' }
      const text = await send(as, 'POST', '/api/v1/video/generate', body, [200, 429])
      const uuid = JSON.parse(text || '{}').data?.uuid
      await send(as, 'GET', '/api/v1/credit/balance')
      await send(as, 'GET', '/api/v1/video/list')
      // 409: a provider has the task already.
      if (uuid) await send(as, 'POST', `/api/v1/video/${uuid}/cancel`, undefined, [200, 409])
      await send(as, 'GET', '/api/v1/credit/history')
    }
  }
  const loops = people.map(loop)
  return {
    requests: (more: number) => {
      const goal = count + more
      return waitFor(`${more} requests`, () => count >= goal)
    },
    stop: async () => {
      isStopped = true
      await Promise.all(loops)
      return failures
    },
  }
}

const schemaVersion = async ({ app }: Kinora) =>
  (await app.sql<{ version: number }[]>`select max(version) as version from kinora.schema_version`)[0]?.version
