/**
 * PENDING, before a task is sent to a provider: the start image of another site. Its host is resolved and checked
 * before every submit. With INLINE_START_IMAGE, and for a provider that takes no link, the image is fetched, inspected
 * and stored here, once: the row then names the stored image, so that a retry, the next provider, and the provider's
 * own fetch get the same bytes. Nothing was sent yet, so a film whose image cannot be used fails with its credits
 * released.
 */

import path from 'node:path'
import type { App } from '../../app.ts'
import { call } from '../../db/call.ts'
import { AppError } from '../../errors.ts'
import { FetchError } from '../../net/fetch-error.ts'
import type { Image, Provider, UploadOutcome } from '../../provider/provider.ts'
import { contentTypeOf } from '../../storage/key.ts'
import { fail, idsOf, leased, returnLease, type Step } from '../outcome.ts'
import { readSourceFilm } from '../source-film.ts'
import { uploadImage } from '../step-trace.ts'
import { type LeasedVideo, videoDefer } from '../transitions.ts'
import { IMAGE_BYTES_MAX, receiveImage } from './start-image.ts'
import { type Images, imageName, mapImages, startImageForProvider, storedKeyOf } from './start-image-link.ts'

const RESOLVE_TIMEOUT_MS = 5_000
const FETCH_TIMEOUT_MS = 60_000
const FETCH_IDLE_TIMEOUT_MS = 15_000
/** Some object stores send a generic content type; inspectImage decides whether the file is an image. */
/** receiveImage decides by the bytes whether it is an image. */
const IMAGE_TYPES = { accept: ['image/*', '*/*;q=0.1'], refuse: ['video/*', 'audio/*'] }
/** How long an image that cannot be fetched is retried: a site may be away, a missing file stays so. */
const RETRY_WINDOW_MS = 10 * 60_000
const STATUS_WINDOW_MS = 60_000
const PAUSE_MIN_MS = 2_000
const PAUSE_MAX_MS = 30_000
const SLOT_PAUSE_MS = 1_000
/** Of a film that is uploaded: more than any provider takes, and in memory meanwhile. */
const UPLOAD_BYTES_MAX = 64 * 1024 ** 2
/** A slow site of one user must keep neither other users' images nor other steps waiting. */
const FETCHES_PER_USER = 2

/** The fetches in progress in this process, by user. */
const fetches = new Map<string, number>()

/**
 * Returns the URLs to send to the provider, or what its upload returned, in the place of each image.
 * - `not_ready`: the step is over
 * - an outcome of an upload: no task was sent
 */
export async function imagesToSubmit(
  app: App,
  step: Step,
  account: string,
  provider: Pick<Provider, 'upload'>,
): Promise<MediaToSubmit | 'not_ready' | NotUploaded> {
  let noun = step.video.upscaledFrom === null ? 'film to extend' : 'film to upscale'
  try {
    const film = await filmAt(app, step, account, provider)
    if (film !== null && (film === 'not_ready' || 'kind' in film)) return film
    noun = 'start image'
    const images = await imagesAt(app, step, account, provider)
    return images === 'not_ready' || 'kind' in images ? images : { ...images, ...film }
  } catch (error) {
    await failOrDefer(app, step, error, noun)
    return 'not_ready'
  }
}

/**
 * Returns the images of a task that was sent, for a provider that finds it by the same request. The film does not fail
 * by them.
 * @throws Error when an image cannot be read or uploaded now
 */
export async function imagesToFind(
  app: App,
  step: Step,
  account: string,
  provider: Pick<Provider, 'upload'>,
): Promise<MediaToSubmit> {
  const film = await filmAt(app, step, account, provider)
  const images = await imagesAt(app, step, account, provider)
  if (images !== 'not_ready' && !('kind' in images) && film !== 'not_ready' && !(film && 'kind' in film))
    return { ...images, ...film }
  throw new Error('an image could not be uploaded again, to find its task')
}

/** The media of a task, as its provider gets them. */
export type MediaToSubmit = Images & {
  upscaledFrom?: string
  extendedFrom?: string
  extendAccount?: string
  extendTask?: string
}
/** A film: a link, or what the provider's upload returned. `extendTask`: the vendor's task of it at this account. */
type FilmToSubmit = { upscaledFrom: string } | { extendedFrom: string; extendAccount: string; extendTask?: string }

/** The film to extend or to upscale; null: there is none. @throws AppError as readSourceFilm; errors of the storage */
async function filmAt(
  app: App,
  step: Step,
  account: string,
  { upload }: Pick<Provider, 'upload'>,
): Promise<FilmToSubmit | 'not_ready' | NotUploaded | null> {
  const { userId, extendedFrom, upscaledFrom } = step.video
  const videoId = upscaledFrom ?? extendedFrom
  if (videoId === null) return null
  const film = await readSourceFilm(
    app,
    { userId, key: null },
    { videoId, use: upscaledFrom === null ? 'extend' : 'upscale' },
  )
  const value = await imageToSubmit(app, step, imageName(film.key), { account, upload, isStart: false })
  if (typeof value === 'object' || value === 'not_ready') return value
  if (upscaledFrom !== null) return { upscaledFrom: value }
  const own = film.account === account && film.taskId !== null ? { extendTask: film.taskId } : {}
  return { extendedFrom: value, extendAccount: film.account, ...own }
}

async function imagesAt(app: App, step: Step, account: string, { upload }: Pick<Provider, 'upload'>) {
  const { startImageUrl, endImageUrl, referenceImageUrls } = step.video
  const sent = new Map<string, string>()
  for (const url of new Set([startImageUrl, endImageUrl, ...(referenceImageUrls ?? [])])) {
    if (url === null) continue
    const image = await imageToSubmit(app, step, url, { account, upload, isStart: url === startImageUrl })
    if (typeof image === 'object' || image === 'not_ready') return image
    sent.set(url, image)
  }
  return mapImages(step.video, (url) => sent.get(url) ?? url)
}

type NotUploaded = Exclude<UploadOutcome, { kind: 'uploaded' }>

/** @param use `isStart`: the row then names the image that was fetched; others are fetched again for another submit */
async function imageToSubmit(
  app: App,
  step: Step,
  url: string,
  use: { account: string; upload: Provider['upload']; isStart: boolean },
): Promise<string | NotUploaded> {
  const { account, upload, isStart } = use
  let name = url
  if (storedKeyOf(name) === null) {
    await app.userFetch.checkHost(name, RESOLVE_TIMEOUT_MS)
    if (upload || app.config.inlineStartImage) name = await fetchIntoStorage(app, step, name, isStart)
    if (name === 'not_ready') return name
  }
  if (!upload) return startImageForProvider(app, name) ?? name
  const uploaded = await uploadImage(step, account, upload, await readStored(app, step, name))
  return uploaded.kind === 'uploaded' ? uploaded.value : uploaded
}

/** @throws AppError NOT_FOUND; errors of the storage */
async function readStored({ storage }: App, { signal }: Step, name: string): Promise<Image> {
  const key = storedKeyOf(name) ?? ''
  const stored = await storage.read(key, signal)
  if (!stored) throw new AppError('NOT_FOUND', 'It is no longer stored.')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stored) {
    size += chunk.length
    if (size > UPLOAD_BYTES_MAX)
      throw new AppError('PAYLOAD_TOO_LARGE', `It is larger than ${UPLOAD_BYTES_MAX / 1024 ** 2} MB.`)
    chunks.push(chunk)
  }
  return { bytes: Buffer.concat(chunks), contentType: contentTypeOf(key), name: path.basename(key) }
}

/** @returns the stored form of the image */
async function fetchIntoStorage(app: App, step: Step, url: string, isStart: boolean): Promise<string> {
  const { userId } = step.video
  const release = takeSlot(userId, Math.max(1, Math.ceil(app.config.workerConcurrency / 8)))
  if (!release) {
    await deferBy(app, step, SLOT_PAUSE_MS, null)
    return 'not_ready'
  }
  try {
    const { body } = await app.userFetch.get(url, {
      maxBytes: IMAGE_BYTES_MAX,
      timeoutMs: FETCH_TIMEOUT_MS,
      idleTimeoutMs: FETCH_IDLE_TIMEOUT_MS,
      ...IMAGE_TYPES,
      signal: step.signal,
    })
    const { key } = await receiveImage(app, { userId, key: null }, body, step.signal)
    app.crashPoint('start-image.stored')
    const startImageUrl = imageName(key)
    if (!isStart) return startImageUrl
    if ((await recordStored(app, leased(app, step), startImageUrl)) === 'stale') return 'not_ready'
    app.crashPoint('start-image.recorded')
    return startImageUrl
  } finally {
    release()
  }
}

async function recordStored({ sql }: App, { userId, videoId, lease, now }: LeasedVideo, startImageUrl: string) {
  return await call(sql, 'video_store_start_image', { userId, id: videoId, lease, startImageUrl, now })
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

/** An image or a link at fault fails the film at once, what may pass is tried again, while its window lasts. */
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
  await fail(app, step, { code: isOfUser ? 'IMAGE_REFUSED' : 'NOT_STORED', message }, detail)
}

async function deferBy(
  app: App,
  step: Step,
  pauseMs: number,
  reason: string | null,
  noun = 'start image',
): Promise<void> {
  const video = leased(app, step)
  const dueAt = new Date(Math.min(video.now.getTime() + pauseMs, step.video.deadlineAt.getTime()))
  const log = reason === null ? null : { entry: `${noun} not ready`, detail: reason }
  await videoDefer(app.calls, { ...video, attempt: step.video.attempt, dueAt, log })
}
