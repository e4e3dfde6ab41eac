/**
 * The films of several shots by one request: what they cost together, and their generation, all or none. Each is
 * checked, and moderation sees each, before any credit is frozen; those that find no place among the films in progress
 * wait for one (server/sql/video_waiting.sql).
 */
import { type Spender, withinBudgets } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import { invalid } from '../catalogue/refusal.ts'
import { balance } from '../credit/ledger.ts'
import { requestHash } from '../db/idempotency.ts'
import { AppError, type DetailsOf, type ErrorCode } from '../errors.ts'
import { newId } from '../id.ts'
import { checkConsent } from '../video/consent.ts'
import { checkContent } from '../video/content-check.ts'
import { create, filmOf, idempotencyOf, shotNotFound } from '../video/generate.ts'
import { checkGenerateRequest, type GenerateRequest, parseGenerateRequest } from '../video/generate-request.ts'
import { assetsOf } from '../video/inputs.ts'
import { requireAtMost } from '../video/quote.ts'
import { findCreated } from '../video/replay.ts'
import type { FilmOfBatch } from '../video/transitions.ts'
import { findProject } from './project.ts'
import { quoteRender } from './render.ts'
import { readShots, type Shot } from './shots.ts'

/** Shots that are checked at a time. */
const CHECKS = 8

/** `shots`: their ids; those that have no take, or whose take is deleted or has failed, when left out. */
type Wanted = { shots?: string[] | undefined }
/** `position`: from 1, in the project. */
type Checked = { shot: Shot; position: number } & (
  | { request: GenerateRequest; refusal?: never }
  | { request?: never; refusal: AppError }
)

export type QuotedShot = {
  shot: string
  /** null: refused. */
  credits: number | null
  ceiling: boolean
  estimatedSeconds: number | null
  refusal: { code: string; message: string } | null
}

/**
 * What shots cost, each and together, and the cut; what is refused costs nothing.
 * @throws AppError NOT_FOUND
 */
export async function quoteProject(app: App, spender: Spender, projectId: string, wanted: Wanted) {
  const { found } = await wantedShots(app, spender, projectId, wanted)
  const checked = await checkEach(found, (shot) => checkGenerateRequest(app, spender, requestOf(shot)))
  const now = app.now()
  const shots = checked.map(({ shot, request, refusal }): QuotedShot => {
    if (!request) {
      const { code, message } = refusal
      return { shot: shot.id, credits: null, ceiling: false, estimatedSeconds: null, refusal: { code, message } }
    }
    const { credits, secondRate, chosen } = request
    const ceiling = secondRate !== null && chosen.isLengthOpen === true
    return {
      shot: shot.id,
      credits,
      ceiling,
      estimatedSeconds: filmOf(app, spender, request, now).usualS,
      refusal: null,
    }
  })
  const credits = shots.reduce((sum, each) => sum + (each.credits ?? 0), 0)
  const { left, shown } = await withinBudgets(app, spender, (await balance(app, spender.userId)).available)
  const ceiling = shots.some((each) => each.ceiling)
  const render = await quoteRender(app, spender, projectId)
  return { credits, ceiling, available: shown, affordable: left >= credits, shots, render }
}

/**
 * Generates shots, one film each.
 * @param wanted `credits`: what the caller was quoted; `maxCredits`: the most that all may cost
 * @throws AppError NOT_FOUND; CONFLICT when no shot lacks a take, another price than `credits`, or a shot that was
 *   generated or deleted meanwhile; INVALID_REQUEST above `maxCredits`; for the first shot that is refused what generate throws, with all in the details
 */
export async function generateShots(
  app: App,
  spender: Spender,
  projectId: string,
  wanted: Wanted & { credits?: number; maxCredits?: number | undefined },
  idempotencyKey: string | null,
) {
  const hash = requestHash({ project: projectId.toLowerCase(), shots: wanted.shots ?? null })
  const replayed = idempotencyKey && (await findCreated(app, spender, hash, idempotencyKey))
  if (replayed) return { ...(await readMade(app, spender.userId, replayed)), isNew: false }
  const { id, found } = await wantedShots(app, spender, projectId, wanted)
  if (found.length === 0)
    throw new AppError('CONFLICT', 'Each shot has a take; name the shots of which you want another.')
  const films = await checkAll(app, spender, found)
  const credits = films.reduce((sum, { request }) => sum + request.credits, 0)
  if (wanted.credits !== undefined && wanted.credits !== credits) throw priceChanged(credits)
  requireAtMost(wanted.maxCredits, credits, films.length)
  const now = app.now()
  const batch = films.map(({ shot, request }): FilmOfBatch => {
    const of = { projectId: id, shotId: shot.id, takeId: shot.takeId }
    return { ...filmOf(app, spender, request, now), id: newId(now), shot: of }
  })
  const [first] = batch
  if (!first) throw shotNotFound()
  const inputs = films.flatMap(({ request }) => request.inputs)
  const video = {
    ...{ ...first, videoId: first.id, now, mayWait: true, assets: assetsOf(inputs, now) },
    batch: batch.length === 1 ? null : batch,
    idempotency: idempotencyOf(spender, idempotencyKey, () => hash),
  }
  const whole = { credits, n: batch.length, inputs, shotGone: generatedMeanwhile }
  const created = await create(app, spender, video, whole)
  return { ...(await readMade(app, spender.userId, created)), isNew: created.outcome === 'created' }
}

async function wantedShots(app: App, { userId }: Spender, projectId: string, { shots: named }: Wanted) {
  const { id } = await findProject(app, userId, projectId)
  const shots = (await readShots(app, userId, id)).map((shot, i) => ({ shot, position: i + 1 }))
  const ids = named && new Set(named.map((each) => each.toLowerCase()))
  const found = shots.filter(({ shot }) => (ids ? ids.has(shot.id) : lacksTake(shot)))
  if (ids && found.length < ids.size) throw shotNotFound()
  return { id, found }
}

function lacksTake({ takeId, takes }: Shot): boolean {
  const take = takes.find(({ uuid }) => uuid === takeId)
  return take === undefined || take.status === 'FAILED'
}

function requestOf({ settings: { model, ...settings } }: Shot) {
  if (model === undefined) throw invalid('INVALID_REQUEST', 'model', 'Choose a model.')
  return { ...settings, model }
}

/** Checks requests as generate does. @throws AppError for those that are refused */
async function checkAll(app: App, spender: Spender, found: { shot: Shot; position: number }[]) {
  const parsed = requireAll(await checkEach(found, (shot) => parseGenerateRequest(app, spender, requestOf(shot))))
  const requests = new Map(parsed.map(({ shot, request }) => [shot.id, request]))
  const seen = await checkEach(found, async ({ id }) => {
    const request = requests.get(id)
    if (!request) throw shotNotFound()
    await checkConsent(app, spender.userId, request.inputs)
    await checkContent(app, spender.userId, request)
    return request
  })
  return requireAll(seen)
}

/** @throws what is no refusal of a shot */
async function checkEach(
  found: { shot: Shot; position: number }[],
  check: (shot: Shot) => Promise<GenerateRequest>,
): Promise<Checked[]> {
  const checked: Checked[] = []
  await forEachConcurrently(found.entries(), CHECKS, async ([i, each]) => {
    try {
      checked[i] = { ...each, request: await check(each.shot) }
    } catch (refusal) {
      if (!(refusal instanceof AppError) || refusal.code === 'UNAVAILABLE') throw refusal
      checked[i] = { ...each, refusal }
    }
  })
  return checked
}

/** @throws AppError with the code and details of the first refusal, and all as `shots`, or as the details */
function requireAll(checked: Checked[]) {
  const refused = checked.flatMap(({ shot, position, refusal }) => (refusal ? [{ shot, position, refusal }] : []))
  const [first] = refused
  if (!first) return checked.flatMap(({ shot, request }) => (request ? [{ shot, request }] : []))
  const shots = refused.map(({ shot, position, refusal: { code, message, details } }) => {
    const [field] = Array.isArray(details) ? details : []
    return { path: field?.path ?? 'shots', shot: shot.id, position, code, message, details }
  })
  const { code, message, details } = first.refusal
  const isAboutShot = details !== undefined && !Array.isArray(details)
  const all = isAboutShot ? ({ ...details, shots } as DetailsOf<ErrorCode>) : shots
  throw new AppError(code, `Shot ${first.position}: ${message}`, { details: all })
}

const priceChanged = (credits: number) =>
  new AppError('CONFLICT', `These shots cost ${credits} credits now; look at the sum again.`, { details: { credits } })

const generatedMeanwhile = () =>
  new AppError('CONFLICT', 'A shot was generated or deleted meanwhile; read the project again.')

/** The videos of a request in the order of their shots. `shot` null: it was deleted since. */
async function readMade({ sql }: App, userId: string, { id, ids }: { id: string; ids?: string[] | null }) {
  const videos = await sql<
    { uuid: string; shot: string | null; model: string; creditsUsed: number; waiting: boolean; createdAt: Date }[]
  >`
    select v.id as uuid, t.shot_id as shot, v.model, v.credits as credits_used, v.is_waiting and v.due_at is not null as waiting,
           v.created_at
    from kinora.video v
    left join kinora.shot_take t on t.user_id = v.user_id and t.video_id = v.id
    where v.user_id = ${userId} and v.id = any(${ids && ids.length > 0 ? ids : [id]}::uuid[])
    order by v.id
  `
  return { creditsUsed: videos.reduce((sum, video) => sum + video.creditsUsed, 0), videos }
}
