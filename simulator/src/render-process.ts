/**
 * The render process: renders the films its parent requests, one after another. It is a process of its own so that a
 * crash of the encoder costs one film and not the simulator, and so that its memory returns to the operating system.
 */
import { renderFilm } from './film.ts'
import type { FilmRequest } from './film-request.ts'

export type RenderRequest = { path: string; request: FilmRequest; framesPerSecond: number }
export type RenderReply = { error: string | null }

/** A start takes as long as two films at a frame a second, so the process outlives the pauses between a user's requests. */
const IDLE_MS = 60_000
let idle: NodeJS.Timeout | undefined

// The parent may have been killed with SIGKILL; the film has no reader then.
process.on('disconnect', () => process.exit(0))
// Ctrl-C in a terminal reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => {})

process.on('message', async ({ path, request, framesPerSecond }: RenderRequest) => {
  clearTimeout(idle)
  let reply: RenderReply = { error: null }
  try {
    await renderFilm(request, path, framesPerSecond)
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(reply)
  idle = setTimeout(() => process.exit(0), IDLE_MS)
})
