// slow
/**
 * The packed release on a machine with nothing else: an ordinary user starts it by the Node of the system, and
 * deploy/upgrade.sh replaces it by a release with another schema, and back, with load on, behind nginx where it is
 * installed. A release that ends, or does not become ready, leaves the former one in place.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { verify } from '../../src/credit/verify.ts'
import { notDistributed } from '../support/citus/database.ts'
import { freePort } from '../support/free-port.ts'
import { generateBody, openKinora } from '../support/harness.ts'
import { installNext, installRelease } from '../support/packed-release.ts'
import { settingsWith } from '../support/processes.ts'
import { type Load, nextSchema, schemaVersion, startLoad, threePeople } from '../support/release-load.ts'
import { openProxy } from '../support/reverse-proxy.ts'
import { openSystemd, ordinaryUser, SYSTEM_PATH } from '../support/systemd.ts'
import { waitFor } from '../support/video-row.ts'

const underLoad = notDistributed('the processes are stopped for an update')
const SYSTEM_NODE = '/usr/bin/node'
const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'kinora-home-')))
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
chmodSync(home, 0o755)

const folderOf = (version: string) => path.join(home, 'releases', version)
await installRelease(folderOf('0.1.0'))
/** Of the ordinary user: all else of the machine is root's. */
const own = path.join(home, 'own')
mkdirSync(own)
if (ordinaryUser.uid !== undefined) spawnSync('chown', [`${ordinaryUser.uid}:${ordinaryUser.gid}`, own])

const node = existsSync(SYSTEM_NODE) ? SYSTEM_NODE : process.execPath
const isOldNode = Number.parseInt(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.slice(1), 10) < 24

/** Runs a program of the release as an ordinary user, by the system's Node. */
function runBySystemNode(program: string, ...args: string[]) {
  const child = spawn(node, [path.join(folderOf('0.1.0'), program), ...args], {
    cwd: own,
    env: { PATH: SYSTEM_PATH, HOME: own, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...ordinaryUser,
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  after(() => child.kill('SIGKILL'))
  return {
    child,
    ended,
    output: () => output,
    printed: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (bytes) => {
            output += bytes
            const found = pattern.exec(output)?.[1]
            if (found) resolve(found)
          })
        void ended.then((how) => reject(new Error(`${program} ended with ${how}:\n${output}`)))
      }),
  }
}

test('packed release: the Node of the system, an ordinary user, nothing else → the product starts and makes a film', async () => {
  const product = runBySystemNode('cli/kinora.mjs', 'start')
  const url = await product.printed(/Studio\s+(http:\/\/\S+)/)
  const call = async (target: string, token: string, body?: object) => {
    const response = await fetch(`${url}/api/${target}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as { token: string; data: { uuid: string; status: string } }
  }
  const person = { name: 'Ann', email: 'ann@example.com', password: 'a paper boat at dawn' }
  const { token } = await call('auth/sign-up/email', '', person)
  const { data } = await call('v1/video/generate', token, generateBody)
  await waitFor('the film', async () => {
    const { data: task } = await call(`v1/video/task?uuid=${data.uuid}`, token)
    assert.notEqual(task.status, 'FAILED', JSON.stringify(task))
    return task.status === 'COMPLETED'
  })
  assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /<script type="module"/)
  const doctor = runBySystemNode('cli/kinora.mjs', 'doctor')
  await doctor.printed(/^decoder: (a user other than root, as the whole service – active)$/m)
  assert.equal(await doctor.ended, 0, doctor.output())
  product.child.kill('SIGTERM')
  assert.equal(await product.ended, 0, product.output())
})

test('packed release: server/main.mjs by an older Node → one sentence that names the Node of the release', async () => {
  const server = runBySystemNode('server/main.mjs', 'help')
  const sentence = isOldNode
    ? /(The server needs Node 24 .*\/node_modules\/\.bin\/node server\/main\.mjs)/
    : /(commands)/
  await server.printed(sentence)
  assert.equal(await server.ended, isOldNode ? 1 : 0)
})

const kinora = await openKinora({ simulator: true })
const people = await threePeople(kinora)
const ports = [await freePort(), await freePort()]
const settings = settingsWith(kinora, {
  PATH: SYSTEM_PATH,
  DATA_DIR: path.join(own, 'data'),
  NODE_COMPILE_CACHE: path.join(own, 'cache'),
  // A person has at most two videos at a time, so that the workers keep up with the load.
  MAX_IN_PROGRESS: '2',
})
const machine = await openSystemd(home, settings)
const proxy = { url: await openProxy(ports), inFlight: new Set<Promise<unknown>>() }
let load: Load

// The ports of a test are free ones.
const script = path.join(folderOf('0.1.0'), 'deploy/upgrade.sh')
const text = readFileSync(script, 'utf8')
assert.match(text, /^ports=\(8080 8081\)$/m)
writeFileSync(script, text.replace('(8080 8081)', `(${ports.join(' ')})`))

/** The documented step. */
async function upgrade(version: string, env: Record<string, string> = {}) {
  const child = spawn('bash', [path.join(folderOf(version), 'deploy/upgrade.sh')], {
    env: { PATH: `${machine.bin}:${SYSTEM_PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, output }
}

/** The release that the link names and the one API of the machine runs; null when none runs. */
function serving(): string | null {
  const [api, ...others] = machine.names().filter((name) => name.startsWith('kinora-api@'))
  assert.deepEqual(others, [])
  const release = api === undefined ? undefined : machine.releaseOf(api)
  if (release !== undefined) assert.equal(readlinkSync(path.join(home, 'current')), release)
  return release === undefined ? null : path.basename(release)
}

async function upgradeTo(version: string): Promise<void> {
  const { status, output } = await upgrade(version)
  assert.equal(status, 0, output)
  assert.equal(serving(), version)
  await load.requests(20)
  assert.deepEqual(load.failures, [])
}

test('deploy/upgrade.sh: first release, with a wrong setting → it ends at once, says which, and that nothing serves', async () => {
  settings.WORKER_CONCURRENCY = 'many'
  const { status, output } = await upgrade('0.1.0')
  delete settings.WORKER_CONCURRENCY
  assert.equal(status, 1)
  assert.match(output, /WORKER_CONCURRENCY must be a whole number/)
  assert.match(output, /0\.1\.0 ended on port \d+: .*\. Nothing serves on \d+ \d+\.\n$/)
  assert.equal(serving(), null)
})

test('deploy/upgrade.sh: to a release with another schema, with load on → no request fails', underLoad, async () => {
  const first = await upgrade('0.1.0')
  assert.equal(first.status, 0, first.output)
  await machine.systemctl(['enable', '--now', 'kinora-worker@1'])
  load = startLoad([proxy], people)
  await load.requests(20)
  installNext(folderOf('0.1.0'), folderOf('0.2.0'), nextSchema)
  await upgradeTo('0.2.0')
  assert.equal(await schemaVersion(kinora), nextSchema.version)
})

test('deploy/upgrade.sh: back to the former release, with load on → no request fails', underLoad, async () => {
  await upgradeTo('0.1.0')
  assert.equal(await schemaVersion(kinora), nextSchema.version)
})

const failing = [
  { version: '0.3.0', what: 'ends', main: "throw new Error('a broken build')", wait: '300', says: 'ended' },
  { version: '0.4.0', what: 'hangs', main: 'setInterval(() => {}, 60_000)', wait: '1', says: 'did not become ready' },
]
for (const { version, what, main, wait, says } of failing) {
  test(
    `deploy/upgrade.sh: release that ${what} at its start → the former one serves on, and why is printed`,
    underLoad,
    async () => {
      installNext(folderOf('0.1.0'), folderOf(version))
      writeFileSync(path.join(folderOf(version), 'server/dist/main.js'), main)
      const { status, output } = await upgrade(version, { UPGRADE_WAIT_S: wait })
      assert.deepEqual([status, serving()], [1, '0.1.0'], output)
      assert.match(
        output,
        new RegExp(`${version} ${says} .*on port \\d+: .*0\\.1\\.0 serves on port \\d+ as before\\.\n$`),
      )
      if (says === 'ended') assert.match(output, /Error: a broken build/)
      await load.requests(20)
      assert.deepEqual(load.failures, [])
    },
  )
}

test('packed release: stopped → every process ends with 0, the ledger adds up', underLoad, async () => {
  await load.stop()
  for (const name of machine.names()) assert.equal(await machine.stop(name), 0, machine.journalOf(name))
  assert.deepEqual(await verify(kinora.app.database), [])
})
