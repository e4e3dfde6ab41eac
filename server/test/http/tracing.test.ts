/** Tracing: the spans of a video from request to webhook, of two processes, received over OTLP. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { lazy } from '../../src/async/lazy.ts'
import { readTracingSettings } from '../../src/config/config.ts'
import { settingReader } from '../../src/config/setting-reader.ts'
import { parseTraceparent } from '../../src/tracing/trace-context.ts'
import { openTracing } from '../../src/tracing/tracing.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { startProcess } from '../support/processes.ts'
import { refusal, startScriptedProvider, taskIdOf } from '../support/scripted-provider.ts'
import { create, openReceiver } from '../support/webhook-receiver.ts'

const collector = await openOtlpReceiver()
const provider = await startScriptedProvider()
const endpoint = await openReceiver({ after })
after(() => {
  collector.close()
  provider.close()
})
const settings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  WEBHOOK_ALLOW: endpoint.host,
}
const PROMPT = 'A secret boat that no collector may see'
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceIdOf = (uuid: string) => uuid.replaceAll('-', '')

const kinora = await openKinora({ env: { ...provider.env, ...settings } })
const ann = await kinora.person()

/** A video that the callback completes, made by a worker in another process. @returns its uuid */
async function makeFilm(as: Person, headers: Record<string, string>): Promise<string> {
  const submitted = Promise.withResolvers<void>()
  provider.onSubmit = (submit) => {
    setImmediate(submitted.resolve)
    return { status: 200, body: { id: taskIdOf(submit), status: 'pending' } }
  }
  const { data } = await kinora.generate(as, { prompt: PROMPT }, headers)
  await submitted.promise
  const submit = provider.submits.at(-1)
  assert.equal(await provider.callBack(submit, { videoUrl: provider.filmUrl }), 200)
  return data.uuid
}

/**
 * Three videos, once for the file: `plain`, `called` with the trace of a caller, and `refused` by the
 * provider. @returns their uuids, the spans that both processes sent, and the lines that the worker logged
 */
const madeFilms = lazy(async () => {
  assert.equal((await create(kinora, ann, { url: endpoint.url, events: ['video.completed'] })).status, 200)
  const worker = await startProcess(kinora, 'worker', { ...provider.env, ...settings, LOG_LEVEL: 'info' })
  after(worker.stop)
  const delivered = Promise.withResolvers<void>()
  endpoint.respond = () => {
    if (endpoint.received.length === 2) delivered.resolve()
    return { status: 204 }
  }
  const plain = await makeFilm(ann, {})
  const called = await makeFilm(ann, { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` })
  await delivered.promise
  provider.onSubmit = () => refusal(422)
  const refused = (await kinora.generate(ann, { prompt: PROMPT })).data.uuid
  await worker.logged(`traceId: "${traceIdOf(refused)}"`)
  // Both send what they have when they close.
  await worker.stop()
  await kinora.app.tracing?.close()
  const spans = collector.spans()
  const spanOf = (traceId: string, name: string) =>
    spans.find((span) => span.traceId === traceId && span.name === name) ?? assert.fail(`no span ${name}`)
  return { plain, called, refused, spans, spanOf, lines: worker.lines }
})

test('trace: request, worker in another process, callback, webhook → one trace, whose id is the uuid of the video', async () => {
  const { plain, spans, spanOf } = await madeFilms()
  const traceId = traceIdOf(plain)
  const names = spans.filter((span) => span.traceId === traceId).map(({ name }) => name)
  for (const name of [
    ...['POST /api/v1/video/generate', 'video.claim', 'video.submit', 'provider.submit'],
    ...['POST /api/v1/video/callback/:provider', 'video.collect', 'film.fetch', 'film.inspect', 'film.store'],
    ...['video.settle', 'webhook.send'],
  ]) {
    assert.ok(names.includes(name), `${name} in ${names.join(', ')}`)
  }
  const root = spanOf(traceId, 'POST /api/v1/video/generate')
  assert.equal(root.parentSpanId || undefined, undefined)
  assert.equal(spanOf(traceId, 'video.submit').parentSpanId, root.spanId)
  assert.equal(spanOf(traceId, 'provider.submit').parentSpanId, spanOf(traceId, 'video.submit').spanId)
  assert.equal(spanOf(traceId, 'film.fetch').parentSpanId, spanOf(traceId, 'video.collect').spanId)
  assert.notEqual(spanOf(traceId, 'video.submit').instance, root.instance)
  assert.deepEqual(spanOf(traceId, 'video.collect').attributes['user.id'], ann.userId)
})

test('traceparent: provider and webhook → that of the span that calls them', async () => {
  const { plain, called, spanOf } = await madeFilms()
  for (const [i, uuid] of [plain, called].entries()) {
    const traceId = traceIdOf(uuid)
    const { spanId } = spanOf(traceId, 'provider.submit')
    const submit = provider.submits.find(({ headers }) => headers['idempotency-key'] === uuid) ?? provider.submits[i]
    assert.equal(submit?.headers.traceparent, `00-${traceId}-${spanId}-01`)
    const sent = endpoint.received.find(({ body }) => body.includes(uuid))
    assert.equal(sent?.headers.traceparent, `00-${traceId}-${spanOf(traceId, 'webhook.send').spanId}-01`)
  }
})

test('traceparent: of the caller → continued by the request, which links to the trace of its video and back', async () => {
  const { called, spanOf } = await madeFilms()
  const request = spanOf(CALLER.traceId, 'POST /api/v1/video/generate')
  assert.equal(request.parentSpanId, CALLER.spanId)
  const root = spanOf(traceIdOf(called), 'video.generate')
  assert.deepEqual(
    root.links.map(({ traceId, spanId }) => [traceId, spanId]),
    [[CALLER.traceId, request.spanId]],
  )
  assert.deepEqual(
    request.links.map(({ traceId, spanId }) => [traceId, spanId]),
    [[root.traceId, root.spanId]],
  )
  assert.equal(spanOf(traceIdOf(called), 'video.submit').parentSpanId, root.spanId)
})

test('log: line of a video → names video, user and trace', async () => {
  const { refused, lines } = await madeFilms()
  const at = lines.findIndex((line) => line.includes('video failed'))
  const text = lines.slice(at, at + 8).join('\n')
  assert.match(text, new RegExp(`video: "${refused}"\\s+userId: "${ann.userId}"\\s+traceId: "${traceIdOf(refused)}"`))
})

test('spans: prompt, tokens, addresses and signed links → in none', async () => {
  const { spans } = await madeFilms()
  const text = JSON.stringify(spans)
  for (const secret of [PROMPT, ann.token, ann.email, 'sig=', 'ref=', 'key-a', provider.filmUrl, endpoint.url]) {
    assert.ok(!text.includes(secret), secret)
  }
})

test('traceparent: malformed, long, all zeros or version ff → the request begins a trace', () => {
  const [trace, span] = [CALLER.traceId, CALLER.spanId]
  assert.deepEqual(parseTraceparent(`00-${trace}-${span}-00`), { ...CALLER, isSampled: false })
  assert.deepEqual(parseTraceparent(`01-${trace}-${span}-03-later`), { ...CALLER, isSampled: true })
  for (const header of [
    ...[undefined, '', `00-${trace}-${span}`, `00-${trace}-${span}-01-more`, `ff-${trace}-${span}-01`],
    ...[`00-${'0'.repeat(32)}-${span}-01`, `00-${trace}-${'0'.repeat(16)}-01`, `00-${trace.toUpperCase()}-${span}-01`],
    ...[`01-${trace}-${span}-01-${'a'.repeat(200)}`, [`00-${trace}-${span}-01`, `00-${trace}-${span}-01`]],
  ]) {
    assert.equal(parseTraceparent(header), null, String(header))
  }
})

test('OTLP: default settings → protobuf to /v1/traces with the headers; a share of traces is the same in every process', async () => {
  const own = await openOtlpReceiver()
  after(own.close)
  const problems: string[] = []
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${own.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_SERVICE_NAME: 'films',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  }
  const read = readTracingSettings(settingReader(env, problems)) ?? assert.fail()
  assert.deepEqual(problems, [])
  const uuids = Array.from(
    { length: 64 },
    (_, i) => `0192${String(i).padStart(4, '0')}-0000-7000-8000-${String(i * 7919 * 104729).padStart(12, '0')}`,
  )
  const sampled: string[][] = []
  for (const process of ['api', 'worker']) {
    const tracing = await openTracing(read, process, pino({ level: 'silent' }))
    const opened = uuids.map((uuid) => tracing.rootOf(uuid).child('video.test'))
    for (const span of opened) span.end()
    sampled.push(opened.filter(({ traceparent }) => traceparent.endsWith('-01')).map(({ ids }) => ids.traceId))
    await tracing.close()
  }
  assert.deepEqual(sampled[0], sampled[1])
  assert.ok((sampled[0]?.length ?? 0) > 10 && (sampled[0]?.length ?? 0) < 54, `${sampled[0]?.length} of 64`)
  const [request] = own.received
  assert.equal(request?.path, '/v1/traces')
  assert.equal(request?.headers['content-type'], 'application/x-protobuf')
  assert.equal(request?.headers.authorization, 'Bearer abc')
  assert.ok(request?.body.includes('video.test') && request.body.includes('films'))
})

/** @returns how many spans of 640 requests are sent */
async function sentOf(end: { isRead: boolean; ageMs?: number; hasCaller?: boolean }, env: Record<string, string> = {}) {
  const own = await openOtlpReceiver()
  const read =
    readTracingSettings(settingReader({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: own.url, ...env }, [])) ??
    assert.fail()
  const tracing = await openTracing(read, 'api', pino({ level: 'silent' }))
  for (let i = 0; i < 640; i += 1) {
    const request = tracing.openRequest(end.hasCaller ? { ...CALLER, isSampled: true } : null)
    request.startMs -= end.ageMs ?? 0
    tracing.endRequest(request, 'GET /api/v1/video/task', { attributes: {}, error: null, isRead: end.isRead })
  }
  await tracing.close()
  own.close()
  return own.spans().length
}

test('spans of requests: read with success → one of 16; slow, of a caller, with a sampler set, or no read → each', async () => {
  const sent = await sentOf({ isRead: true })
  assert.ok(sent > 5 && sent < 100, `${sent} of 640`)
  assert.equal(await sentOf({ isRead: true, ageMs: 2000 }), 640)
  assert.equal(await sentOf({ isRead: true, hasCaller: true }), 640)
  assert.equal(await sentOf({ isRead: true }, { OTEL_TRACES_SAMPLER: 'parentbased_always_on' }), 640)
  assert.equal(await sentOf({ isRead: false }), 640)
})

test('settings of OpenTelemetry: wrong → named; disabled or without endpoint → off', () => {
  const problemsOf = (env: Record<string, string>) => {
    const problems: string[] = []
    readTracingSettings(settingReader({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env }, problems))
    return problems.join()
  }
  assert.match(problemsOf({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), /http\/protobuf or http\/json/)
  assert.match(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }), /http\(s\) URL/)
  assert.match(problemsOf({ OTEL_TRACES_SAMPLER: 'sometimes' }), /OTEL_TRACES_SAMPLER must be/)
  assert.match(problemsOf({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }), /from 0 to 1/)
  assert.doesNotMatch(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: 'a-secret' }), /a-secret/)
  const read = (env: Record<string, string>) => readTracingSettings(settingReader(env, []))
  assert.equal(read({}), null)
  assert.equal(read({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' }), null)
})

type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  /** The process that sent it. */
  instance: unknown
}
type Attribute = { key: string; value: Record<string, unknown> }
type Body = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes' | 'links'> & { attributes?: Attribute[]; links?: [] })[] }[]
  }[]
}

/** An OTLP receiver on loopback: keeps the spans that it is sent as JSON, and the requests as they came. */
async function openOtlpReceiver() {
  const received: { path: string; headers: http.IncomingHttpHeaders; body: Buffer }[] = []
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(200, { 'content-type': request.headers['content-type'] ?? '' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: (): ReceivedSpan[] => received.flatMap(({ body }) => spansOf(JSON.parse(body.toString()) as Body)),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const spansOf = ({ resourceSpans }: Body): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        links: span.links ?? [],
        instance: valuesOf(resource.attributes)['service.instance.id'],
      })),
    ),
  )

const valuesOf = (attributes: Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
