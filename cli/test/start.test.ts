/** `npm start` as a stranger meets it: what it prints, what it keeps, what it refuses, and that it ends what it began. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../server/test/free-port.ts'
import {
  afterwards,
  folder,
  kinora,
  modeOf,
  noneLeft,
  processesWith,
  type Running,
  readJsonFile,
  until,
} from './cli-process.ts'

const READY = /Kinora is ready[\s\S]*^\)$/m

function start(t: TestContext, dataDir: string, port: number, env: Record<string, string> = {}): Running {
  return kinora(t, ['start'], { DATA_DIR: dataDir, PORT: String(port), SIMULATOR_PACE: '0', ...env })
}

async function signIn(port: number, email: string, password: string): Promise<Response> {
  return await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
}

/** Database, server and simulator carry the data folder in their command line or environment; their ports tell the rest. */
async function nothingLeft(dataDir: string, port: number): Promise<void> {
  const { port: simulatorPort } = readJsonFile(path.join(dataDir, 'simulator.json'))
  await until(async () => {
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

test('first start, second start, end, restart: everything a newcomer needs is printed, works, and is kept', async (t) => {
  const dataDir = path.join(folder(t), 'data')
  const port = await freePort()
  const first = start(t, dataDir, port)
  const printed = await first.says(READY)

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

  // The block that is printed for pasting, pasted.
  const block = printed.slice(printed.indexOf('\n(\n') + 1)
  const pasted = spawnSync('sh', ['-c', block], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '' },
    timeout: 90_000,
  })
  const filmUrl = pasted.stdout.trim().split('\n').at(-1) ?? ''
  assert.match(filmUrl, /^http:/, pasted.stdout + pasted.stderr)
  assert.equal((await fetch(filmUrl)).headers.get('content-type'), 'video/mp4')

  const second = await start(t, dataDir, await freePort()).ended
  assert.equal(second.status, 1)
  assert.match(second.output, new RegExp(`already running on ${dataDir} \\(process ${first.process.pid}\\)`))
  const books = await kinora(t, ['verify'], { DATA_DIR: dataDir }).ended
  assert.equal(books.status, 0, books.output)

  first.process.kill('SIGTERM')
  assert.equal((await first.ended).status, 0)
  await nothingLeft(dataDir, port)
  const offline = await kinora(t, ['verify'], { DATA_DIR: dataDir }).ended
  assert.equal(offline.status, 0, offline.output)

  const again = start(t, dataDir, port)
  assert.ok((await again.says(READY)).includes(`password ${password}`))
  assert.equal((await fetch(filmUrl)).status, 200)
  again.process.kill('SIGINT')
  assert.equal((await again.ended).status, 0)
  await nothingLeft(dataDir, port)
})

test('killed without warning, its parts end by themselves, and the next start finds everything in order', async (t) => {
  const dataDir = folder(t)
  const port = await freePort()
  const first = start(t, dataDir, port)
  await first.says(READY)
  first.process.kill('SIGKILL')
  await first.ended
  await until(async () => ((await isListening(port)) ? undefined : true), 'its server has ended')
  const second = start(t, dataDir, port)
  await second.says(READY)
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
  second.process.kill('SIGKILL')
  await second.ended
  await nothingLeft(dataDir, port)
})

test('a part that dies is started again; without the database everything ends, and says so', async (t) => {
  const dataDir = folder(t)
  const port = await freePort()
  const running = start(t, dataDir, port)
  await running.says(READY)
  const parts = processesWith('/main.ts').filter(({ command }) => /(server|simulator).src.main\.ts/.test(command))
  const own = parts.filter(({ pid }) => parentOf(pid) === running.process.pid)
  assert.equal(own.length, 2)
  for (const { pid } of own) process.kill(pid, 'SIGKILL')
  await running.says(/The server ended unexpectedly \(SIGKILL\) and is started again/)
  await running.says(/The simulator ended unexpectedly \(SIGKILL\) and is started again/)
  await until(async () => ((await isListening(port)) ? true : undefined), 'the server answered again')

  // Beside the database stands the shell that watches over it, with the same words.
  const [database] = processesWith(path.join(dataDir, 'postgres')).filter(
    ({ command }) => command.includes('-D') && !command.startsWith('/bin/sh'),
  )
  assert.ok(database)
  process.kill(database.pid, 'SIGKILL')
  const { status, output } = await running.ended
  assert.equal(status, 1)
  assert.match(output, /The database ended by itself/)
})

test('a taken port is named at once, with the way to choose another; nothing is left running', async (t) => {
  const dataDir = folder(t)
  const squatter = createServer()
  afterwards(t, () => squatter.close())
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
  await noneLeft(dataDir)
})

test('in production nothing is made up: each missing setting is named', async (t) => {
  const dataDir = folder(t)
  const port = await freePort()
  const { status, output } = await start(t, dataDir, port, { NODE_ENV: 'production', AUTH_SECRET: 'short' }).ended
  assert.equal(status, 1)
  for (const name of ['AUTH_SECRET', 'AI_CALLBACK_SECRET', 'PROVIDER_A_URL', 'PROVIDER_A_API_KEY', 'PROVIDER_B_URL']) {
    assert.match(output, new RegExp(`- ${name} `))
  }
  assert.doesNotMatch(output, /\n\s+at /)
  await noneLeft(dataDir)
})

test('a database that is away, damaged secrets, an unwritable folder: a sentence each, and no stack', async (t) => {
  const dataDir = folder(t)
  const port = await freePort()
  const away = await start(t, dataDir, port, { DATABASE_URL: `postgres://x:y@127.0.0.1:${await freePort()}/x` }).ended
  assert.equal(away.status, 1)
  assert.match(away.output, /The database does not answer/)

  writeFileSync(path.join(dataDir, 'secrets.json'), '{"AUTH_SECRET":')
  const damaged = await start(t, dataDir, port).ended
  assert.match(damaged.output, /secrets\.json is damaged/)

  rmSync(path.join(dataDir, 'secrets.json'))
  mkdirSync(path.join(dataDir, 'file'))
  writeFileSync(path.join(dataDir, 'file/data'), '')
  const inTheWay = await start(t, path.join(dataDir, 'file/data/below'), port).ended
  assert.match(inTheWay.output, /is in the way/)
  for (const { status, output } of [damaged, inTheWay]) assert.equal(status, 1, output)
  for (const { output } of [away, damaged, inTheWay]) assert.doesNotMatch(output, /\n\s+at /)
})

test('an unknown command is named', async (t) => {
  const { status, output } = await kinora(t, ['strat'], {}).ended
  assert.equal(status, 2)
  assert.match(output, /There is no command "strat"/)
})

function parentOf(pid: number): number {
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
}
