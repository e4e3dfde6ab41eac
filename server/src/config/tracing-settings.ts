/** The settings of tracing: those of OpenTelemetry's specification, by their standard names. */
import type { SettingReader } from './setting-reader.ts'

export type TracingSettings = {
  /** Where spans are sent. */
  url: string
  headers: Record<string, string>
  protocol: 'http/protobuf' | 'http/json'
  isCompressed: boolean
  timeoutMs: number
  /** `service.name` among them. */
  resource: Record<string, string>
  /**
   * The share of traces, 0 to 1, of those that begin here; `readRatio`: of requests that only read, see `endRequest` in tracing.ts;
   * `isParentBased`: a caller's decision counts for its own request.
   */
  sampler: { ratio: number; readRatio: number; isParentBased: boolean }
}

const SAMPLERS = /^(parentbased_)?(always_on|always_off|traceidratio)$/
const TIMEOUT_MAX_MS = 60_000
/** A film has ten polls, each the whole of a trace of its own, whose span takes a quarter of the poll's CPU time. */
const READ_RATIO_DEFAULT = 1 / 16

/** @returns null unless an endpoint is set, or with OTEL_SDK_DISABLED=true or OTEL_TRACES_EXPORTER=none */
export function readTracingSettings({ given, isSet, address, problems }: SettingReader): TracingSettings | null {
  const exporterName = (name: string) =>
    isSet(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ? `OTEL_EXPORTER_OTLP_TRACES_${name}` : `OTEL_EXPORTER_OTLP_${name}`
  const exporter = (name: string): string => given(exporterName(name))

  const name = exporterName('ENDPOINT')
  const isOff = given('OTEL_SDK_DISABLED').toLowerCase() === 'true' || given('OTEL_TRACES_EXPORTER') === 'none'
  if (!isSet(name) || isOff) return null
  const endpoint = address(name)
  const protocol = exporter('PROTOCOL') || 'http/protobuf'
  if (protocol !== 'http/protobuf' && protocol !== 'http/json') {
    problems.push(`${exporterName('PROTOCOL')} must be http/protobuf or http/json, not "${protocol}"`)
  }
  const timeoutMs = Number(exporter('TIMEOUT') || 10_000)
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > TIMEOUT_MAX_MS) {
    problems.push(`${exporterName('TIMEOUT')} must be milliseconds from 1 to ${TIMEOUT_MAX_MS}`)
  }
  return {
    url: name.includes('TRACES') ? endpoint : `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: pairs(exporterName('HEADERS'), exporter('HEADERS'), problems),
    protocol: protocol === 'http/json' ? protocol : 'http/protobuf',
    isCompressed: exporter('COMPRESSION') === 'gzip',
    timeoutMs,
    resource: {
      'service.name': 'kinora',
      ...pairs('OTEL_RESOURCE_ATTRIBUTES', given('OTEL_RESOURCE_ATTRIBUTES'), problems),
      ...(given('OTEL_SERVICE_NAME') && { 'service.name': given('OTEL_SERVICE_NAME') }),
    },
    sampler: readSampler(given('OTEL_TRACES_SAMPLER'), given('OTEL_TRACES_SAMPLER_ARG'), problems),
  }
}

function readSampler(name: string, argument: string, problems: string[]): TracingSettings['sampler'] {
  if (!name) return { ratio: 1, readRatio: READ_RATIO_DEFAULT, isParentBased: true }
  const [, parentBased, kind] = SAMPLERS.exec(name) ?? []
  if (!kind) {
    problems.push(
      'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, each with parentbased_ before it or not',
    )
  }
  const ratio = kind === 'always_off' ? 0 : kind === 'traceidratio' ? Number(argument || 1) : 1
  if (!(ratio >= 0 && ratio <= 1)) problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  return { ratio, readRatio: ratio, isParentBased: parentBased !== undefined }
}

/** `key=value,key=value`, the values percent-encoded. A problem does not repeat a value, which may be a token. */
function pairs(name: string, list: string, problems: string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of list.split(',')) {
    if (!entry.trim()) continue
    const [key = '', ...value] = entry.split('=')
    try {
      if (!key.trim() || value.length === 0) throw new URIError()
      found[key.trim()] = decodeURIComponent(value.join('=').trim())
    } catch {
      problems.push(`${name} must be key=value pairs with commas between them, the values percent-encoded`)
    }
  }
  return found
}
