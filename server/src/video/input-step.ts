/**
 * PENDING, before a task is sent to a provider: its inputs. The host of another site's link is resolved and checked
 * before every submit. With INLINE_START_IMAGE, and for a provider that takes no link, the file is fetched, inspected
 * and stored here, once: the row then names the asset, so that a retry, the next provider, and the provider's own fetch
 * get the same bytes. Nothing was sent yet, so a film whose input cannot be used fails with its credits released.
 */
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { App } from '../app.ts'
import { receiveAsset } from '../asset/asset.ts'
import { linkForProvider } from '../asset/asset-link.ts'
import { factsOf, type Media, mediaOf, type Sent, withoutMaker } from '../catalogue/inputs.ts'
import { call } from '../db/call.ts'
import { AppError } from '../errors.ts'
import { type Input, type Kind, keyIn, nameOf, ofAsset, videoIn } from '../film/inputs.ts'
import { newId } from '../id.ts'
import { ASSET_FILM_BYTES_MAX, ASSET_IMAGE_BYTES_MAX, ASSET_SOUND_BYTES_MAX } from '../media/asset/asset.ts'
import { FetchError } from '../net/fetch-error.ts'
import type { Provider, UploadedFile, UploadOutcome } from '../provider/provider.ts'
import { TEST_ACCOUNT } from '../provider/test-account.ts'
import { contentTypeOf } from '../storage/key.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { type Resolved, readInputs } from './inputs.ts'
import { fail, idsOf, leased, returnLease, type Step } from './outcome.ts'
import { routeFor } from './provider-task.ts'
import { uploadInput } from './step-trace.ts'
import { videoDefer } from './transitions.ts'

const RESOLVE_TIMEOUT_MS = 5_000
const ASSET_BYTES_MAX: Record<Kind, number> = {
  image: ASSET_IMAGE_BYTES_MAX,
  film: ASSET_FILM_BYTES_MAX,
  sound: ASSET_SOUND_BYTES_MAX,
}
const FETCH_TIMEOUT_MS = 60_000
const FETCH_IDLE_TIMEOUT_MS = 15_000
/** Some object stores send a generic content type; receiveAsset decides by the bytes what a file is. */
const TYPES: Record<Kind, { accept: string[]; refuse: string[] }> = {
  image: { accept: ['image/*', '*/*;q=0.1'], refuse: ['video/*', 'audio/*'] },
  film: { accept: ['video/*', '*/*;q=0.1'], refuse: ['image/*', 'audio/*'] },
  sound: { accept: ['audio/*', '*/*;q=0.1'], refuse: ['image/*'] },
}
/** How long an input that cannot be fetched is retried: a site may be away, a missing file stays so. */
const RETRY_WINDOW_MS = 10 * 60_000
const STATUS_WINDOW_MS = 60_000
const PAUSE_MIN_MS = 2_000
const PAUSE_MAX_MS = 30_000
const SLOT_PAUSE_MS = 1_000
/** A slow site of one user must keep neither other users' inputs nor other steps waiting. */
const FETCHES_PER_USER = 2

/** Tasks of films that their accounts do not keep any more, as this process has learned: such a film goes in itself. */
const lostFilms = new Set<string>()
const LOST_FILMS_MAX = 10_000
const taskKeyOf = (account: string, taskId: string | null | undefined): string => `${account} ${taskId ?? ''}`

/**
 * Notes that an account does not keep the film of a task any more.
 * @returns `of no use`: no account of the video takes the film itself
 */
export function noteLostFilm(video: Step['video'], account: string, { named, facts }: Media): 'noted' | 'of no use' {
  if (lostFilms.size >= LOST_FILMS_MAX) lostFilms.clear()
  lostFilms.add(taskKeyOf(account, String(named.filmTask)))
  const isUsable = video.providers.some((each) => routeFor(video, each, { ...facts, filmAccount: '' }))
  return isUsable ? 'noted' : 'of no use'
}

/** The fetches in progress in this process, by user. */
const fetches = new Map<string, number>()

type NotUploaded = Exclude<UploadOutcome, { kind: 'uploaded' }>

/**
 * Returns what to send to the provider in the place of each input.
 * - `not_ready`: the step is over
 * - an outcome of an upload: no task was sent
 */
export async function inputsToSubmit(
  app: App,
  step: Step,
  account: string,
  provider: Pick<Provider, 'upload'>,
): Promise<Media | 'not_ready' | NotUploaded> {
  const inputs = givenOf(step)
  if (account === TEST_ACCOUNT) return { named: {}, facts: {} }
  // Of the input that is read or sent now.
  let current = inputs[0]
  try {
    const media = await mediaAt(app, step, inputs, account, provider, (input) => {
      current = input
    })
    return current ? named(media, wordsOf(step, current, inputs)) : media
  } catch (error) {
    await failOrDefer(app, step, error, current ? wordsOf(step, current, inputs) : 'input')
    return 'not_ready'
  }
}

/**
 * Returns the inputs of a task that was sent, for a provider that finds it by the same request. The film does not fail
 * by them.
 * @throws Error when an input cannot be read or uploaded now
 */
export async function inputsToFind(
  app: App,
  step: Step,
  account: string,
  provider: Pick<Provider, 'upload'>,
): Promise<Media> {
  const media = await mediaAt(app, step, givenOf(step), account, provider, () => {})
  if (media !== 'not_ready' && !('kind' in media)) return media
  throw new Error('an input could not be uploaded again, to find its task')
}

/** The refusal of an upload with the input that it is of. */
function named(outcome: Media | 'not_ready' | NotUploaded, noun: string): Media | 'not_ready' | NotUploaded {
  if (outcome === 'not_ready' || !isNotUploaded(outcome) || outcome.kind !== 'refused') return outcome
  const { failure } = outcome
  return { ...outcome, failure: { ...failure, message: `The ${noun} could not be used: ${failure.message}` } }
}
const isNotUploaded = (outcome: Media | NotUploaded): outcome is NotUploaded => 'kind' in outcome

/** What its user calls an input: the film of some modes by what is done to it. */
const wordsOf = ({ video }: Step, input: Resolved, all: readonly Resolved[]): string =>
  input.role === 'film' && ['extend', 'upscale', 'edit'].includes(video.mode)
    ? `film to ${video.mode}`
    : nameOf(input, all)

/** Whether an account keeps the film that goes into a video. False where that cannot be read. */
export async function isKeptAt(app: App, video: Step['video'], account: string): Promise<boolean> {
  const films = (video.madeOf ?? []).filter(({ role, source }) => role === 'film' && videoIn(source) !== null)
  if (films.length === 0) return false
  try {
    const read = await Promise.all(films.map((film) => readFor(app, video, account, film)))
    return routeFor(video, account, factsOf(read.flat()))?.route.keepsFilm ?? false
  } catch (err) {
    app.log.warn({ ...idsOf(app, video), err }, 'the film of a video could not be read')
    return false
  }
}

const givenOf = ({ video }: Step): Resolved[] =>
  (video.madeOf ?? []).map((input, i) => ({ ...input, path: `inputs.${i}` }))

/** An input, for an account. @throws AppError as readInputs */
async function readFor(app: App, video: Step['video'], account: string, input: Input): Promise<Resolved[]> {
  const found = await readInputs(app, { userId: video.userId, key: null }, [{ ...input, path: '' }])
  return found.map((each) => (lostFilms.has(taskKeyOf(account, each.film?.taskId)) ? withoutMaker(each) : each))
}

/** @throws AppError as readInputs; errors of the storage */
async function mediaAt(
  app: App,
  step: Step,
  inputs: readonly Resolved[],
  account: string,
  { upload }: Pick<Provider, 'upload'>,
  begin: (input: Resolved) => void,
): Promise<Media | 'not_ready' | NotUploaded> {
  const read: Resolved[] = []
  for (const given of inputs) {
    begin(given)
    const found = await readFor(app, step.video, account, given)
    // Its owner has kept the sound of the film alone since the request.
    const other = found.find(({ kind }) => kind !== given.kind)
    if (other) throw new AppError('CONFLICT', `It is a ${other.kind} now.`)
    read.push(...found)
  }
  const isKept = routeFor(step.video, account, factsOf(read))?.route.keepsFilm ?? false
  const sent: Sent[] = []
  for (const [position, input] of read.entries()) {
    begin(inputs[position] ?? input)
    const task = isKept && input.role === 'film' ? input.film?.taskId : null
    const same = sent.find(({ source, kind }) => source === input.source && kind === input.kind)
    const value = task ?? same?.value ?? (await sentFor(app, step, input, { account, upload, position }))
    if (typeof value === 'object' || value === 'not_ready') return value
    sent.push({ ...input, value, task: task ?? null })
  }
  return mediaOf(sent)
}

async function sentFor(
  app: App,
  step: Step,
  input: Resolved,
  use: { account: string; upload: Provider['upload']; position: number },
): Promise<string | NotUploaded> {
  const { account, upload, position } = use
  let key = input.film?.key ?? keyIn(input.source)
  if (key === null) {
    await app.userFetch.checkHost(input.source, RESOLVE_TIMEOUT_MS)
    if (!upload && !app.config.inlineStartImage) return input.source
    key = await fetchIntoStorage(app, step, input, position)
    if (key === null) return 'not_ready'
  }
  if (!upload) return linkForProvider(app, key)
  const dir = path.join(temporaryDir(app.config.dataDir), `input-${newId(app.now())}`)
  try {
    await mkdir(dir, { recursive: true, mode: 0o750 })
    const file = await copyStored(app, step, key, path.join(dir, 'file'))
    const uploaded = await uploadInput(step, account, upload, file)
    return uploaded.kind === 'uploaded' ? uploaded.value : uploaded
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** A large film is on disk and not in memory while it is sent. @throws AppError NOT_FOUND; errors of the storage */
async function copyStored({ storage }: App, { signal }: Step, key: string, file: string): Promise<UploadedFile> {
  const stored = await storage.read(key, signal)
  if (!stored) throw new AppError('NOT_FOUND', 'It is no longer stored.')
  await pipeline(stored, createWriteStream(file, { mode: 0o640 }), { signal })
  return { file: await openAsBlob(file), contentType: contentTypeOf(key), name: path.basename(key) }
}

/** @returns the storage key of the asset; null: the step is over */
async function fetchIntoStorage(app: App, step: Step, input: Resolved, position: number): Promise<string | null> {
  const { userId } = step.video
  const release = takeSlot(userId, Math.max(1, Math.ceil(app.config.workerConcurrency / 8)))
  if (!release) {
    await deferBy(app, step, SLOT_PAUSE_MS, null)
    return null
  }
  try {
    const { body } = await app.userFetch.get(input.source, {
      maxBytes: ASSET_BYTES_MAX[input.kind],
      timeoutMs: FETCH_TIMEOUT_MS,
      idleTimeoutMs: FETCH_IDLE_TIMEOUT_MS,
      ...TYPES[input.kind],
      signal: step.signal,
    })
    const { key } = await receiveAsset(app, { userId, key: null, madeBy: null, kind: input.kind }, body, step.signal)
    app.crashPoint('input.stored')
    const { videoId, lease, now } = leased(app, step)
    const stored = await call(app.sql, 'video_store_input', {
      ...{ userId, id: videoId, lease, position, source: ofAsset(key), now },
    })
    if (stored === 'stale') return null
    app.crashPoint('input.recorded')
    return key
  } finally {
    release()
  }
}

/** Returns the function that frees the slot, or null when this user or all users together have their share. */
function takeSlot(userId: string, most: number): (() => void) | null {
  const ofUser = fetches.get(userId) ?? 0
  const all = [...fetches.values()].reduce((sum, count) => sum + count, 0)
  if (ofUser >= FETCHES_PER_USER || all >= most) return null
  fetches.set(userId, ofUser + 1)
  return () => {
    const left = (fetches.get(userId) ?? 1) - 1
    if (left === 0) fetches.delete(userId)
    else fetches.set(userId, left)
  }
}

/** An input or a link at fault fails the film at once, what may pass is tried again, while its window lasts. */
async function failOrDefer(app: App, step: Step, error: unknown, noun: string): Promise<void> {
  if (step.signal.aborted) return returnLease(app, step)
  const { video } = step
  const isOfUser = error instanceof FetchError || (error instanceof AppError && error.code !== 'UNAVAILABLE')
  const isRetryable = error instanceof FetchError ? error.retryable : !isOfUser
  const windowMs = error instanceof FetchError && error.code === 'STATUS' ? STATUS_WINDOW_MS : RETRY_WINDOW_MS
  const ageMs = app.now().getTime() - video.createdAt.getTime()
  const reason = error instanceof Error ? error.message : String(error)
  if (!isOfUser) app.log.warn({ ...idsOf(app, video), err: error }, `a ${noun} could not be used yet`)
  if (isRetryable && ageMs < windowMs) {
    // The pause grows with the age: the attempts of the row count submits.
    return deferBy(app, step, Math.min(Math.max(ageMs / 2, PAUSE_MIN_MS), PAUSE_MAX_MS), reason, noun)
  }
  const message = `The ${noun} could not be used: ${isOfUser ? reason : 'it could not be read or stored.'}`
  const detail = error instanceof FetchError || error instanceof AppError ? error.code : undefined
  await fail(app, step, { code: isOfUser ? 'INPUT_REFUSED' : 'NOT_STORED', message }, detail)
}

async function deferBy(app: App, step: Step, pauseMs: number, reason: string | null, noun = 'input'): Promise<void> {
  const video = leased(app, step)
  const dueAt = new Date(Math.min(video.now.getTime() + pauseMs, step.video.deadlineAt.getTime()))
  const log = reason === null ? null : { entry: `${noun} not ready`, detail: reason }
  await videoDefer(app.calls, { ...video, attempt: step.video.attempt, dueAt, log })
}
