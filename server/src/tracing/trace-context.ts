/**
 * W3C Trace Context: the header traceparent, and the ids of a video's trace. The trace id of a video is its uuid, and
 * the id of its root span the second half of that: every process that has the row knows both, so no column carries them
 * (decisions/0043).
 */

/** A span in another process: 32 and 16 lower-case hexadecimal digits. */
export type SpanIds = { traceId: string; spanId: string }
export type RemoteSpan = SpanIds & { isSampled: boolean }

/** The longest header that is read; a later version may be longer than the 55 characters of version 00. */
const TRACEPARENT_CHARACTERS_MAX = 128
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Returns null for a missing, repeated, long or malformed header, which the request then counts as not having. */
export function parseTraceparent(header: string | string[] | undefined): RemoteSpan | null {
  if (typeof header !== 'string' || header.length > TRACEPARENT_CHARACTERS_MAX) return null
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header) ?? []
  if (!traceId || !spanId || !flags || (version === '00' && rest !== undefined)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: RemoteSpan): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** A video's root span. The last seven bytes of a UUIDv7 are random, as Trace Context asks of a trace id. */
export function rootSpanOf(videoId: string): SpanIds {
  const traceId = videoId.replaceAll('-', '').toLowerCase()
  return { traceId, spanId: traceId.slice(16) }
}
