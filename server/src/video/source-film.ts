/** The film of a video that goes into another one: completed, the same user's, read at each submit. */

import type { Reader } from '../account/credential/reader.ts'
import type { App } from '../app.ts'
import { part } from '../db/call.ts'
import { AppError } from '../errors.ts'
import { type Given, nounOf } from '../film/inputs.ts'
import { isUuid } from '../id.ts'
import { isReached } from './made-by.ts'

/** `account`, `taskId`: the provider's task. `durationS`: of the film itself, as `aspectRatio` and `quality`. */
export type SourceFilm = {
  prompt: string
  model: string
  createdAt: Date
  key: string
  account: string
  taskId: string | null
  durationS: number
  aspectRatio: string
  quality: string
  width: number
  height: number
  sizeBytes: number
}

/** @throws AppError NOT_FOUND for a video that the user has not got; CONFLICT for one without a film */
export async function readSourceFilm(
  app: App,
  reader: Reader,
  { videoId, input }: { videoId: string; input: Pick<Given, 'role' | 'kind' | 'path'> },
): Promise<SourceFilm> {
  const aspectRatio = part(app.sql, 'film_aspect_ratio', {
    ordered: app.sql`v.aspect_ratio`,
    width: app.sql`v.film_width`,
    height: app.sql`v.film_height`,
  })
  const filmQuality = part(app.sql, 'film_quality', {
    ordered: app.sql`v.quality`,
    width: app.sql`v.film_width`,
    height: app.sql`v.film_height`,
  })
  const [row] = isUuid(videoId)
    ? await app.sql<(Omit<SourceFilm, 'key'> & { status: string; key: string | null })[]>`
        select v.prompt, v.model, v.created_at, v.status, case when v.files_removed_at is null then v.video_key end as key,
               v.providers[v.provider_index] as account, v.provider_task_id as task_id, v.film_duration_s as duration_s,
               ${aspectRatio} as aspect_ratio,
               ${filmQuality} as quality,
               v.film_width as width, v.film_height as height, v.size_bytes
        from kinora.video v
        where v.user_id = ${reader.userId} and ${isReached(app.sql, reader)} and v.id = ${videoId} and v.deleted_at is null
      `
    : []
  const name = wordsOf(input)
  if (!row) {
    const message = `There is no such video${name}.`
    throw new AppError('NOT_FOUND', message, { details: [{ path: input.path, message }] })
  }
  const { status, key, ...film } = row
  const withoutFilm = (message: string) =>
    new AppError('CONFLICT', message, { details: [{ path: input.path, message }] })
  if (status === 'FAILED') throw withoutFilm(`The video${name} has failed; choose one that is COMPLETED.`)
  if (status !== 'COMPLETED') throw withoutFilm(`The video${name} has no film yet; wait until it is COMPLETED.`)
  if (key === null) throw withoutFilm(`The film${name} is no longer stored; generate it again first.`)
  return { ...film, key }
}

/** Of a film that is read for its provider the message already names the input. */
function wordsOf({ role, kind, path }: Pick<Given, 'role' | 'kind' | 'path'>): string {
  if (path === '') return ''
  if (path === 'extendFrom') return ' to extend'
  return path === 'upscaleFrom' ? ' to upscale' : ` for the ${nounOf(role, kind)}`
}
