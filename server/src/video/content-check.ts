/**
 * The decision of moderation about a request, before anything is frozen. Invariant: an idempotent replay asks no
 * moderator, since its film was allowed when it was created, and a text may be judged otherwise another day.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { type Kind, keyIn, nameOf, ofAsset } from '../film/inputs.ts'
import { newId } from '../id.ts'
import { takeFrames } from '../media/film/inspect.ts'
import { MediaRefused } from '../media/refusal.ts'
import type { Verdict } from '../moderation/moderation.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import type { GenerateRequest } from './generate-request.ts'
import { type Resolved, sourceForProvider } from './inputs.ts'

/** @throws AppError CONTENT_REFUSED; UNAVAILABLE without a verdict, unless MODERATION_FAIL is open */
export async function checkContent(app: App, userId: string, request: GenerateRequest): Promise<void> {
  const { moderation, config } = app
  if (!moderation || !config.moderation) return
  const { prompt, model, inputs } = request
  const images = linksTo(app, inputs, 'image')
  const asked = { prompt, model: model.id, images }
  const verdict =
    config.moderation.format === 'kinora'
      ? await moderation.check({ ...asked, ...linksToOthers(app, inputs) })
      : await moderation.check({ ...asked, images: [...images, ...(await framesOf(app, userId, inputs))] })
  throwUnlessAllowed(config, verdict)
}

function throwUnlessAllowed({ moderation }: App['config'], verdict: Verdict): void {
  if (verdict.kind === 'refused') throw refused(verdict.categories)
  if (verdict.kind === 'failed' && moderation?.fail !== 'open') throw undecided()
}

/** Has moderation decide about a text of which no film is made yet. @throws AppError as checkContent does */
export async function checkText({ moderation, config }: App, prompt: string): Promise<void> {
  const verdict = await moderation?.check({ prompt, model: 'writer', images: [] })
  if (verdict) throwUnlessAllowed(config, verdict)
}

/** Of Kinora's own contract: links to films and sounds. */
function linksToOthers(app: App, inputs: readonly Resolved[]) {
  const [films, sounds] = [linksTo(app, inputs, 'film'), linksTo(app, inputs, 'sound')]
  return { ...(films.length > 0 && { films }), ...(sounds.length > 0 && { sounds }) }
}

/**
 * Pictures of the films that go in, for a service that takes pictures alone. It cannot look at sounds, at a film that
 * is not stored here, or at one whose pictures cannot be taken: MODERATION_UNSEEN decides about the request then.
 * @throws AppError CONTENT_REFUSED; UNAVAILABLE when pictures cannot be taken now, unless MODERATION_FAIL is open
 */
async function framesOf(app: App, userId: string, inputs: readonly Resolved[]): Promise<string[]> {
  const refuse = app.config.moderation?.unseen === 'refuse'
  const noteUnseen = (input: Resolved) => {
    if (refuse) throw notSeen(input, inputs)
    app.moderation?.noteUnseen(input.kind)
  }
  for (const input of inputs) if (input.kind !== 'image' && !isStoredFilm(input)) noteUnseen(input)
  // One that goes in twice is looked at once.
  const films = [...Map.groupBy(inputs.filter(isStoredFilm), keyOf)].flatMap(([key, [input]]) =>
    key === null || !input ? [] : [[key, input] as const],
  )
  const countMax = Math.min(FRAMES_MAX, Math.floor(FRAMES_TOGETHER_MAX / films.length))
  const frames: string[] = []
  for (const [key, input] of films) {
    try {
      const taken = await takeStoredFrames(app, key, { userId, countMax })
      frames.push(...taken.map((jpeg) => `data:image/jpeg;base64,${jpeg.toString('base64')}`))
    } catch (error) {
      if (!(error instanceof MediaRefused)) {
        app.log.warn({ userId, err: error }, 'moderation could not be shown a film')
        if (app.config.moderation?.fail !== 'open') throw undecided()
      }
      noteUnseen(input)
    }
  }
  return frames
}

/** Pictures of one film, and of all films of a request: a service takes each in a request of its own. */
const FRAMES_MAX = 16
const FRAMES_TOGETHER_MAX = 60
const LOOK_TIMEOUT_MS = 60_000

/** The storage key of an input; null: another site has it. */
const keyOf = ({ film, source }: Resolved): string | null => film?.key ?? keyIn(source)
const isStoredFilm = (input: Resolved): boolean => input.kind === 'film' && keyOf(input) !== null

/** @throws MediaRefused; QueueFullError, or an error of the storage */
async function takeStoredFrames(
  { config, storage, now }: App,
  key: string,
  { userId, countMax }: { userId: string; countMax: number },
): Promise<Buffer[]> {
  const dir = path.join(temporaryDir(config.dataDir), `frames-${newId(now())}`)
  const file = path.join(dir, 'film')
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS)
  try {
    await mkdir(dir, { recursive: true, mode: 0o750 })
    const stored = await storage.read(key, signal)
    if (!stored) throw new MediaRefused('UNDECODABLE', 'The film is no longer stored.')
    await writeFile(file, stored, { mode: 0o640, signal })
    return await takeFrames(file, { userId, countMax, signal })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
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
