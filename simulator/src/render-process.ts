/**
 * The renderer's process: makes the films its parent orders, one after another. It is a process of its own so that
 * an encoder's crash costs one film and not the simulator, and so that its memory goes back to the machine.
 */
import { makeFilm } from './film.ts'
import { makeHugeFilm } from './huge-film.ts'
import type { FilmOrder } from './picture.ts'

export type RenderRequest = { path: string; order: FilmOrder; huge: boolean; framesPerSecond: number }
export type RenderReply = { error: string | null }

// The parent may have been killed outright; nobody would ever want this film then.
process.on('disconnect', () => process.exit(0))
// A terminal's Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on('SIGINT', () => {})

process.on('message', async ({ path, order, huge, framesPerSecond }: RenderRequest) => {
  let reply: RenderReply = { error: null }
  try {
    if (huge) await makeHugeFilm(path)
    else await makeFilm(order, path, framesPerSecond)
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(reply)
})
