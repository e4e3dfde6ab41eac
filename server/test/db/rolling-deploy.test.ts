// slow
/**
 * A rolling deploy with load on: processes of this release are replaced, one by one, by those of a next release with
 * another schema (a copy of the server with more migrations and changed functions), and back. No request fails and the
 * ledger adds up. The same by deploy/upgrade.sh, behind nginx where it is installed, with a stand-in for systemd that
 * reads the shipped units.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { verify } from '../../src/credit/verify.ts'
import { notDistributed } from '../support/citus/database.ts'
import { freePort } from '../support/free-port.ts'
import { generateBody, type Kinora, openKinora, type Person } from '../support/harness.ts'
import { type ServerProcess, startProcess } from '../support/processes.ts'
import { listen, openProxy } from '../support/reverse-proxy.ts'
import { own, writeSchema } from '../support/schema-fixture.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const updateUnderLoad = notDistributed('the processes are stopped for an update')
/** The pause before each request of a person, so that the load leaves CPU time to the processes that start. */
const PAUSE_MS = 200
const root = path.resolve(import.meta.dirname, '../../..')
/** Some twenty processes are started; one of the build needs a quarter of the CPU time of one of the sources. */
const MAIN = 'server/dist/main.js'
const { ensureBuild } = await import(path.join(root, 'bin/build.mjs'))
assert.equal(await ensureBuild(root, process.execPath, 'server'), null)

type Release = { main?: string }
type Address = { url: string; inFlight: Set<Promise<unknown>> }
type Api = Address & { process: ServerProcess }

const thisRelease: Release = {}
/** The next release: an optional parameter, a result's column, a function with a new name, new columns. */
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
/** Ends the load of a test that has failed. */
let isOver = false
after(() => {
  isOver = true
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

const single = await openKinora({ simulator: true })
const singlePeople = await threePeople(single)
const machine = await openMachine()
const proxy = { url: await openProxy(machine.ports), inFlight: new Set<Promise<unknown>>() }
const releases = { first: machine.install('0.1.0'), second: machine.install('0.2.0', nextRelease) }
let proxyLoad: Load

test(
  'deploy/upgrade.sh: to the next release behind a proxy, with load on → no request fails',
  updateUnderLoad,
  async () => {
    assert.equal((await machine.upgrade(releases.first)).status, 0)
    await machine.systemctl(['enable', '--now', 'kinora-worker@1'])
    proxyLoad = startLoad([proxy], singlePeople)
    await proxyLoad.requests(20)
    await upgradeTo(releases.second)
  },
)

test('deploy/upgrade.sh: back to the former release, with load on → no request fails', updateUnderLoad, async () => {
  await upgradeTo(releases.first)
  assert.equal(await schemaVersion(single), next)
})

test(
  'deploy/upgrade.sh: release that does not start → the former one serves as before, no request fails',
  updateUnderLoad,
  async () => {
    const broken = machine.install('0.3.0')
    writeFileSync(path.join(broken, MAIN), 'process.exit(1)')
    const { status, output } = await machine.upgrade(broken)
    assert.deepEqual([status, machine.serving()], [1, releases.first], output)
    assert.match(output, /0\.3\.0 did not become ready on port \d+ .*0\.1\.0 serves as before\.\n$/)
    await proxyLoad.requests(20)
    await proxyLoad.stop()
    assert.deepEqual(proxyLoad.failures, [])
    assert.deepEqual(await verify(single.app.database), [])
    await machine.stop()
  },
)

async function upgradeTo(release: string): Promise<void> {
  const { status, output } = await machine.upgrade(release)
  assert.equal(status, 0, output)
  assert.equal(machine.serving(), release)
  await proxyLoad.requests(20)
  assert.deepEqual(proxyLoad.failures, [])
}

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

/** A machine with releases in folders, and a `systemctl` that starts what the shipped units say. */
async function openMachine() {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'kinora-home-')))
  after(() => rmSync(home, { recursive: true }))
  const ports = [await freePort(), await freePort()]
  const running = new Map<string, { process: Promise<ServerProcess | null>; release: string }>()
  const launch = async (unit: string) => {
    const [name = '', instance = ''] = unit.split('@')
    const text = readFileSync(path.join(root, `deploy/systemd/${name}@.service`), 'utf8')
    assert.match(text, /^WorkingDirectory=\/opt\/kinora\/current$/m)
    const command = /^ExecStart=.*server\/main\.mjs (api|worker)( --processes auto)?$/m.exec(text)?.[1]
    if (name === 'kinora-api') assert.match(text, /^ExecStart=\/usr\/bin\/env PORT=%i /m)
    assert.ok(command === 'api' || command === 'worker')
    const release = realpathSync(path.join(home, 'current'))
    const env = command === 'api' ? { PORT: instance } : {}
    const started = start(
      single,
      command === 'api' ? 'api --processes 2' : command,
      { main: path.join(release, MAIN) },
      env,
    )
    running.set(unit, { process: started.catch(() => null), release })
  }
  const stop = async (unit: string) => {
    const service = running.get(unit)
    running.delete(unit)
    const process = await service?.process
    if (process) assert.equal(await process.stop(), 0, process.lines.join('\n'))
  }
  const systemctl = async (args: string[]): Promise<string | null> => {
    const unit = args.at(-1) ?? ''
    switch (args[0]) {
      case 'is-active':
        return running.has(unit) ? '' : null
      case 'list-units':
        return [...running.keys()].filter((name) => name.startsWith(unit.replace('*', ''))).join('\n')
      case 'disable':
        await stop(unit)
        return ''
      case 'restart':
        await stop(unit)
        await launch(unit)
        return ''
      case 'enable':
        await launch(unit)
        return ''
      default:
        throw new Error(`systemctl ${args.join(' ')}`)
    }
  }
  const control = http.createServer((request, response) => {
    const args = new URL(request.url ?? '', 'http://x').searchParams.getAll('a')
    systemctl(args).then(
      (output) => response.writeHead(output === null ? 404 : 200).end(output),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  const controlUrl = await listen(control)
  mkdirSync(path.join(home, 'bin'))
  const script = `const r = await fetch('${controlUrl}/?' + process.argv.slice(2).map((a) => 'a=' + encodeURIComponent(a)).join('&'))
console.log(await r.text()); process.exit(r.ok ? 0 : 3)`
  writeFileSync(path.join(home, 'bin/systemctl.mjs'), script)
  const command = `#!/bin/sh\nexec '${process.execPath}' '${home}/bin/systemctl.mjs' "$@"\n`
  writeFileSync(path.join(home, 'bin/systemctl'), command, { mode: 0o755 })
  return {
    ports,
    systemctl,
    stop: async () => {
      for (const unit of [...running.keys()]) await stop(unit)
    },
    serving: () => {
      const api = [...running].filter(([unit]) => unit.startsWith('kinora-api@'))
      assert.equal(api.length, 1)
      assert.equal(readlinkSync(path.join(home, 'current')), api[0]?.[1].release)
      return api[0]?.[1].release
    },
    /** Puts a release into its folder. @returns the folder */
    install: (name: string, { main }: Release = thisRelease) => {
      const folder = path.join(home, 'releases', name)
      const from = main
        ? path.resolve(main, '../../..')
        : path.dirname(path.dirname(path.dirname(copyServer({ version: own.version }).main ?? '')))
      cpSync(from, folder, { recursive: true, verbatimSymlinks: true })
      mkdirSync(path.join(folder, 'deploy'))
      cpSync(path.join(root, 'deploy/health.mjs'), path.join(folder, 'deploy/health.mjs'))
      // The ports of a test are free ones.
      const upgrade = readFileSync(path.join(root, 'deploy/upgrade.sh'), 'utf8')
      assert.match(upgrade, /^ports=\(8080 8081\)$/m)
      writeFileSync(path.join(folder, 'deploy/upgrade.sh'), upgrade.replace('(8080 8081)', `(${ports.join(' ')})`))
      return folder
    },
    /** The documented step. */
    upgrade: async (folder: string) => {
      const env = {
        PATH: `${home}/bin:${path.dirname(process.execPath)}:${process.env.PATH}`,
        UPGRADE_WAIT_S: folder.endsWith('0.3.0') ? '3' : '300',
      }
      const child = spawn('bash', [path.join(folder, 'deploy/upgrade.sh')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes))
      const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
      return { status, output }
    },
  }
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

/** Each person generates, reads and cancels, at one process of the rotation after the other. */
function startLoad(rotation: Address[], people: Person[]) {
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
type Load = ReturnType<typeof startLoad>

function threePeople(of: Kinora): Promise<Person[]> {
  return Promise.all(Array.from({ length: 3 }, () => of.person({ credits: 100_000 })))
}

const errorsOf = ({ processes }: ReturnType<typeof openService>) =>
  processes
    .flatMap(({ lines }) => lines)
    .filter((line) => /err/i.test(line))
    .join('\n')

const schemaVersion = async ({ app }: Kinora) =>
  (await app.sql<{ version: number }[]>`select max(version) as version from kinora.schema_version`)[0]?.version
