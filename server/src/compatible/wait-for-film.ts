/**
 * Requests that wait for a film, as some formats have them. Each holds a connection, so a user has few of them; a
 * shutdown ends them with what is known then, and a withdrawn credential with an error.
 */
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Credentials, requireUnchanged } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { isFinal } from '../film/fields.ts'
import { userOf } from '../http/request/request.ts'
import { idsOf } from '../http/request/request-trace.ts'
import { noteEndsRead, noteEndsUnread } from '../video/end-read.ts'
import { readVideo, type VideoView } from './video-view.ts'

/** Longer than the deadline of most models. */
export const FILM_WAIT_MS = 15 * 60_000
const WAITS_PER_USER = 10
/** A video takes a minute or more. */
const POLL_MS = 500

/**
 * Waits for a film of the request's caller. @param signal ends the waiting early. @param onPoll gets the unfinished
 * video, every POLL_MS.
 * @returns the video when it is final, or as it is when `waitMs` have passed. @throws AppError UNAUTHENTICATED,
 * INSUFFICIENT_SCOPE
 */
export type WaitForFilm = (
  request: FastifyRequest,
  uuid: string,
  options: { waitMs: number; signal: AbortSignal; onPoll?: (video: VideoView) => Promise<void> },
) => Promise<VideoView>

type Waiting = { app: App; request: FastifyRequest; reply: FastifyReply }

/**
 * Notes the ends that the response of a wait shows. They are stored before the response, because its client may send
 * the same request again at once, and are unread again when its connection closes before all of it is sent.
 */
export async function noteEndsOfWait({ app, request, reply: { raw } }: Waiting, videos: VideoView[]): Promise<void> {
  if (raw.destroyed || !videos.every(({ status }) => isFinal(status))) return
  const caller = userOf(request)
  const ids = await noteEndsRead(app, caller, videos)
  const undo = () => {
    if (raw.writableFinished) return
    noteEndsUnread(app, caller, ids).catch((err: unknown) =>
      request.log.error({ err, ...idsOf(request) }, 'a lost response is noted as read'),
    )
  }
  if (raw.destroyed) undo()
  else raw.once('close', undo)
}

/** The waits of one process. */
export function openWaits(http: FastifyInstance, app: App, { recheck }: Pick<Credentials, 'recheck'>): WaitForFilm {
  const waiting = new Map<string, number>()
  const shutdown = new AbortController()
  http.addHook('preClose', async () => shutdown.abort())

  return async (request, uuid, { waitMs, signal, onPoll }) => {
    const caller = userOf(request)
    const { actorId } = caller
    const first = await readVideo(app, caller, uuid)
    const ofUser = waiting.get(actorId) ?? 0
    if (isFinal(first.status) || waitMs <= 0 || ofUser >= WAITS_PER_USER) return first
    waiting.set(actorId, ofUser + 1)
    try {
      const end = AbortSignal.any([signal, shutdown.signal, AbortSignal.timeout(waitMs)])
      let video = first
      while (!isFinal(video.status) && !end.aborted) {
        await onPoll?.(video)
        await setTimeout(POLL_MS, undefined, { signal: end }).catch(() => undefined)
        requireUnchanged(caller, await recheck(request))
        video = await readVideo(app, caller, uuid)
      }
      return video
    } finally {
      const left = (waiting.get(actorId) ?? 1) - 1
      if (left > 0) waiting.set(actorId, left)
      else waiting.delete(actorId)
    }
  }
}
