/**
 * The decision of moderation about a request, before anything is frozen. Invariant: an idempotent replay asks no
 * moderator, since its film was allowed when it was created, and a text may be judged otherwise another day.
 */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import type { GenerateRequest } from './generate-request.ts'
import { sourceForProvider } from './inputs.ts'

/** @throws AppError CONTENT_REFUSED; UNAVAILABLE without a verdict, unless MODERATION_FAIL is open */
export async function checkContent(app: App, request: GenerateRequest): Promise<void> {
  const { moderation, config } = app
  if (!moderation) return
  const { prompt, model, madeOf } = request
  const images = new Set((madeOf ?? []).flatMap(({ kind, source }) => (kind === 'image' ? source : [])))
  const verdict = await moderation.check({
    prompt,
    model: model.id,
    images: [...images].flatMap((url) => sourceForProvider(app, url) ?? []),
  })
  if (verdict.kind === 'refused') throw refused(verdict.categories)
  if (verdict.kind === 'failed' && config.moderation?.fail !== 'open') throw undecided()
}

const refused = (categories: string[]) => {
  const reason = categories.length > 0 ? ` (${categories.join(', ')})` : ''
  return new AppError('CONTENT_REFUSED', `Moderation refused this request${reason}; change the prompt or the images.`, {
    details: { categories },
  })
}

const undecided = () =>
  new AppError('UNAVAILABLE', 'Moderation is away, and without it no film is made; try again shortly.', {
    retryAfterS: 10,
  })
