/** The example receivers of docs/examples, run as their readers run them, get real deliveries. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import { openKinora } from '../support/harness.ts'
import { webhookFixture } from '../support/webhook-fixture.ts'
import { allow, create, dispatchAll, type Receiver } from '../support/webhook-receiver.ts'

const kinora = await openKinora()
const { cancelled } = webhookFixture(kinora)
const example = (name: string) => fileURLToPath(new URL(`../../../docs/examples/${name}`, import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

type Line = { type?: string; of?: string; test?: boolean; listening?: object }

/** @returns the lines that it prints, one after the other */
function started(t: TestContext, command: string, file: string, env: Record<string, string>) {
  const child = spawn(command, [example(file)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (): Promise<Line> => JSON.parse((await lines.next()).value ?? '{}')
}

async function receives(t: TestContext, command: string, file: string): Promise<void> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hook`
  allow(kinora, t, { host: `127.0.0.1:${port}` } as Receiver)
  const ann = await kinora.person({ credits: 100 })
  const { data: endpoint } = await create(kinora, ann, { url })
  const next = started(t, command, file, { PORT: `${port}`, KINORA_WEBHOOK_SECRET: endpoint.secret })
  assert.ok((await next()).listening)
  const uuid = await cancelled(ann)
  await dispatchAll(kinora)
  assert.deepEqual(await next(), { type: 'video.cancelled', of: uuid, test: false })
  const at = `/api/v1/webhook/endpoints/${endpoint.id}`
  const body = { from: new Date(0), to: new Date(kinora.app.now().getTime() + 1000) }
  assert.equal((await kinora.call('POST', `${at}/replay`, { as: ann, body })).data.deliveries, 1)
  await dispatchAll(kinora)
  await kinora.call('POST', `${at}/test?type=asset.created`, { as: ann })
  await dispatchAll(kinora)
  // The replayed one arrived before it, and was known by its id.
  const { type, test: isTest } = await next()
  assert.deepEqual([type, isTest], ['asset.created', true])
  const forged = await fetch(url, {
    method: 'POST',
    body: '{}',
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
      'webhook-signature': 'v1,AAAA',
    },
  })
  assert.equal(forged.status, 401)
}

test('example receiver in TypeScript: a delivery, the same again, an example, a forged one → handled once each, 401', (t) =>
  receives(t, process.execPath, 'webhook-receiver.ts'))

test('example receiver in Python: a delivery, the same again, an example, a forged one → handled once each, 401', (t) =>
  hasPython ? receives(t, 'python3', 'webhook-receiver.py') : t.diagnostic('not run: python3 is missing'))
