/**
 * Tracing with OpenTelemetry: spans, sent by OTLP over HTTP. Loaded only when an endpoint is set; otherwise
 * `App.tracing` is null and no hook is registered. Invariant: no attribute has a prompt, a link, a token or the text of
 * an error.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Link, SpanContext } from '@opentelemetry/api'
import type { Logger } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import { withTimeout } from '../async/timer.ts'
import type { TracingSettings } from '../config/config.ts'
import { formatTraceparent, type RemoteSpan, rootSpanOf, type SpanIds } from './trace-context.ts'

export type Attributes = Record<string, string | number | boolean | undefined>
export type Kind = 'internal' | 'server' | 'client'
export type SpanOptions = { kind?: Kind; attributes?: Attributes; startMs?: number; links?: SpanIds[] }

/** What spans can be started under: an open span, or the root span of a video, which any process may have sent. */
export type SpanParent = { child: (name: string, options?: SpanOptions) => Span }
export type Span = SpanParent & {
  ids: SpanIds
  /** The header that passes this span on as the parent. */
  traceparent: string
  set: (attributes: Attributes) => void
  /** @param code an error's code, never its message */
  fail: (code: string) => void
  end: () => void
}

/** A request that is being served. `parent`: from its header traceparent. */
export type RequestTrace = {
  traceId: string
  parent: RemoteSpan | null
  startMs: number
  /** The video that it created (`isNew`) or was about. */
  video: { id: string; isNew: boolean } | null
}

export type Tracing = {
  /** The root span of a video, or of a delivery of a webhook that is about none, by its uuid. */
  rootOf: (uuid: string) => SpanParent
  openRequest: (parent: RemoteSpan | null) => RequestTrace
  /** Runs `work`, in which `noteVideo` is about this request. */
  runRequest: (request: RequestTrace, work: () => void) => void
  noteVideo: (video: { id: string; isNew: boolean }) => void
  /**
   * Sends the span of a request: under the caller's span, else as the root of the trace of the video that it created,
   * else under the root of the video that it was about. Where the caller's trace is another one than the video's, each
   * links to the other. Of the requests that only read (`isRead`), had success, were no slower than SLOW_READ_MS and
   * came without a caller's span, a share is sent, `readRatio`.
   */
  endRequest: (
    request: RequestTrace,
    name: string,
    end: { attributes: Attributes; error: string | null; isRead: boolean },
  ) => void
  /** Sends what is not sent yet, for up to CLOSE_MS. */
  close: () => Promise<void>
}

/** Less than the limit of a graceful shutdown, also when the collector does not respond. */
const CLOSE_MS = 1_000
const WARN_EVERY_MS = 60_000
const REASON_CHARACTERS_MAX = 300
const SLOW_READ_MS = 1_000

/** Runs `work` in a span, if there is a parent for one; an error ends it with the error's code. */
export async function inSpan<T>(
  parent: SpanParent | null | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (!parent) return work(null)
  const span = parent.child(name, options)
  try {
    return await work(span)
  } catch (error) {
    const { code, name: type } = error as { code?: unknown; name?: string }
    span.fail(typeof code === 'string' ? code : (type ?? 'Error'))
    throw error
  } finally {
    span.end()
  }
}

/** Loads OpenTelemetry, needed only with an endpoint. `deriveIds`: the ids of the next span, a root. */
async function openProvider(settings: TracingSettings, processName: string, log: Logger) {
  const [api, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    settings.protocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto'),
  ])
  api.diag.setLogger(failureLog(log), { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true })
  const random = new sdk.RandomIdGenerator()
  /** The ids of the span that is started next, when it is a root whose ids are derived. */
  let derived: SpanIds | null = null
  const root = new sdk.TraceIdRatioBasedSampler(settings.sampler.ratio)
  const reads = new sdk.TraceIdRatioBasedSampler(settings.sampler.readRatio)
  // A ParentBased sampler is used in either case: under `isParentBased: false` no span has a parent that decides
  // otherwise.
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.version': manifest.version,
      'service.instance.id': processName,
      ...settings.resource,
    }),
    sampler: new sdk.ParentBasedSampler({ root }),
    idGenerator: {
      generateTraceId: () => derived?.traceId ?? random.generateTraceId(),
      generateSpanId: () => derived?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: settings.url,
          headers: settings.headers,
          timeoutMillis: settings.timeoutMs,
          ...(settings.isCompressed && { compression: 'gzip' as never }),
        }),
      }),
    ],
  })
  /** The same in every process, because it follows from the trace id. */
  const isSampled = (traceId: string, sampler = root): boolean =>
    sampler.shouldSample(api.ROOT_CONTEXT, traceId).decision === sdk.SamplingDecision.RECORD_AND_SAMPLED
  return {
    api,
    provider,
    random,
    isSampled,
    isReadSampled: (traceId: string) => isSampled(traceId, reads),
    deriveIds: (ids: SpanIds | null) => {
      derived = ids
    },
  }
}

/** Starts spans: under a parent, or as a root with ids that are derived. */
function openSpans({ api, provider, isSampled, deriveIds }: Awaited<ReturnType<typeof openProvider>>) {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = api
  const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }
  const tracer = provider.getTracer('kinora', manifest.version)
  const contextOf = (span: SpanIds & { isSampled?: boolean }): SpanContext => ({
    traceId: span.traceId,
    spanId: span.spanId,
    traceFlags: (span.isSampled ?? isSampled(span.traceId)) ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  })
  const under = (parent: SpanIds & { isSampled?: boolean }): Context =>
    trace.setSpanContext(ROOT_CONTEXT, contextOf(parent))

  const start = (context: Context, name: string, options: SpanOptions = {}): Span => {
    const { kind = 'internal', attributes = {}, startMs, links = [] } = options
    const span = tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        attributes,
        ...(startMs !== undefined && { startTime: startMs }),
        links: links.map((each): Link => ({ context: contextOf(each) })),
      },
      context,
    )
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      ids: { traceId, spanId },
      traceparent: formatTraceparent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
      child: (childName, childOptions) => start(trace.setSpan(ROOT_CONTEXT, span), childName, childOptions),
      set: (more) => {
        span.setAttributes(more)
      },
      fail: (code) => {
        span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttribute('error.type', code)
      },
      end: () => span.end(),
    }
  }
  const startRoot = (ids: SpanIds, name: string, options: SpanOptions): Span => {
    deriveIds(ids)
    try {
      return start(ROOT_CONTEXT, name, options)
    } finally {
      deriveIds(null)
    }
  }
  return {
    startUnder: (parent: SpanIds & { isSampled?: boolean }, name: string, options?: SpanOptions) =>
      start(under(parent), name, options),
    startRoot,
  }
}

export async function openTracing(settings: TracingSettings, processName: string, log: Logger): Promise<Tracing> {
  const opened = await openProvider(settings, processName, log)
  const { provider, random, isSampled, isReadSampled } = opened
  const { startUnder, startRoot } = openSpans(opened)
  const current = new AsyncLocalStorage<RequestTrace>()

  return {
    rootOf: (uuid) => {
      const root = rootSpanOf(uuid)
      return { child: (name, options) => startUnder(root, name, options) }
    },
    openRequest: (parent) => ({
      traceId: parent?.traceId ?? random.generateTraceId(),
      parent: parent && {
        ...parent,
        isSampled: settings.sampler.isParentBased ? parent.isSampled : isSampled(parent.traceId),
      },
      startMs: Date.now(),
      video: null,
    }),
    runRequest: (request, work) => current.run(request, work),
    noteVideo: (video) => {
      const request = current.getStore()
      if (!request) return
      request.video = video
      if (!request.parent) request.traceId = rootSpanOf(video.id).traceId
    },
    endRequest: ({ traceId, parent, startMs, video }, name, { attributes, error, isRead }) => {
      if (isRead && !parent && Date.now() - startMs <= SLOW_READ_MS && !isReadSampled(traceId)) return
      const rootSpan = video && rootSpanOf(video.id)
      const isOtherTrace = parent && rootSpan && parent.traceId !== rootSpan.traceId
      const options: SpanOptions = {
        kind: 'server',
        startMs,
        attributes: { ...attributes, 'kinora.video.id': video?.id },
        ...(isOtherTrace && { links: [rootSpan] }),
      }
      const span = parent
        ? startUnder(parent, name, options)
        : rootSpan && !video.isNew
          ? startUnder(rootSpan, name, options)
          : startRoot(rootSpan ?? { traceId, spanId: random.generateSpanId() }, name, options)
      if (error !== null) span.fail(error)
      span.end()
      if (!isOtherTrace || !video.isNew) return
      startRoot(rootSpan, 'video.generate', {
        startMs,
        attributes: { 'kinora.video.id': video.id },
        links: [span.ids],
      }).end()
    },
    close: () =>
      withTimeout(
        provider.shutdown().catch(() => undefined),
        CLOSE_MS,
        () => undefined,
      ),
  }
}

/** OpenTelemetry reports each failed export; a line a minute is enough. */
function failureLog(log: Logger) {
  let loggedMs = Number.NEGATIVE_INFINITY
  const ignore = () => undefined
  return {
    error: (message: string) => {
      if (Date.now() - loggedMs < WARN_EVERY_MS) return
      loggedMs = Date.now()
      const reason = String(message)
        .replace(/\?[^\s"']*/g, '?[hidden]')
        .slice(0, REASON_CHARACTERS_MAX)
      log.warn({ reason }, 'spans could not be sent; see OTEL_EXPORTER_OTLP_ENDPOINT')
    },
    warn: ignore,
    info: ignore,
    debug: ignore,
    verbose: ignore,
  }
}
