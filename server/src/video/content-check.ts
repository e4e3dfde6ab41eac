/**
 * The decision of moderation about a request, before anything is frozen. Invariant: an idempotent replay asks no
 * moderator, since its film was allowed when it was created, and a text may be judged otherwise another day.
 */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { type Kind, nameOf, ofAsset } from '../film/inputs.ts'
import type { GenerateRequest } from './generate-request.ts'
import { type Resolved, sourceForProvider } from './inputs.ts'

/** @throws AppError CONTENT_REFUSED; UNAVAILABLE without a verdict, unless MODERATION_FAIL is open */
export async function checkContent(app: App, request: GenerateRequest): Promise<void> {
  const { moderation, config } = app
  if (!moderation || !config.moderation) return
  const { prompt, model, inputs } = request
  const [films, sounds] = [linksTo(app, inputs, 'film'), linksTo(app, inputs, 'sound')]
  const takesAll = config.moderation.format === 'kinora'
  const unseen = takesAll ? undefined : inputs.find(({ kind }) => kind !== 'image')
  if (unseen && config.moderation.unseen === 'refuse') throw notSeen(unseen, inputs)
  const verdict = await moderation.check({
    prompt,
    model: model.id,
    images: linksTo(app, inputs, 'image'),
    ...(takesAll && films.length > 0 && { films }),
    ...(takesAll && sounds.length > 0 && { sounds }),
  })
  if (verdict.kind === 'refused') throw refused(verdict.categories)
  if (verdict.kind === 'failed' && config.moderation.fail !== 'open') throw undecided()
}

/** Links to the inputs of a kind, each once; to the film of a video too. */
const linksTo = (app: App, inputs: readonly Resolved[], wanted: Kind): string[] => {
  const sources = inputs.flatMap(({ kind, source, film }) =>
    kind === wanted ? (film ? ofAsset(film.key) : source) : [],
  )
  return [...new Set(sources)].flatMap((source) => sourceForProvider(app, source) ?? [])
}

const notSeen = (input: Resolved, all: readonly Resolved[]) => {
  const message = `Moderation cannot look at the ${nameOf(input, all)} here, so it is refused; use pictures alone.`
  return new AppError('CONTENT_REFUSED', message, { details: { categories: [] } })
}

const refused = (categories: string[]) => {
  const reason = categories.length > 0 ? ` (${categories.join(', ')})` : ''
  return new AppError(
    'CONTENT_REFUSED',
    `Moderation refused this request${reason}; change the prompt or what goes in.`,
    {
      details: { categories },
    },
  )
}

const undecided = () =>
  new AppError('UNAVAILABLE', 'Moderation is away, and without it no film is made; try again shortly.', {
    retryAfterS: 10,
  })
