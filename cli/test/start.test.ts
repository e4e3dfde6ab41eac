// slow
/** `npm start`: its output, what it stores, its errors, and that it stops everything it has started. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../server/test/support/free-port.ts'
import {
  afterTest,
  type CliProcess,
  modeOf,
  processesWith,
  readJsonFile,
  runKinora,
  temporaryDir,
  waitForNoProcess,
  waitUntil,
} from './cli-process.ts'

const READY = /Kinora is ready[\s\S]*^\)$/m

/** Without the sandbox, whose probe takes as much CPU time as all else of a start; the first test has it. */
function start(t: TestContext, dataDir: string, port: number, env: Record<string, string> = {}): CliProcess {
  const settings = { DATA_DIR: dataDir, PORT: String(port), SIMULATOR_PACE: '0', MEDIA_SANDBOX: 'off' }
  return runKinora(t, ['start'], { ...settings, ...env })
}

async function signIn(port: number, email: string, password: string): Promise<Response> {
  return await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
}

/** Waits until server, simulator and database have exited, seen by their ports and by the database's command line. */
async function waitUntilAllStopped(dataDir: string, port: number): Promise<void> {
  const { port: simulatorPort } = readJsonFile(path.join(dataDir, 'simulator.json'))
  await waitUntil(async () => {
    const open = await Promise.all([isListening(port), isListening(Number(simulatorPort))])
    return open.some(Boolean) || processesWith(dataDir).length > 0 ? undefined : true
  }, 'server, simulator and database ended')
}

async function isListening(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )
}

test('npm start: no settings → the printed sign-in and script work; a restart keeps password and films', async (t) => {
  const dataDir = path.join(temporaryDir(t), 'data')
  const port = await freePort()
  const first = start(t, dataDir, port, { MEDIA_SANDBOX: 'auto' })
  const printed = await first.waitForOutput(READY)

  assert.match(printed, new RegExp(`Studio +http://localhost:${port}\\b`))
  const password = /password (\S+)/.exec(printed)?.[1] ?? ''
  assert.equal((await signIn(port, 'admin@kinora.local', password)).status, 200)
  assert.ok(printed.includes(dataDir))
  assert.match(printed, /Stop +Ctrl-C/)
  assert.ok(printed.split('\n').every((line) => line.length <= 120))
  assert.equal(modeOf(path.join(dataDir, 'secrets.json')), '600')
  for (const secret of Object.values(readJsonFile(path.join(dataDir, 'secrets.json')))) {
    assert.deepEqual(processesWith(String(secret)), [])
  }

  // The printed script runs as it is.
  const script = printed.slice(printed.indexOf('\n(\n') + 1)
  const run = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '' },
    timeout: 90_000,
  })
  const filmUrl = run.stdout.trim().split('\n').at(-1) ?? ''
  assert.match(filmUrl, /^http:/, run.stdout + run.stderr)
  assert.equal((await fetch(filmUrl)).headers.get('content-type'), 'video/mp4')

  // Every user may pass through the data folder of root, but not list it: PostgreSQL runs as another user.
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^postgres(\/|$)/.test(name),
  )
  assert.ok(files.some((name) => name.endsWith('.mp4')))
  for (const name of files) assert.equal(Number.parseInt(modeOf(path.join(dataDir, name)), 8) & 0o027, 0, name)

  const second = await start(t, dataDir, await freePort()).ended
  assert.equal(second.status, 1)
  assert.match(second.output, new RegExp(`already running on ${dataDir} \\(process ${first.process.pid}\\)`))
  const books = await runKinora(t, ['verify'], { DATA_DIR: dataDir }).ended
  assert.equal(books.status, 0, books.output)

  first.process.kill('SIGTERM')
  const stopped = await first.ended
  assert.equal(stopped.status, 0)
  // Only a machine that cannot set up every layer of the decoder's sandbox has something to warn of.
  const complaints = stopped.output.match(/\b(WARN|ERROR|FATAL): .*/g) ?? []
  assert.deepEqual(
    complaints.filter((line) => !line.includes('the sandbox of the media decoder')),
    [],
  )
  await waitUntilAllStopped(dataDir, port)
  const offline = await runKinora(t, ['verify'], { DATA_DIR: dataDir }).ended
  assert.equal(offline.status, 0, offline.output)

  const again = start(t, dataDir, port)
  assert.ok((await again.waitForOutput(READY)).includes(`password ${password}`))
  assert.equal((await fetch(filmUrl)).status, 200)
  again.process.kill('SIGINT')
  assert.equal((await again.ended).status, 0)
  await waitUntilAllStopped(dataDir, port)
})

test('npm start: SIGKILL → server, simulator and database exit; the next start works', async (t) => {
  const dataDir = temporaryDir(t)
  const port = await freePort()
  const first = start(t, dataDir, port)
  await first.waitForOutput(READY)
  first.process.kill('SIGKILL')
  await first.ended
  await waitUntil(async () => ((await isListening(port)) ? undefined : true), 'its server has ended')
  const second = start(t, dataDir, port)
  await second.waitForOutput(READY)
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
  second.process.kill('SIGKILL')
  await second.ended
  await waitUntilAllStopped(dataDir, port)
})

test('npm start: server or simulator killed → restarted; database killed → exit 1 with the reason', async (t) => {
  const dataDir = temporaryDir(t)
  const port = await freePort()
  const running = start(t, dataDir, port)
  await running.waitForOutput(READY)
  const children = processesWith('/main.').filter(({ command }) =>
    /server.main\.mjs|simulator.src.main\.ts/.test(command),
  )
  const own = children.filter(({ pid }) => parentOf(pid) === running.process.pid)
  assert.equal(own.length, 2)
  for (const { pid } of own) process.kill(pid, 'SIGKILL')
  await running.waitForOutput(/The server ended unexpectedly \(SIGKILL\) and is started again/)
  await running.waitForOutput(/The simulator ended unexpectedly \(SIGKILL\) and is started again/)
  await waitUntil(async () => ((await isListening(port)) ? true : undefined), 'the server listens again')

  // The watchdog's shell has the same arguments as the database.
  const [database] = processesWith(path.join(dataDir, 'postgres')).filter(
    ({ command }) => command.includes('-D') && !command.startsWith('/bin/sh'),
  )
  assert.ok(database)
  process.kill(database.pid, 'SIGKILL')
  const { status, output } = await running.ended
  assert.equal(status, 1)
  assert.match(output, /The database ended by itself/)
})

test('npm start: port taken → exit 1 with the remedy, nothing keeps running', async (t) => {
  const dataDir = temporaryDir(t)
  const squatter = createServer()
  afterTest(t, () => squatter.close())
  const port = await new Promise<number>((resolve) => {
    squatter.listen(0, () => {
      const address = squatter.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  const { status, output } = await start(t, dataDir, port).ended
  assert.equal(status, 1)
  assert.match(
    output,
    new RegExp(`Port ${port} is taken by another program\\. Choose another one: PORT=\\d+ npm start`),
  )
  await waitForNoProcess(dataDir)
})

test('npm start: production without settings → exit 1 with the name of each missing setting', async (t) => {
  const dataDir = temporaryDir(t)
  const port = await freePort()
  const { status, output } = await start(t, dataDir, port, { NODE_ENV: 'production', AUTH_SECRET: 'short' }).ended
  assert.equal(status, 1)
  for (const problem of ['AUTH_SECRET is shorter', 'No AI provider is set up: set PROVIDER_<ID>_API_KEY, and']) {
    assert.match(output, new RegExp(`- ${problem} `))
  }
  assert.doesNotMatch(output, /\n\s+at /)
  await waitForNoProcess(dataDir)
})

test('npm start: unreachable database, damaged secrets, unusable folder → exit 1 with a sentence each', async (t) => {
  const dataDir = temporaryDir(t)
  const port = await freePort()
  const unreachable = await start(t, dataDir, port, { DATABASE_URL: `postgres://x:y@127.0.0.1:${await freePort()}/x` })
    .ended
  assert.equal(unreachable.status, 1)
  assert.match(unreachable.output, /The database does not answer/)

  writeFileSync(path.join(dataDir, 'secrets.json'), '{"AUTH_SECRET":')
  const damaged = await start(t, dataDir, port).ended
  assert.match(damaged.output, /secrets\.json is damaged/)

  rmSync(path.join(dataDir, 'secrets.json'))
  mkdirSync(path.join(dataDir, 'file'))
  writeFileSync(path.join(dataDir, 'file/data'), '')
  const inTheWay = await start(t, path.join(dataDir, 'file/data/below'), port).ended
  assert.match(inTheWay.output, /is in the way/)
  for (const { status, output } of [damaged, inTheWay]) assert.equal(status, 1, output)
  for (const { output } of [unreachable, damaged, inTheWay]) assert.doesNotMatch(output, /\n\s+at /)
})

test('kinora: unknown command → exit 2 with its name', async (t) => {
  const { status, output } = await runKinora(t, ['strat'], {}).ended
  assert.equal(status, 2)
  assert.match(output, /There is no command "strat"/)
})

function parentOf(pid: number): number {
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
}
