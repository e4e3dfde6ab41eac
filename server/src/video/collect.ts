/**
 * UPLOADING: downloads the film from the provider, checks that it is one, stores it with its thumbnail, and completes
 * the video. All of it runs outside any transaction and under a lease, so a worker may crash anywhere: the next one
 * starts from the beginning, and only the last call moves credits. The keys in storage contain the lease, so a worker
 * that has lost it never overwrites the film of another.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '../app.ts'
import { shortSideOf } from '../catalogue/film-size.ts'
import { unitUsdOf } from '../catalogue/price.ts'
import type { Failure, FailureCode } from '../film/failure.ts'
import { CUT } from '../film/mode.ts'
import { isTestOwner } from '../id.ts'
import { cutFilmLimits } from '../media/cut/cut.ts'
import { type InspectedFilm, inspectFilm } from '../media/film/inspect.ts'
import { filmRefusalCodes, MediaRefused } from '../media/refusal.ts'
import { FetchError } from '../net/fetch-error.ts'
import type { OpenedResult } from '../provider/provider.ts'
import { contentTypeOf } from '../storage/key.ts'
import { temporaryDir } from '../storage/temporary-files.ts'
import { entryOf } from '../text/json-reader.ts'
import { inSpan } from '../tracing/tracing.ts'
import { logDifferingCost } from './differing-cost.ts'
import { filmKeys, removeStoredFiles, STORE_WINDOW_MS } from './film-files.ts'
import { bindingOf, planSigning, type SigningPlan, signBeforeStorage } from './film-provenance.ts'
import { handleOf } from './handle.ts'
import { defer, fail, idsOf, leased, renewLease, returnLease, type Step } from './outcome.ts'
import { noteSuccess } from './route-health.ts'
import { openTaskResult, readTaskCost } from './step-trace.ts'
import { videoBeginStore, videoComplete, videoSwitchLink } from './transitions.ts'

/** kinora.longest_deadline() rests on this, and on COLLECT_WINDOW_MS. */
export const FETCH_TIMEOUT_MS = 15 * 60_000
const FETCH_IDLE_TIMEOUT_MS = 30_000
/** Many object stores send a generic content type or none; inspectFilm decides by the bytes what it is. */
const FILM_TYPES = { accept: ['video/*', 'application/octet-stream', '*/*;q=0.1'], refuse: ['image/*'] }
/** How long a result that cannot be downloaded or stored is retried. */
export const COLLECT_WINDOW_MS = 3600_000
/** The same for a result that is not whole, as behind a link reported before its file is written. */
const NOT_WHOLE_WINDOW_MS = 5 * 60_000
const BACKOFF_S = [2, 5, 15, 30, 60, 120, 300, 600]

/** @param save saves the film into a new file; by default that of the provider. @throws as saveResult */
export async function collect(app: App, step: Step, save = saveFilm): Promise<void> {
  const { video, lease } = step
  app.crashPoint('collect.claimed')
  const dir = path.join(temporaryDir(app.config.dataDir), `${video.id}-${lease}`)
  const file = path.join(dir, 'film')
  const thumbnailFile = path.join(dir, 'thumbnail.jpg')
  try {
    await mkdir(dir, { recursive: true, mode: 0o750 })
    await save(app, step, file)
    app.crashPoint('collect.fetched')
    const plan = await planSigning(app, { ...video, madeAt: app.now() })
    const binding = await bindingOf(plan, file)
    const film = await inSpan(step.span, 'film.inspect', {}, () =>
      inspectFilm(file, {
        ...{ userId: video.userId, thumbnailFile, binding, signal: step.signal },
        ...(video.model === CUT && { limits: cutFilmLimits }),
      }),
    )
    app.crashPoint('collect.inspected')
    checkOrder(app, video, film)
    await storeAndComplete(app, step, { film, file, thumbnailFile, plan })
  } catch (error) {
    await failOrDefer(app, step, error)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function saveFilm(app: App, step: Step, file: string): Promise<void> {
  const result = await openResult(app, step)
  await inSpan(step.span, 'film.fetch', { kind: 'client' }, async (span) => {
    const sizeBytes = await saveResult(app, step, result, file)
    span?.set({ 'kinora.film.bytes': sizeBytes })
  })
}

/** A film that never comes. Its message may be shown to the user. */
class ResultGone extends Error {
  readonly code: Failure['code']
  constructor({ code, message }: Failure) {
    super(message)
    this.code = code
  }
}

/** What to fetch. `allow`: see FetchLimits. */
type Result = Exclude<OpenedResult, { kind: 'gone' }> & { allow?: string | undefined }

/**
 * The provider is asked where the film is, each time, because a link may be short-lived. The origin of the account's
 * own URL is the operator's setting, so that it may be private.
 * @throws ResultGone; FetchError UNREACHABLE when the provider does not answer
 */
async function openResult(app: App, step: Step): Promise<Result> {
  const { video } = step
  const id = video.providers[video.providerIndex - 1] ?? ''
  const provider = await app.providers.open(id)
  const result = video.resultUrl ?? ''
  const handle = handleOf(app, video)
  if (!provider) {
    if (/^https?:/.test(result)) return { kind: 'link', url: result }
    throw new FetchError('UNREACHABLE', 'The provider of the film has no settings any more.')
  }
  const opened: OpenedResult | null =
    provider.openResult && handle
      ? await openTaskResult(step, id, provider.openResult, handle, result)
      : { kind: 'link', url: result }
  if (opened === null)
    throw new FetchError('UNREACHABLE', 'The provider did not answer when it was asked for the film.')
  if (opened.kind === 'gone') throw new ResultGone(opened.failure)
  if (opened.kind === 'bytes') return opened
  const [own, link] = [URL.parse(provider.url), URL.parse(opened.url)]
  const headers = { ...entryOf(provider.resultHeaders, link?.origin ?? null), ...opened.headers }
  const port = own?.port || (own?.protocol === 'https:' ? '443' : '80')
  return { ...opened, headers, allow: own && link?.origin === own.origin ? `${own.hostname}:${port}` : undefined }
}

/** @returns the film's size in bytes. @throws FetchError */
async function saveResult({ config, fetch }: App, { signal }: Step, result: Result, file: string): Promise<number> {
  const maxBytes = config.filmBytesMax
  if (result.kind === 'bytes') {
    const { length } = result.bytes
    if (length === 0) throw new FetchError('NOT_READY', 'The provider sent no bytes.')
    if (length > maxBytes) throw new FetchError('TOO_LARGE', `The film is larger than ${maxBytes} bytes.`)
    await writeFile(file, result.bytes, { mode: 0o600 })
    return length
  }
  const { url, headers = {}, allow } = result
  const limits = { maxBytes, timeoutMs: FETCH_TIMEOUT_MS, idleTimeoutMs: FETCH_IDLE_TIMEOUT_MS, ...FILM_TYPES }
  return (await fetch.toFile(url, file, { ...limits, signal, headers, allow })).sizeBytes
}

/**
 * Of a film whose price follows what is made, no seconds were ordered.
 * @throws MediaRefused NOT_AS_ORDERED for a film below the settings' shares of the ordered seconds or pixels
 */
function checkOrder({ config }: App, video: Step['video'], film: InspectedFilm): void {
  const { userId, durationS, quality, secondRate } = video
  // The films of test keys are the same for all requests.
  if (isTestOwner(userId)) return
  const refuse = (came: string, ordered: string) => {
    throw new MediaRefused('NOT_AS_ORDERED', `It has ${came} where ${ordered} were ordered.`)
  }
  const seconds = Math.floor(film.durationS * 100) / 100
  // Half a frame: films are some milliseconds shorter or longer than their frames.
  if (secondRate === null && film.durationS + 0.02 < durationS * config.filmShareMin.duration)
    refuse(`${seconds} s`, `${durationS} s`)
  const shortSide = Math.min(film.width, film.height)
  if (shortSide < shortSideOf(quality) * config.filmShareMin.size) {
    refuse(`${film.width}×${film.height} pixels`, `${shortSideOf(quality)} on the short side`)
  }
}

/** Signs an inspected film and its thumbnail, stores both, and settles the credits. Unused files are removed. */
export async function storeAndComplete(
  app: App,
  step: Step,
  {
    film,
    file,
    thumbnailFile,
    plan,
  }: { film: InspectedFilm; file: string; thumbnailFile: string; plan: SigningPlan | null },
): Promise<void> {
  const signing = { film, file, thumbnailFile, keys: filmKeys(step, film.extension) }
  const { keys, provenance, sizeBytes, ...files } = await signBeforeStorage(app, step, plan, signing)
  app.crashPoint('collect.signed')
  const recorded = { userId: step.video.userId, videoId: step.video.id, leaseId: step.lease, ...keys }
  step.signal.throwIfAborted()
  const dueAt = new Date(app.now().getTime() + STORE_WINDOW_MS)
  if ((await videoBeginStore(app.calls, { ...leased(app, step), ...keys, dueAt })) === 'stale') return
  app.crashPoint('collect.recorded')
  try {
    await inSpan(step.span, 'film.store', { kind: 'client' }, async () => {
      if (keys.manifestKey && files.manifestFile) {
        await app.storage.put(keys.manifestKey, files.manifestFile, contentTypeOf(keys.manifestKey))
      }
      await app.storage.put(keys.videoKey, files.file, film.contentType)
      app.crashPoint('collect.film-stored')
      await app.storage.put(keys.thumbnailKey, thumbnailFile, 'image/jpeg')
      app.crashPoint('collect.thumbnail-stored')
    })
  } catch (error) {
    await removeStoredFiles(app, recorded)
    throw error
  }
  const { durationS, width, height } = film
  const cost = await costOf(app, step)
  const graceS = app.config.refundGraceS
  const stored = { ...keys, provenance, sizeBytes, durationS, width, height, cost, graceS }
  // When this call fails, the video may have been completed all the same: the files are left to the sweep, which reads
  // the row.
  const outcome = await inSpan(step.span, 'video.settle', {}, () =>
    videoComplete(app.calls, { ...leased(app, step), ...stored }),
  )
  if (outcome === 'stale') await removeStoredFiles(app, recorded)
  else {
    const { providers, providerIndex, model } = step.video
    logDifferingCost(app, step.video, cost?.unitUsd ? Number(cost.amount) * cost.unitUsd : undefined)
    noteSuccess(app, { account: providers[providerIndex - 1] ?? '', model })
  }
  app.crashPoint('collect.settled')
}

/** The final cost of a film whose callback came without it. Nothing rests on it: an error means unknown. */
async function costOf(app: App, step: Step) {
  const { video } = step
  const id = video.providers[video.providerIndex - 1] ?? ''
  const handle = handleOf(app, video)
  const readCost = (await app.providers.open(id))?.readCost
  if (!readCost || !handle || video.costs[0] != null) return undefined
  const cost = await readTaskCost(step, id, readCost, handle).catch(() => undefined)
  return cost && { ...cost, unitUsd: unitUsdOf(app.config.providers[id], cost.unit) }
}

/**
 * When the link cannot be used and the provider has reported another one, that is tried next. Otherwise an unusable
 * film fails at once, one that is not whole is retried with backoff for some minutes, and any other error, those of
 * this service included, for an hour.
 */
async function failOrDefer(app: App, step: Step, error: unknown): Promise<void> {
  const { video } = step
  const now = app.now()
  if (step.signal.aborted) {
    app.log.info(idsOf(app, video), 'collecting was interrupted; the next worker starts it again')
    return returnLease(app, step)
  }
  const isLinkAtFault = error instanceof MediaRefused || error instanceof FetchError || error instanceof ResultGone
  const reason = error instanceof Error ? error.message : String(error)
  const pauseS = BACKOFF_S[Math.min(video.attempt, BACKOFF_S.length - 1)] ?? 600
  const resultAtMs = (video.resultAt ?? now).getTime()
  const isNotWhole = isLinkAtFault && ['NOT_READY', 'TRUNCATED'].includes(error.code)
  const isUnusable = isLinkAtFault && !isNotWhole && !(error instanceof FetchError && error.retryable)
  const endsAtMs = resultAtMs + (isNotWhole ? NOT_WHOLE_WINDOW_MS : COLLECT_WINDOW_MS)
  const isOver = now.getTime() >= endsAtMs
  const againAtMs = now.getTime() + pauseS * 1000
  const dueAt = new Date(isOver ? againAtMs : Math.min(againAtMs, endsAtMs))

  // The hour is a limit here too: a provider that reports a new link every time must not keep the video unfinished.
  if (video.model !== CUT && isLinkAtFault && now.getTime() < resultAtMs + COLLECT_WINDOW_MS) {
    const link = { ...leased(app, step), isRetryable: !isUnusable, dueAt, reason }
    if ((await videoSwitchLink(app.calls, link)) !== 'no_other') return
  }
  if (isUnusable || isOver) {
    // Another worker may, without the lease, have stored the film, and it may have been paid for.
    if (!(await renewLease(app, step))) return
    const why = isLinkAtFault ? error.message : 'The film could not be stored.'
    const what = video.model === CUT ? 'The cut could not be made' : "The provider's film could not be used"
    const message = error instanceof ResultGone ? why : `${what}: ${why}`
    const code = isLinkAtFault ? failureCodeOf(error) : 'NOT_STORED'
    return fail(app, step, { code, message }, isLinkAtFault ? error.code : undefined)
  }
  if (isLinkAtFault) {
    app.log.warn({ ...idsOf(app, video), code: error.code, reason, pauseS }, 'the film cannot be downloaded yet')
  } else {
    app.log.error({ ...idsOf(app, video), err: error, pauseS }, 'the film could not be checked or stored; trying again')
  }
  await defer(app, step, dueAt, 'not collected yet', reason)
}

function failureCodeOf(error: MediaRefused | FetchError | ResultGone): FailureCode {
  if (error instanceof ResultGone) return error.code
  const { code } = error
  if (code === 'NOT_AS_ORDERED') return code
  return FILM_ARRIVED.has(code) ? 'FILM_UNUSABLE' : 'FILM_UNREACHABLE'
}
const FILM_ARRIVED = new Set<string>([...filmRefusalCodes, 'TOO_LARGE', 'TYPE_REFUSED', 'INCOMPLETE'])
