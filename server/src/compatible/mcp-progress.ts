/**
 * Progress notifications of a tool that waits for a film, for a request with a progressToken: its client may reset its
 * timeout with each one. They are sent when the progress has changed, and as a heartbeat.
 */
import type { ServerContext } from '@modelcontextprotocol/server'
import type { VideoView } from './video-view.ts'

const HEARTBEAT_MS = 5000
/**
 * The protocol requires that every value is greater than the one before, and a film may stay at one percentage for
 * long.
 */
const HEARTBEAT_STEP = 0.01

/** Returns the `onPoll` of one wait. */
export function reportProgress({
  _meta,
  notify,
}: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>): (
  video: Pick<VideoView, 'status' | 'progress'>,
) => Promise<void> {
  const progressToken = _meta?.progressToken
  let sent = { progress: -1, atMs: 0 }
  return async ({ status, progress: percentage }) => {
    const nowMs = performance.now()
    const isHeartbeat = percentage <= sent.progress
    if (progressToken === undefined || (isHeartbeat && nowMs - sent.atMs < HEARTBEAT_MS)) return
    const progress = isHeartbeat ? sent.progress + HEARTBEAT_STEP : percentage
    sent = { progress, atMs: nowMs }
    await notify({
      method: 'notifications/progress',
      params: { progressToken, progress, total: 100, message: status },
    })
  }
}
