/** Renders a project: the chosen takes of its shots become one film, a cut (video/cut.ts). */
import type { Spender } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import { requestHash } from '../db/idempotency.ts'
import { AppError } from '../errors.ts'
import type { Input } from '../film/inputs.ts'
import { newId } from '../id.ts'
import { CUT_SECONDS_MAX } from '../media/cut/cut.ts'
import { encodingProblem } from '../media/cut/render.ts'
import { counted } from '../text/counted.ts'
import { type Part, recordOf } from '../video/cut.ts'
import { create, idempotencyOf, shotNotFound } from '../video/generate.ts'
import { assetsOf } from '../video/inputs.ts'
import { findCreated } from '../video/replay.ts'
import { cutCreate } from '../video/transitions.ts'
import { findProject, type Project, requireSound } from './project.ts'
import { type Editor, readShots, type Shot } from './shots.ts'

/** Sides in pixels, of which a cut has the one that most of its takes have at least. */
const SHORT_SIDES = [1080, 720, 540, 480]
const SHORT_SIDE_MIN = 360
/** For those before it, and for a slow machine. */
const DEADLINE_MS = 3 * 3600_000
/** Seconds that a second of a cut takes to render, about, until it is said by its progress. */
const SECONDS_A_SECOND = 1

export type Rendering = { uuid: string; creditsUsed: number; isNew: boolean }

/**
 * Has a cut made of the chosen takes, in their order.
 * @throws AppError NOT_FOUND; CONFLICT for shots without a finished take, or while another cut of the owner is in
 *   progress; INVALID_REQUEST for a cut that is too long; UNAVAILABLE where this machine has no encoders; as generate for
 *   its price
 */
export async function renderProject(
  app: App,
  spender: Spender,
  projectId: string,
  idempotencyKey: string | null,
): Promise<Rendering> {
  const { userId } = spender
  // The films of a page are of its visitor, and projects are not.
  if (spender.key?.token) throw shotNotFound()
  const project = await findProject(app, userId, projectId)
  const hash = requestHash({ render: project.id })
  const replayed = idempotencyKey && (await findCreated(app, spender, hash, idempotencyKey))
  if (replayed) return { uuid: replayed.id, creditsUsed: replayed.credits, isNew: false }
  const { aspectRatio, fit, sound } = project
  const { takes, key, durationS, credits } = await planCut(app, spender, project)
  const cut = {
    ...{ projectId: project.id, aspectRatio, fit, parts: takes, quality: `${shortSideOf(takes)}p` },
    sound:
      sound && key !== null ? { key, volume: sound.volume, fadeInS: sound.fadeInS, fadeOutS: sound.fadeOutS } : null,
  }
  const record = recordOf(cut)
  const now = app.now()
  const inputs = (record.madeOf as Input[]).map((input) => ({ ...input, path: '' }))
  const created = await create(
    app,
    spender,
    {
      ...record,
      ...{ videoId: newId(now), now, prompt: project.name, durationS, credits, secondRate: null, providers: [] },
      ...{ seed: null, negativePrompt: null, audio: null, usualS: Math.ceil(durationS * SECONDS_A_SECOND) },
      deadlineAt: new Date(now.getTime() + DEADLINE_MS),
      assets: assetsOf(inputs, now),
      idempotency: idempotencyOf(spender, idempotencyKey, () => hash),
    },
    { credits, n: 1, inputs, shotGone: shotNotFound },
    async (video) => {
      const result = await cutCreate(app.sql, { ...video, maxInProgress: 0 })
      if (result.outcome === 'busy') throw busy()
      return result
    },
  )
  return { uuid: created.id, creditsUsed: credits, isNew: created.outcome === 'created' }
}

/** What rendering would cost now, or why it is refused. @throws AppError NOT_FOUND */
export async function quoteRender(app: App, editor: Pick<Editor, 'userId'>, projectId: string): Promise<QuotedRender> {
  const project = await findProject(app, editor.userId, projectId)
  try {
    const { durationS, credits } = await planCut(app, editor, project)
    return { seconds: durationS, credits, refusal: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { seconds: null, credits: null, refusal: { code: error.code, message: error.message } }
  }
}

export type QuotedRender =
  | { seconds: number; credits: number; refusal: null }
  | { seconds: null; credits: null; refusal: { code: string; message: string } }

/** @throws AppError for a project that cannot be rendered as it is */
async function planCut(app: App, { userId }: Pick<Editor, 'userId'>, { id, sound }: Pick<Project, 'id' | 'sound'>) {
  const problem = await encodingProblem()
  if (problem !== null) throw new AppError('UNAVAILABLE', problem)
  const takes = await takesOf(app, userId, await readShots(app, userId, id))
  const durationS = Math.max(1, Math.round(takes.reduce((sum, { inMs, outMs }) => sum + outMs - inMs, 0) / 1000))
  if (durationS > CUT_SECONDS_MAX) throw tooLong(durationS)
  const key = await requireSound(app, { userId }, sound)
  return { takes, key, durationS, credits: app.config.renderCredits * Math.ceil(durationS / 60) }
}

type Take = Part & { shortSide: number }

/** @throws AppError CONFLICT that names the shots without a finished take */
async function takesOf({ sql }: App, userId: string, shots: Shot[]): Promise<Take[]> {
  if (shots.length === 0) throw new AppError('CONFLICT', 'The project has no shots; add one first.')
  const films = await sql<{ id: string; durationMs: number; shortSide: number }[]>`
    select id, floor(film_duration_s * 1000)::integer as duration_ms, least(film_width, film_height) as short_side
    from kinora.video
    where user_id = ${userId} and id = any(${shots.flatMap(({ takeId }) => takeId ?? [])}::uuid[]) and status = 'COMPLETED'
      and deleted_at is null and files_removed_at is null
  `
  const byId = new Map(films.map((film) => [film.id, film]))
  const takes = shots.map(({ takeId, inMs, outMs }): Take | null => {
    const film = byId.get(takeId ?? '')
    if (!film || (inMs ?? 0) >= film.durationMs) return null
    const { id: videoId, durationMs, shortSide } = film
    return { videoId, shortSide, inMs: inMs ?? 0, outMs: Math.min(outMs ?? durationMs, durationMs) }
  })
  const missing = takes.flatMap((take, i) => (take ? [] : [i + 1]))
  if (missing.length > 0) throw withoutTake(missing)
  return takes.filter((take) => take !== null)
}

function withoutTake(shots: number[]): AppError {
  const which = shots.length === 1 ? `Shot ${shots[0]} has` : `Shots ${shots.join(', ')} have`
  const message = `${which} no finished take; generate one, choose another, or delete the shot.`
  return new AppError('CONFLICT', message, { details: { shots } })
}

/** The largest side that half of the cut's takes have, so that one small take does not shrink all. */
function shortSideOf(takes: Take[]): number {
  const sides = takes.map(({ shortSide }) => shortSide).sort((a, b) => a - b)
  const middle = sides[sides.length >> 1] ?? 0
  return SHORT_SIDES.find((side) => side <= middle) ?? SHORT_SIDE_MIN
}

const tooLong = (seconds: number) =>
  new AppError(
    'INVALID_REQUEST',
    `The cut would have ${counted(seconds, 'second')}; the most are ${CUT_SECONDS_MAX}. Trim shots, or make two projects.`,
  )

const busy = () =>
  new AppError(
    'TOO_MANY_IN_PROGRESS',
    'A cut of yours is being rendered, which is the most at a time; wait for it, or cancel it.',
    { details: { maxInProgress: 1 }, retryAfterS: 10 },
  )
