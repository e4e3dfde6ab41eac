/**
 * The chosen takes of a project as one ZIP, numbered in the order of their shots, with the cuts as an edit decision
 * list (CMX 3600), which video editors read.
 */
import type { Readable } from 'node:stream'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { type Film, zipOf } from '../video/archive.ts'
import { findProject } from './project.ts'
import type { Editor } from './shots.ts'

/** That of most models' films. The list counts frames, and no row says how many a film has in a second. */
const FPS = 24

type Take = Film & { position: number; inMs: number | null; outMs: number | null; durationS: number | null }

/** @throws AppError NOT_FOUND; CONFLICT when no shot has a film */
export async function archiveProject(app: App, { userId }: Editor, projectId: string): Promise<Readable> {
  const { id, name, sound } = await findProject(app, userId, projectId)
  const takes = await app.sql<Take[]>`
    select s.n as position, v.prompt, v.video_key, v.manifest_key, v.completed_at, s.in_ms, s.out_ms, v.film_duration_s as duration_s
    from (
      select take_id, in_ms, out_ms, row_number() over (order by position, id)::integer as n
      from kinora.shot
      where user_id = ${userId} and project_id = ${id}
    ) s
    join kinora.video v on v.user_id = ${userId} and v.id = s.take_id
    where v.deleted_at is null and v.video_key is not null and v.files_removed_at is null
    order by s.n
  `
  if (takes.length === 0) throw new AppError('CONFLICT', 'No shot of the project has a film yet.')
  const films = takes.map((take) => ({ ...take, prompt: `${String(take.position).padStart(2, '0')} ${take.prompt}` }))
  const [asset] = sound
    ? await app.sql<{ key: string }[]>`
        select key from kinora.asset where user_id = ${userId} and id = ${sound.asset} and state = 'kept'
      `
    : []
  return zipOf(app, films, async function* (names, signal) {
    const lastModified = app.now()
    const input = asset && (await app.storage.read(asset.key, signal))
    if (input) yield { name: `sound.${asset.key.split('.').at(-1)}`, lastModified, input }
    yield { name: 'cut.edl', lastModified, input: editList(name, takes, names) }
  })
}

/** Of each event the times in the take, and in the film, which begins at one hour, as is the custom. */
function editList(title: string, takes: Take[], names: string[]): string {
  let at = 3600 * FPS
  const events = takes.map(({ inMs, outMs, durationS }, i) => {
    const from = framesOf((inMs ?? 0) / 1000)
    const to = Math.max(from + 1, framesOf(outMs === null ? (durationS ?? 0) : outMs / 1000))
    const [begin, end] = [at, at + to - from]
    at = end
    const times = [from, to, begin, end].map(timecodeOf).join(' ')
    return `${String(i + 1).padStart(3, '0')}  AX       AA/V  C        ${times}\r\n* FROM CLIP NAME: ${names[i]}\r\n`
  })
  return [`TITLE: ${title}\r\nFCM: NON-DROP FRAME\r\n`, ...events].join('\r\n')
}

const framesOf = (seconds: number): number => Math.round(seconds * FPS)

function timecodeOf(frames: number): string {
  const seconds = Math.floor(frames / FPS)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, frames % FPS]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
