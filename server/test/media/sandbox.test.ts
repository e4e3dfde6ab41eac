/**
 * The sandbox of the inspecting child. The payload does with native calls what hostile code in a decoder would do; it
 * runs in the real child, started in each way that the service knows, and then decodes an image and a film. Where the
 * machine does not have a layer, the test checks that the service refuses to start the child with it and reports it as
 * missing.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { type Attempts, type EscapeRoute, escapeRoutes } from '../../src/media/sandbox/escape-routes.ts'
import { type Launch, type LaunchKind, launchesToTry } from '../../src/media/sandbox/launch.ts'
import { describeLayers, openRoutes, openSandbox, setSandboxMode, tryLayers } from '../../src/media/sandbox/sandbox.ts'
import { reachable, runAsOtherUser, whyNoOtherUser } from '../support/other-user.ts'

const allRoutes = Object.keys(escapeRoutes)
/** Which of the attempts were closed. */
const closedRoutes = (attempted: Attempts): EscapeRoute[] =>
  (Object.keys(escapeRoutes) as EscapeRoute[]).filter((route) => attempted[route] > 0)
const isRoot = process.getuid?.() === 0

/** Judged apart from the service, by the smallest command that needs the layer; null when this machine has it. */
function whyMissing(kind: LaunchKind): string | null {
  if (kind === 'plain') return null
  if (kind === 'user') return whyNoOtherUser()
  const flags = [
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    '--mount',
    '--net',
    '--pid',
    '--ipc',
    '--uts',
    '--fork',
  ]
  const script = 'mount -t tmpfs none /sys && setpriv --no-new-privs true && chroot / true'
  // The service's child has no PATH either: the shell's own one has the programs of administrators.
  const run = spawnSync('unshare', [...flags, '/bin/sh', '-c', script], { encoding: 'utf8', env: {} })
  return run.status === 0 ? null : (run.error?.message ?? run.stderr.trim())
}

/** What each way to start the child closes without the filter. */
const closedBy: Record<LaunchKind, string[]> = {
  namespaces: ['readFile', 'readEnvironment', 'writeFile', 'connect', 'signal'],
  user: ['readFile', 'readEnvironment', 'writeFile', 'signal'],
  plain: [],
}

const launches = launchesToTry().map((launch): Launch => {
  if (launch.kind !== 'user') return launch
  return { ...launch, commandOf: (command, limits) => reachable(launch.commandOf(command, limits)) }
})

/** Where this machine has no such layer: the test of what the service makes of that. */
function testMissing(launch: Launch, seccomp: boolean, missing: string): void {
  const filter = seccomp ? 'behind the seccomp filter' : 'without a filter'
  test(`payload: ${launch.kind}, ${filter}, which this machine does not have → not started, reported as missing`, async (t) => {
    t.diagnostic(missing)
    await assert.rejects(tryLayers({ launch, seccomp }))
    // The test's own limits decide whether it can become another user, and not those of the service.
    if (launch.kind === 'user') return
    const pattern = launch.kind === 'namespaces' ? /^namespaces/ : /^seccomp/
    const layer = describeLayers(await openSandbox()).find(({ name }) => pattern.test(name))
    assert.equal(layer?.isActive, false)
  })
}

for (const launch of launches) {
  const missing = whyMissing(launch.kind)
  const missingFilter = missing ?? (process.platform === 'linux' ? null : 'it is no Linux')

  if (missing !== null) testMissing(launch, false, missing)
  else {
    test(`payload: ${launch.kind}, without a filter → kept from ${closedBy[launch.kind].join(', ') || 'nothing'}`, async () => {
      const found = await tryLayers({ launch, seccomp: false })
      const closed: string[] = closedRoutes(found.before)
      for (const route of closedBy[launch.kind]) assert.ok(closed.includes(route), route)
      // The payload works: without layers it gets out.
      if (launch.kind === 'plain')
        for (const route of ['readFile', 'connect', 'startProcess']) assert.ok(!closed.includes(route), route)
      assert.deepEqual(found.decoded, { image: 64, film: 4096 })
      assert.equal(found.limits.cpuS, 10)
      assert.equal(found.limits.openFiles, 256)
      if (launch.kind !== 'plain') assert.equal(found.limits.processes, 128)
      if (launch.kind === 'namespaces') assert.equal(found.noNewPrivileges, true)
      if (launch.kind !== 'plain' && isRoot) assert.notEqual(found.uid, 0)
    })
  }

  if (missingFilter !== null) testMissing(launch, true, missingFilter)
  else {
    test(`payload: ${launch.kind}, behind the seccomp filter → no escape route, image and film decoded`, async () => {
      const found = await tryLayers({ launch, seccomp: true })
      assert.deepEqual(closedRoutes(found.after), allRoutes)
      assert.equal(found.ioUring, 1)
      assert.deepEqual([found.seccomp, found.noNewPrivileges], [true, true])
      assert.deepEqual(found.decoded, { image: 64, film: 4096 })
    })
  }
}

test("payload: the server's umask is 027 → the same layers", async (t) => {
  const before = process.umask(0o027)
  t.after(() => process.umask(before))
  const launch = launches.find(({ kind }) => whyMissing(kind) === null)
  assert.ok(launch)
  await tryLayers({ launch, seccomp: process.platform === 'linux' })
})

test('payload: server of an ordinary user → a user namespace where the kernel allows it; no escape route', {
  skip: isRoot ? (whyNoOtherUser() ?? false) : 'every other test here runs as an ordinary user',
}, (t) => {
  const modules = new URL('../../src/media/sandbox/', import.meta.url).href
  const script = `
    const { openSandbox, describeLayers } = await import('${modules}sandbox.ts')
    const sandbox = await openSandbox()
    console.log(JSON.stringify({ ...sandbox, kind: sandbox.layers.launch.kind, described: describeLayers(sandbox) }))`
  const { status, stdout, stderr } = runAsOtherUser(['--input-type=module', '-e', script])
  assert.equal(status, 0, stderr)
  const { kind, probe: found, problems, described } = JSON.parse(stdout)
  const layer = described.find(({ name }: { name: string }) => name.startsWith('namespaces'))
  assert.equal(layer.isActive, kind === 'namespaces')
  if (kind === 'namespaces') assert.deepEqual(closedRoutes(found.before), closedBy.namespaces)
  else t.diagnostic(`no user namespaces: ${problems[0]}`)
  assert.deepEqual(closedRoutes(found.after), found.seccomp ? allRoutes : closedRoutes(found.before))
})

test('openSandbox: auto → the strongest layers of this machine; open routes are reported', async () => {
  const sandbox = await openSandbox()
  assert.equal(sandbox, await openSandbox())
  assert.ok(sandbox.probe)
  assert.deepEqual(
    openRoutes(sandbox).length,
    allRoutes.length - closedRoutes(sandbox.probe.after).length,
    'each open route is reported',
  )
  const active = describeLayers(sandbox).flatMap((layer) => (layer.isActive ? layer.name : []))
  assert.equal(active.includes('seccomp filter'), sandbox.probe.seccomp)
  assert.equal(
    active.some((name) => name.startsWith('namespaces')),
    sandbox.layers.launch.kind === 'namespaces',
  )
})

test('openSandbox: off → limits only, every route is reported open, with remedies for this user', async (t) => {
  t.after(() => setSandboxMode('auto'))
  setSandboxMode('off')
  const sandbox = await openSandbox()
  const otherUser = describeLayers(sandbox).find(({ name }) => name === 'another user')
  assert.match(otherUser?.remedy ?? '', isRoot ? /every user may enter/ : /start as root/)
  assert.deepEqual([sandbox.layers.launch.kind, sandbox.layers.seccomp], ['plain', false])
  assert.deepEqual(openRoutes(sandbox), Object.values(escapeRoutes))
})

test('probe: folder of a process that was killed during its probe → removed after an hour, a younger one stays', async (t) => {
  const [old, young] = ['old', 'young'].map((name) => path.join(tmpdir(), `kinora-probe-test-${process.pid}-${name}`))
  assert.ok(old && young)
  for (const dir of [old, young]) {
    mkdirSync(dir)
    t.after(() => rmSync(dir, { recursive: true, force: true }))
  }
  const twoHoursAgo = Date.now() / 1000 - 7_200
  utimesSync(old, twoHoursAgo, twoHoursAgo)
  const plain = launchesToTry().at(-1) ?? assert.fail('no way to start')
  await tryLayers({ launch: plain, seccomp: false })
  assert.deepEqual([existsSync(old), existsSync(young)], [false, true])
})
