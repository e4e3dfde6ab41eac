// slow
/**
 * A rolling deploy with load on: processes of this release are replaced, one by one, by those of a next release with
 * another schema (a copy of the server with more migrations and changed functions), and back. No request fails and the
 * ledger adds up.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { verify } from '../../src/credit/verify.ts'
import { notDistributed } from '../support/citus/database.ts'
import { freePort } from '../support/free-port.ts'
import { type Kinora, openKinora } from '../support/harness.ts'
import { type ServerProcess, startProcess } from '../support/processes.ts'
import { type Address, type Load, nextSchema, schemaVersion, startLoad, threePeople } from '../support/release-load.ts'
import { own, writeSchema } from '../support/schema-fixture.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const updateUnderLoad = notDistributed('the processes are stopped for an update')
const root = path.resolve(import.meta.dirname, '../../..')
/** Some twenty processes are started; one of the build needs a quarter of the CPU time of one of the sources. */
const MAIN = 'server/dist/main.js'
const { ensureBuild } = await import(path.join(root, 'bin/build.mjs'))
assert.equal(await ensureBuild(root, process.execPath, 'server'), null)

type Release = { main?: string }
type Api = Address & { process: ServerProcess }

const thisRelease: Release = {}
const nextRelease = copyServer(nextSchema)
const next = nextSchema.version

const started = new Set<ServerProcess>()
after(() => {
  for (const { child } of started) child.kill('SIGKILL')
})

const people = await threePeople(kinora)
const service = openService()
let load: Load

test('rolling deploy: to the next release, with load on → no request fails', updateUnderLoad, async () => {
  await service.replaceWorker(thisRelease)
  await service.addApi(thisRelease)
  await service.addApi(thisRelease)
  load = startLoad(service.rotation, people)
  await load.requests(20)
  const steps = [
    () => service.replaceApi(nextRelease),
    () => service.replaceWorker(nextRelease),
    () => service.replaceApi(nextRelease),
  ]
  for (const replace of steps) {
    await replace()
    assert.equal(await schemaVersion(kinora), next)
    await load.requests(20)
  }
  assert.deepEqual(load.failures, [], errorsOf(service))
})

test('rolling deploy: and back → no request fails, every video ends, the ledger adds up', updateUnderLoad, async () => {
  // Its processes leave the newer schema as it is.
  await service.replaceApi(thisRelease)
  await service.replaceWorker(thisRelease)
  await service.replaceApi(thisRelease)
  await load.requests(20)
  assert.equal(await schemaVersion(kinora), next)
  await load.stop()
  assert.deepEqual(load.failures, [], errorsOf(service))
  await waitFor('every video to end', async () => {
    const [row] = await kinora.app.sql<[{ open: number }]>`
      select count(*) as open from kinora.video where due_at is not null
    `
    return row.open === 0
  })
  assert.deepEqual(await verify(kinora.app.database), [])
  await service.stop()
})

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
  for (const name of ['server/dist', 'server/package.json', 'package.json', 'openapi.json', 'openapi-operator.json']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  }
  for (const name of ['bin', 'node_modules', 'server/node_modules'])
    symlinkSync(path.join(root, name), path.join(folder, name))
  writeSchema(change, path.join(folder, 'server'))
  return { main: path.join(folder, MAIN) }
}

async function start(
  service: Kinora,
  command: Parameters<typeof startProcess>[1],
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

const errorsOf = ({ processes }: ReturnType<typeof openService>) =>
  processes
    .flatMap(({ lines }) => lines)
    .filter((line) => /err/i.test(line))
    .join('\n')
