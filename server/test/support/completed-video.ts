/**
 * A completed video without a provider, for tests in which the film is a precondition: a worker's own functions record
 * every step, and a prepared film is stored by the product's code. Rendering, downloading and inspecting one takes a
 * second of CPU time.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { filmSize } from '../../../simulator/src/film-request.ts'
import type { App } from '../../src/app.ts'
import type { Query } from '../../src/db/db.ts'
import type { RequestedParameters } from '../../src/film/fields.ts'
import { newId } from '../../src/id.ts'
import type { InspectedFilm } from '../../src/media/film/inspect.ts'
import { storeAndComplete } from '../../src/video/collect.ts'
import { manifestKeyOf } from '../../src/video/film-files.ts'
import { parseGenerateRequest } from '../../src/video/generate-request.ts'
import type { Step } from '../../src/video/outcome.ts'
import {
  type ClaimedVideo,
  type VideoAt,
  videoAccept,
  videoBeginSubmit,
  videoGenerate,
  videoReportResult,
} from '../../src/video/transitions.ts'
import { beginFor } from './citus/database.ts'
import { greyFilm } from './films.ts'
import { generateBody, type Kinora, type Person } from './harness.ts'
import { videoClaim } from './video-calls.ts'
import { readRow, waitFor } from './video-row.ts'

const LEASE_MS = 60_000
/** The frame rate of the simulator's films in tests: a browser draws each frame. */
const FRAMES_PER_SECOND = 1
const THUMBNAIL_PIXELS = 640

/**
 * Creates a completed video of the request `{ ...generateBody, ...change }` and returns its uuid. Its film is grey, its
 * poster a landscape; it is playable, and has the request's size and duration. No worker sees the video before it is
 * completed.
 */
export async function completedVideo(
  { app }: Kinora,
  { userId }: Person,
  change: Partial<RequestedParameters> = {},
): Promise<string> {
  const {
    model,
    inputs: _,
    ...checked
  } = await parseGenerateRequest(app, { userId, key: null }, { ...generateBody, ...change })
  const now = app.now()
  const videoId = newId(now)
  const step = await beginFor(app.sql, userId, async (sql) => {
    const { outcome } = await videoGenerate(sql, {
      ...checked,
      userId,
      videoId,
      now,
      model: model.id,
      assets: null,
      providers: model.routes.map(({ account }) => account),
      usualS: model.usualSeconds,
      deadlineAt: new Date(now.getTime() + LEASE_MS),
      maxInProgress: 0,
      idempotency: null,
    })
    assert.equal(outcome, 'created')
    return await recordResult(sql, { userId, videoId, now })
  })
  await store(app, step)
  return videoId
}

/** Completes a PENDING video, as `completedVideo` does. Not for a service that runs the worker's loop. */
export async function completeVideo({ app }: Kinora, { userId }: { userId: string }, uuid: string): Promise<void> {
  await store(
    app,
    await beginFor(app.sql, userId, (sql) => recordResult(sql, { userId, videoId: uuid, now: app.now() })),
  )
}

/**
 * Completes a video in place of its provider, as soon as that has accepted the task: a film of `[slow: 60s]` is in
 * progress for as long as the test needs. For a service that runs the worker's loop, too.
 */
export async function completeSlowVideo(kinora: Kinora, { userId }: Person, uuid: string): Promise<void> {
  await waitFor('the provider to accept the task', async () => (await readRow(kinora, uuid)).status === 'GENERATING')
  const { provider, providerTaskId } = await readRow(kinora, uuid)
  const { app } = kinora
  const video = { userId, videoId: uuid, now: app.now() }
  await store(app, await beginFor(app.sql, userId, (sql) => reportResult(sql, video, provider, providerTaskId ?? '')))
}

/**
 * Puts a manifest beside the film of a completed video, as a worker does that signs a stored film. `isRecorded` false:
 * it has not come to the row.
 * @returns the storage key
 */
export async function putManifest(
  { app }: Kinora,
  { userId }: { userId: string },
  uuid: string,
  isRecorded: boolean,
): Promise<string> {
  const [row] = await app.sql<{ videoKey: string }[]>`
    select video_key from kinora.video where user_id = ${userId} and id = ${uuid}
  `
  const key = manifestKeyOf(row?.videoKey ?? assert.fail(`video ${uuid} has no film`))
  const dir = await mkdtemp(path.join(tmpdir(), 'kinora-manifest-'))
  const file = path.join(dir, 'manifest.c2pa')
  await writeFile(file, 'manifest')
  await app.storage.put(key, file, 'application/c2pa')
  await rm(dir, { recursive: true })
  if (isRecorded) {
    await app.sql`update kinora.video set manifest_key = ${key} where user_id = ${userId} and id = ${uuid}`
  }
  return key
}

/** Records the steps from PENDING to UPLOADING, and claims the video for the last one. */
async function recordResult(sql: Query, video: VideoAt): Promise<Step> {
  const taskId = `prepared-${video.videoId}`
  const claim = claimOf(video)
  const { providers } = await claimed(sql, claim)
  const dueAt = claim.leaseUntil
  assert.equal(await videoBeginSubmit(sql, { ...video, lease: claim.lease }), 'begun')
  assert.equal(await videoAccept(sql, { ...video, taskId, dueAt, deadlineAt: dueAt }), 'accepted')
  return await reportResult(sql, video, providers[0] ?? '', taskId)
}

/** Records the result of a GENERATING video, and claims it, in one transaction: no worker claims it between the two. */
async function reportResult(sql: Query, video: VideoAt, provider: string, taskId: string): Promise<Step> {
  const report = { ...video, provider, taskId, url: 'https://example.com/film' }
  assert.equal(await videoReportResult(sql, report), 'uploading')
  const claim = claimOf(video)
  return { video: await claimed(sql, claim), lease: claim.lease, signal: new AbortController().signal }
}

const claimOf = ({ userId, videoId, now }: VideoAt) => ({
  videos: [{ userId, id: videoId }],
  lease: randomUUID(),
  leaseUntil: new Date(now.getTime() + LEASE_MS),
  now,
})

async function claimed(sql: Query, claim: ReturnType<typeof claimOf>): Promise<ClaimedVideo> {
  const [video] = await videoClaim(sql, claim)
  return video ?? assert.fail(`video ${claim.videos[0]?.id} is not due`)
}

async function store(app: App, step: Step): Promise<void> {
  const { aspectRatio, quality, durationS } = step.video
  const size = filmSize(aspectRatio, quality) ?? assert.fail(`there is no ${quality} film in ${aspectRatio}`)
  const { film, thumbnail } = await preparedFilm(size, durationS)
  const dir = await mkdtemp(path.join(tmpdir(), 'kinora-prepared-'))
  const [file, thumbnailFile] = [path.join(dir, 'film'), path.join(dir, 'thumbnail.jpg')]
  await Promise.all([writeFile(file, film), writeFile(thumbnailFile, thumbnail)])
  const inspected: InspectedFilm = {
    ...size,
    durationS,
    sizeBytes: film.length,
    codec: 'avc',
    contentType: 'video/mp4',
    extension: 'mp4',
    thumbnail: { ...thumbnailSize(size), sizeBytes: thumbnail.length },
  }
  await storeAndComplete(app, step, { film: inspected, file, thumbnailFile, plan: null })
  await rm(dir, { recursive: true })
}

type Size = { width: number; height: number }

const preparedFilms = new Map<string, Promise<{ film: Buffer; thumbnail: Buffer }>>()

/** The film and its thumbnail, made once by this process. */
function preparedFilm(size: Size, durationS: number) {
  const key = JSON.stringify([size, durationS])
  const prepared = preparedFilms.get(key) ?? prepareFilm(size, durationS)
  preparedFilms.set(key, prepared)
  return prepared
}

async function prepareFilm({ width, height }: Size, durationS: number) {
  const film = await greyFilm(width, height, durationS, { framesPerSecond: FRAMES_PER_SECOND })
  return {
    film,
    thumbnail: await sharp(Buffer.from(landscape(thumbnailSize({ width, height }))))
      .jpeg()
      .toBuffer(),
  }
}

/** A sky over a horizon, so that a picture of a page shows where a film is cropped. */
const landscape = ({
  width,
  height,
}: Size): string => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
  <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#1d2b53"/><stop offset=".7" stop-color="#c86f4a"/><stop offset=".71" stop-color="#16323a"/><stop offset="1" stop-color="#0d1b20"/></linearGradient>
  <rect width="100%" height="100%" fill="url(#sky)"/><circle cx="${width * 0.7}" cy="${height * 0.6}" r="${Math.min(width, height) * 0.09}" fill="#f4c56a"/>
</svg>`

function thumbnailSize({ width, height }: Size): Size {
  const scale = THUMBNAIL_PIXELS / Math.max(width, height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
