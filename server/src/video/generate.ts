/**
 * Generate: a request becomes one film or several. Everything slow or foreign comes first; one call of
 * server/sql/video_generate.sql then freezes the price and creates the videos, all or none.
 */
import { keyBudgetExceeded, type Spender } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import type { Model } from '../catalogue/model.ts'
import { accountsFor } from '../catalogue/route-sequence.ts'
import { idempotencyKeyReused } from '../db/idempotency.ts'
import { AppError } from '../errors.ts'
import { isTestOwner, newId } from '../id.ts'
import { TEST_ACCOUNT, TEST_FILM_S } from '../provider/test-account.ts'
import { openWebhookAccount } from '../webhook/endpoints.ts'
import { checkConsent } from './consent.ts'
import { checkContent } from './content-check.ts'
import {
  type FilmInput,
  type GenerateRequest,
  insufficientCredits,
  parseGenerateRequest,
  tooManyInProgress,
} from './generate-request.ts'
import { inProgress } from './in-progress.ts'
import { assetsOf, goneAsset, linkExpired, type Resolved } from './inputs.ts'
import { findReplay, type Generated, hashOfRequest, keyPrefixOf, toGenerated } from './replay.ts'
import { type CreatedVideo, type GenerateOutcome, type NewVideo, videoGenerate } from './transitions.ts'
import { usualSecondsOf } from './usual-seconds.ts'

/**
 * Validates the request, has moderation decide about it, freezes its price and creates the video, in one round trip; a
 * worker does the rest. An idempotent replay needs neither validation nor moderation.
 * @throws AppError 400 (see parseGenerateRequest), INVALID_REQUEST (asset gone), CONSENT_REQUIRED, CONTENT_REFUSED,
 * INSUFFICIENT_CREDITS,
 *   KEY_BUDGET_EXCEEDED, TOO_MANY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED, NOT_FOUND (no such shot)
 * @param options.isReplayable the key is not the caller's: compatible/repeated-request.ts
 */
export async function generate(
  app: App,
  spender: Spender,
  request: FilmInput,
  idempotencyKey: string | null,
  { isReplayable = false } = {},
): Promise<Generated> {
  const { userId, key } = spender
  let checked: GenerateRequest
  try {
    checked = await parseGenerateRequest(app, spender, request)
    await checkConsent(app, userId, checked.inputs)
  } catch (refusal) {
    // It was valid when its video was created: the catalogue, the settings or a host's address have changed since.
    const replay =
      idempotencyKey && refusal instanceof AppError && (await findReplay(app, spender, request, idempotencyKey))
    if (replay) return replay
    throw refusal
  }
  // Nothing is made of the prompt of a test.
  if (app.moderation && !isTestOwner(userId)) {
    const replay = idempotencyKey && (await findReplay(app, spender, request, idempotencyKey))
    if (replay) return replay
    await checkContent(app, userId, checked)
  }
  const { model, inputs } = checked
  const { n = 1, shot = null } = request
  // The films of a page are of its visitor, and projects are not.
  if (shot && key?.token) throw shotNotFound()
  const now = app.now()
  const ids = Array.from({ length: n }, () => newId(now))
  if (checked.webhook) await openWebhookAccount(app, userId)
  const video = {
    ...filmOf(app, spender, checked, now),
    videoId: ids[0] ?? newId(now),
    now,
    batch: n === 1 ? null : ids.map((id, i) => ({ id, seed: seedOf(model, checked.seed, i) })),
    assets: assetsOf(inputs, now),
    metadata: request.metadata ?? null,
    idempotency: idempotencyOf(spender, idempotencyKey, () => hashOfRequest(app, request)),
    isReplayable,
    ...(shot && { shot: { projectId: shot.project, shotId: shot.shot } }),
  }
  const created = await create(app, spender, video, { credits: n * checked.credits, n, inputs, shotGone: shotNotFound })
  return toGenerated(created, request, created.outcome === 'created')
}

export const shotNotFound = () => new AppError('NOT_FOUND', 'There is no such shot.')

/** What the row of a film has of its request. */
export function filmOf(app: App, { userId }: Spender, checked: GenerateRequest, now: Date) {
  const { model, chosen } = checked
  const isTest = isTestOwner(userId)
  const providers = isTest ? [TEST_ACCOUNT] : accountsFor(model, chosen, app.config)
  return {
    ...checked,
    model: model.id,
    providers,
    usualS: isTest ? TEST_FILM_S : usualSecondsOf(app, model, providers[0] ?? ''),
    deadlineAt: new Date(now.getTime() + model.deadlineSeconds * 1000),
  }
}

export const idempotencyOf = (spender: Spender, key: string | null, hash: () => Buffer) =>
  key === null ? null : { key: keyPrefixOf(spender) + key, requestHash: hash() }

type OfSpender = 'userId' | 'maxInProgress' | 'apiKeyId' | 'token' | 'memberId'

/**
 * Freezes the credits of a film, or of all films of a batch, and creates them.
 * @param send creates them; by default as films of models
 * @param whole of all films: their price, number and inputs; `shotGone`: the error for a shot that is not there
 * @throws AppError as generate, after its checks
 */
export async function create(
  app: App,
  spender: Spender,
  video: Omit<NewVideo, OfSpender>,
  {
    credits,
    n,
    inputs,
    shotGone,
  }: { credits: number; n: number; inputs: readonly Resolved[]; shotGone: () => AppError },
  send: (video: NewVideo) => Promise<GenerateOutcome> = (whole) => videoGenerate(app.calls, whole),
): Promise<CreatedVideo> {
  const { userId, key } = spender
  const { maxInProgress } = app.config
  const result = await send({
    ...video,
    ...{ userId, maxInProgress, apiKeyId: key?.id ?? null, token: key?.token ?? null, memberId: key?.memberId ?? null },
  })
  app.crashPoint('generate.committed')
  switch (result.outcome) {
    case 'created':
    case 'replayed':
      app.tracing?.noteVideo({ id: result.id, isNew: result.outcome === 'created' })
      if (result.outcome === 'created') app.wake()
      return result
    case 'insufficient':
      if (key?.token) throw await keyBudgetExceeded(app, spender, credits)
      throw insufficientCredits(credits, result.available, n)
    case 'over_budget':
      throw await keyBudgetExceeded(app, spender, credits)
    case 'too_many':
      throw tooManyInProgress((await inProgress(app, spender)).limit ?? maxInProgress, n)
    case 'key_reused':
      throw idempotencyKeyReused()
    case 'asset_link_expired':
      throw linkExpired(inputs)
    case 'asset_gone':
      throw await goneAsset(app, spender, inputs)
    case 'shot_gone':
      throw shotGone()
  }
}

/** The seed of a batch's film: one more than that of the film before it, and after the model's highest its lowest. */
function seedOf({ options = {} }: Model, seed: number | null, index: number): number | null {
  const { seed: option } = options
  if (seed === null || option?.type !== 'integer') return seed
  const { minimum, maximum } = option
  return minimum + ((seed - minimum + index) % (maximum - minimum + 1))
}
