/**
 * Task reports from callbacks and polls, in every documented and malformed shape. Parsing never throws: an unreadable
 * report is null, and an unknown status counts as still running.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { adapter as adapterA } from '../../src/provider/adapter/provider-a.ts'
import { adapter as adapterB } from '../../src/provider/adapter/provider-b.ts'
import type { Provider } from '../../src/provider/provider.ts'

let answer: { status: number; body: string } = { status: 200, body: '' }
const server = createServer((_request, response) => response.writeHead(answer.status).end(answer.body))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const settings = {
  id: 'provider',
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  apiKey: 'key',
  webhookKey: null,
  timeoutS: 5,
}
const a = adapterA.open(settings)
const b = adapterB.open(settings)
after(async () => {
  await Promise.all([a.close(), b.close()])
  server.close()
})

const film = 'https://films.example/1.mp4'
const completed = { kind: 'completed', result: film }
const running = (progress: number | null = null, note?: string) => ({
  kind: 'running',
  progress,
  ...(note === undefined ? {} : { note }),
})
const failed = (message: string, code = 'PROVIDER_ERROR') => ({ kind: 'failed', failure: { code, message } })

const handle = { taskId: 't' }
const now = new Date()

/** What an adapter makes of a body. */
const read = (provider: Provider, body: unknown, headers: Record<string, string> = {}, at = now) =>
  provider.readCallback?.({ body: Buffer.from(JSON.stringify(body)), headers, query: new URLSearchParams(), now: at })
const reportOf = (report: object) => ({ kind: 'report', handle, report })
const unreadable = { kind: 'unreadable' }

const noFilm = { kind: 'no_film' }

const fromA: [name: string, body: unknown, report: { kind: string } | null][] = [
  ['completed, as specified', { taskId: 't', status: 'completed', videoUrl: film, duration: 4 }, completed],
  ['completed, the task object', { id: 't', status: 'completed', results: [film] }, completed],
  ['completed, results of objects', { id: 't', status: 'succeeded', results: [{ url: film }] }, completed],
  [
    'completed, result_data without results',
    { id: 't', status: 'completed', results: null, result_data: [{ video_url: film, duration: 4 }] },
    completed,
  ],
  [
    'failed with a code alone',
    { id: 't', status: 'failed', error: { code: 'content_policy_violation', message: null } },
    failed('content_policy_violation', 'CONTENT_REFUSED'),
  ],
  ['a synonym in capitals', { taskId: 't', status: ' SUCCESS ', videoUrl: film }, completed],
  ['completed without a film', { taskId: 't', status: 'completed' }, noFilm],
  ['completed with an empty film', { taskId: 't', status: 'completed', videoUrl: ' ', results: [] }, noFilm],
  ['completed with a film that is no text', { taskId: 't', status: 'completed', videoUrl: { url: film } }, noFilm],
  [
    'completed without a film, with a reason',
    { id: 't', status: 'completed', type: 'video', results: [], error: { message: 'Too dark.' } },
    failed('Too dark.'),
  ],
  ['failed with a text', { taskId: 't', status: 'failed', error: 'Too dark.' }, failed('Too dark.')],
  [
    'failed with an object',
    { id: 't', status: 'failed', error: { code: 'x', message: 'Too dark.' } },
    failed('Too dark.'),
  ],
  ['cancelled is failed', { id: 't', status: 'cancelled', error: 'Gone.' }, failed('Gone.', 'CANCELLED')],
  [
    'failed without a reason',
    { id: 't', status: 'failed' },
    failed('The provider reported "failed" without a reason.'),
  ],
  [
    'failed with an odd reason',
    { id: 't', status: 'failed', error: [] },
    failed('The provider reported "failed" without a reason.'),
  ],
  ['failed with a message', { id: 't', status: 'failed', message: 'Too dark.' }, failed('Too dark.')],
  ['failed with a detail', { id: 't', status: 'failed', detail: [{ msg: 'Too dark.' }] }, failed('Too dark.')],
  ['failed with a null character', { id: 't', status: 'failed', error: 'a\0b' }, failed('ab')],
  ['running with progress', { id: 't', status: 'processing', progress: 41.9 }, running(41)],
  ['progress as text', { id: 't', status: 'pending', progress: '7' }, running(7)],
  ['progress in per cent', { id: 't', status: 'processing', progress: '45%' }, running(45)],
  ['progress as a share', { id: 't', status: 'processing', progress: 0.29 }, running(29)],
  ['progress as a share, as text', { id: 't', status: 'processing', progress: '0.45' }, running(45)],
  ['half a per cent', { id: 't', status: 'processing', progress: '0.5 %' }, running(0)],
  ['progress beyond the end', { id: 't', status: 'processing', progress: 1e9 }, running(100)],
  ['progress below the beginning', { id: 't', status: 'processing', progress: -3 }, running(0)],
  ['progress that is none', { id: 't', status: 'processing', progress: 'half' }, running()],
  ['an unknown status', { id: 't', status: 'simmering' }, running(null, 'simmering')],
  ['the name of something every object has', { id: 't', status: 'constructor' }, running(null, 'constructor')],
  ['the name of a prototype', { id: 't', status: '__proto__' }, running(null, '__proto__')],
  ['a status that is a number', { id: 't', status: 3 }, running(null, '3')],
  ['completed with a text for a URL', { id: 't', status: 'completed', videoUrl: 'N/A' }, noFilm],
  [
    'completed with a text beside the URL',
    { id: 't', status: 'completed', videoUrl: 'N/A', results: [film] },
    completed,
  ],
  ['a status that is a list', { id: 't', status: ['completed'], videoUrl: film }, null],
  ['no status', { taskId: 't', videoUrl: film }, null],
  ['a list', [{ taskId: 't', status: 'completed', videoUrl: film }], null],
  ['a text', 'completed', null],
  ['null', null, null],
]
for (const [name, body, report] of fromA) {
  test(`provider-a: ${name} → ${report?.kind ?? 'unreadable'}`, async () => {
    const parsed = await read(a, body)
    // A callback without a film is sent again; a poll is repeated.
    assert.deepEqual(parsed, report && report !== noFilm ? reportOf(report) : unreadable)
    answer = { status: 200, body: JSON.stringify(body) }
    assert.deepEqual(await a.poll?.(handle), report)
  })
}

const data = (rest: object) => ({ code: 200, msg: 'success', data: { taskId: 't', ...rest } })
const result = (urls: unknown) => ({ resultJson: JSON.stringify({ resultUrls: urls }) })
const unexplained = 'The provider reported a failure without a reason.'
const fromB: [name: string, body: unknown, report: { kind: string } | null][] = [
  ['success, JSON in a string', data({ state: 'success', ...result([film]) }), completed],
  ['success, one text for a list', data({ state: 'success', ...result(film) }), completed],
  ['success, resultJson that is no string', data({ state: 'success', resultJson: { resultUrls: [film] } }), completed],
  ['success, broken resultJson', data({ state: 'success', resultJson: '{"resultUrls":[' }), noFilm],
  ['success, empty resultJson', data({ state: 'success', resultJson: '' }), noFilm],
  [
    'success without a film, with a reason',
    data({ state: 'success', resultJson: null, failMsg: 'Too dark.' }),
    failed('Too dark.'),
  ],
  ['success, an empty list', data({ state: 'success', ...result([]) }), noFilm],
  ['success, a text for a URL', data({ state: 'success', ...result(['N/A']) }), noFilm],
  ['the odd family: a text for a URL', data({ info: { resultUrls: ['N/A'] } }), running()],
  ['fail with a reason', data({ state: 'fail', failCode: '500', failMsg: 'Too dark.' }), failed('Too dark.')],
  ['fail without one', data({ state: 'fail', failMsg: null }), failed(unexplained)],
  [
    'the other name of the task id',
    { code: 200, data: { task_id: 't', state: 'success', ...result([film]) } },
    completed,
  ],
  ['the other name of the message', { code: 501, message: 'Too dark.', data: { taskId: 't' } }, failed('Too dark.')],
  ['waiting', data({ state: 'waiting' }), running()],
  ['the other words for waiting', data({ state: 'wait' }), running()],
  ['the other words for queuing', data({ state: 'queueing' }), running()],
  ['generating with progress', data({ state: 'generating', progress: '0' }), running(0)],
  ['an unknown state', data({ state: 'simmering' }), running(null, 'simmering')],
  ['the odd family: a list', data({ info: { resultUrls: [film] } }), completed],
  ['the odd family: one text', data({ info: { resultUrls: film } }), completed],
  ['the odd family: a list as text', data({ info: { resultUrls: JSON.stringify([film]) } }), completed],
  ['the odd family: failure', { code: 501, msg: 'Too dark.', data: { taskId: 't' } }, failed('Too dark.')],
  [
    'the odd family: failure, code as text',
    { code: '501', msg: 'Too dark.', data: { taskId: 't' } },
    failed('Too dark.'),
  ],
  ['the odd family: nothing yet', data({ info: {} }), running()],
  ['neither state nor info', data({}), null],
  ['data that is a list', { code: 200, data: [{ taskId: 't', state: 'success', ...result([film]) }] }, null],
  ['no data', { code: 200, data: null }, null],
  ['a list', [], null],
  ['a number', 7, null],
]
for (const [name, body, report] of fromB) {
  test(`provider-b: ${name} → ${report?.kind ?? 'unreadable'}`, async () => {
    const parsed = await read(b, body)
    // A callback without a film is sent again; a poll is repeated.
    assert.deepEqual(parsed, report && report !== noFilm ? reportOf(report) : unreadable)
    answer = { status: 200, body: JSON.stringify(body) }
    assert.deepEqual(await b.poll?.(handle), report)
  })
}

for (const word of ['succeed', 'ok', 'SUCCEEDED', 'Finished']) {
  test(`status: "${word}" → completed`, async () => {
    assert.deepEqual(await read(a, { taskId: 't', status: word, videoUrl: film }), reportOf(completed))
    assert.deepEqual(await read(b, data({ state: word, ...result([film]) })), reportOf(completed))
  })
}

for (const word of [
  'timeout',
  'timed_out',
  'Timed Out',
  'timed-out',
  'aborted',
  'terminated',
  'blocked',
  'moderated',
  'nsfw',
]) {
  test(`status: "${word}" → failed`, async () => {
    const report = failed('Too dark.')
    assert.deepEqual(await read(a, { taskId: 't', status: word, error: 'Too dark.' }), reportOf(report))
    assert.deepEqual(await read(b, data({ state: word, failMsg: 'Too dark.' })), reportOf(report))
  })
}

test('poll: error response without a task → null', async () => {
  const none: [typeof a, number, unknown][] = [
    [a, 404, { error: { code: 'x', message: 'There is no such task.' } }],
    [a, 500, { id: 't', status: 'failed', error: 'Oops.' }],
    [a, 401, { status: 'failed' }],
    [b, 200, { code: 401, msg: 'The key is wrong.', data: null }],
    [b, 200, { code: 429, msg: 'Too many.' }],
    [b, 503, { code: 455, data: { taskId: 't' } }],
  ]
  for (const [provider, status, body] of none) {
    answer = { status, body: JSON.stringify(body) }
    assert.equal(await provider.poll?.(handle), null, JSON.stringify(body))
  }
  answer = { status: 200, body: '<html>' }
  assert.equal(await a.poll?.(handle), null)
  assert.equal(await a.poll?.(handle, { signal: AbortSignal.abort() }), null)
})

test('callback: numeric task id → read; task id too long to store → report without one', async () => {
  const callback = { status: 'completed', videoUrl: film }
  const long = 'x'.repeat(5000)
  const handleIn = async (provider: Provider, body: object) => {
    const parsed = await read(provider, body)
    return parsed?.kind === 'report' ? parsed.handle : assert.fail(parsed?.kind)
  }
  assert.deepEqual(await handleIn(a, { taskId: 17, ...callback }), { taskId: '17' })
  assert.equal(await handleIn(a, callback), null)
  assert.equal(await handleIn(a, { taskId: long, ...callback }), null)
  assert.equal(await handleIn(b, data({ taskId: long, state: 'waiting' })), null)
})

test('callback: long texts → truncated before they are stored or logged', async () => {
  const long = 'x'.repeat(100_000)
  for (const body of [
    { taskId: 't', status: 'failed', error: long },
    { taskId: 't', status: long },
    { taskId: 't', status: `cancelled${' '.repeat(5)}` },
  ]) {
    assert.ok(JSON.stringify(await read(a, body)).length < 700)
  }
  assert.ok(JSON.stringify(await read(b, { code: 500, msg: long, data: { taskId: 't' } })).length < 700)
})

test('callback: provider-b webhook key configured → its HMAC signature and the age of its time are verified', async () => {
  const signed = adapterB.open({ ...settings, webhookKey: 'webhook key' })
  const body = data({ state: 'waiting' })
  const nowS = 1_767_225_600
  const signature = (text: string) => createHmac('sha256', 'webhook key').update(text).digest('base64')
  const readSigned = (timestamp: string, given: string, of: unknown = body) =>
    read(signed, of, { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': given }, new Date(nowS * 1000))
  const isAccepted = async (timestamp: number | string) =>
    (await readSigned(`${timestamp}`, signature(`t.${timestamp}`)))?.kind !== 'forged'
  assert.deepEqual(await readSigned(`${nowS}`, signature(`t.${nowS}`)), reportOf(running()))
  assert.deepEqual(await readSigned(`${nowS + 1}`, signature(`t.${nowS}`)), { kind: 'forged' })
  assert.deepEqual(await readSigned(`${nowS}`, ''), { kind: 'forged' })
  const named = { data: { task_id: 't', state: 'waiting' } }
  assert.deepEqual(await readSigned(`${nowS}`, signature(`t.${nowS}`), named), reportOf(running()))
  // Five minutes in both directions, in seconds or milliseconds.
  for (const ageS of [300, -300]) {
    assert.ok(await isAccepted(nowS - ageS), `${ageS} s`)
    assert.ok(await isAccepted((nowS - ageS) * 1000), `${ageS} s, in milliseconds`)
  }
  for (const ageS of [301, -301, 86_400]) {
    assert.ok(!(await isAccepted(nowS - ageS)), `${ageS} s`)
    assert.ok(!(await isAccepted((nowS - ageS) * 1000)), `${ageS} s, in milliseconds`)
  }
  for (const noTime of ['17', 'now', '-1', '1e9', `${nowS}.5`, ` `, '9'.repeat(400)])
    assert.ok(!(await isAccepted(noTime)), noTime)
  // A signature that carries no time has no age.
  assert.ok(await isAccepted(''))
  assert.deepEqual(await read(signed, body), { kind: 'forged' })
  assert.deepEqual(await read(signed, null), unreadable)
  await signed.close()
})
