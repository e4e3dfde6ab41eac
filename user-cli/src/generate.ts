/** `kinora generate`, and what waits for a film: progress, download, and how to go on after Ctrl-C. */
import { openAsBlob } from 'node:fs'
import path from 'node:path'
import { type Kinora, type Result, shortestDuration, type Video } from '@kinora/client'
import { numberOf, textOf } from './arguments.ts'
import { connect } from './config.ts'
import { type Context, dataOf } from './context.ts'
import { checkTarget, download } from './download.ts'
import { CommandError, EXIT, usageError } from './exit.ts'
import { DEFAULT_ASPECT_RATIO } from './help.ts'
import { type Output, safeText, table } from './output.ts'
import { openProgress } from './progress.ts'

/** The most that the service takes. */
const SEED_MAX = 2 ** 31 - 1
const FILMS_MAX = 4

export async function generate({ values, operand, output, signal }: Context): Promise<void> {
  const kinora = connect()
  const file = textOf(values.output)
  if (file !== undefined && values['no-wait'])
    throw usageError('--no-wait does not wait for a film to write to --output.')
  const n = numberOf('n', values.n, FILMS_MAX) ?? 1
  if (n > 1 && file === '-') throw usageError('Standard output takes one film; name a file for --output.')
  if (file !== undefined) for (const each of filesOf(file, n)) checkTarget(each, values.force === true)
  const { models } = dataOf(await kinora.GET('/api/v1/config/models', { signal }))
  const model = models.find(({ id }) => id === values.model)
  if (!model) {
    const known = models.filter(({ enabled }) => enabled).map(({ id }) => id)
    throw usageError(
      `${values.model ? `There is no model ${values.model}` : 'Name a --model'}; choose one of ${known.join(', ')}.`,
    )
  }
  const quality = textOf(values.quality)
  const seed = numberOf('seed', values.seed, SEED_MAX, 0)
  const extendFrom = textOf(values.extend)
  const startImageUrl = await startImageOf(kinora, textOf(values.image), signal)
  const request = {
    prompt: operand ?? '',
    model: model.id,
    ...ratioOf(model, textOf(values['aspect-ratio'])),
    ...(quality === undefined ? {} : { quality }),
    ...(seed === undefined ? {} : { seed }),
    ...(startImageUrl === undefined ? {} : { startImageUrl }),
    ...(extendFrom === undefined ? {} : { extendFrom }),
    ...(n === 1 ? {} : { n }),
  }
  const duration = numberOf('duration', values.duration, 3600) ?? shortestDuration(model, request)
  const body = { ...request, duration }
  const idempotencyKey = textOf(values['idempotency-key']) ?? crypto.randomUUID()
  const make = async () => {
    const header = { 'idempotency-key': idempotencyKey }
    return dataOf(await kinora.POST('/api/v1/video/generate', { body, params: { header }, signal }))
  }
  if (values['no-wait']) {
    const made = await make()
    output.result(made, (made.videos ?? [made]).map(({ uuid }) => uuid).join('\n'))
    return
  }
  const repeat = `the same command with --idempotency-key ${idempotencyKey}`
  if (n > 1) {
    const { videos = [] } = await make()
    await finishAll({ output, signal, file, uuids: videos.map(({ uuid }) => uuid), repeat }, kinora)
    return
  }
  await finish({ output, signal, file, uuid: null, repeat }, (options) =>
    kinora.generateAndWait(body, { ...options, idempotencyKey }),
  )
}

/** The files of several films: film-1.mp4, film-2.mp4, … */
function filesOf(file: string, n: number): string[] {
  if (n === 1) return [file]
  const { dir, name, ext } = path.parse(file)
  return Array.from({ length: n }, (_, i) => path.join(dir, `${name}-${i + 1}${ext}`))
}

/** Waits for the films of one request and prints them together. @throws the error of the first that failed, after the others are there */
async function finishAll(
  { uuids, file, output, ...wait }: Omit<Wait, 'uuid'> & { uuids: string[] },
  kinora: Kinora,
): Promise<void> {
  const files = file === undefined ? [] : filesOf(file, uuids.length)
  const results: { value: unknown; text: string }[] = []
  const collected: Output = { ...output, result: (value, text) => results.push({ value, text }) }
  const errors: unknown[] = []
  for (const [i, uuid] of uuids.entries()) {
    try {
      await finish({ ...wait, output: collected, file: files[i], uuid }, (options) => kinora.wait(uuid, options))
    } catch (error) {
      if (wait.signal.aborted) throw error
      errors.push(error)
    }
  }
  if (results.length > 0) {
    output.result(
      results.map(({ value }) => value),
      results.map(({ text }) => text).join(file === undefined ? '\n\n' : '\n'),
    )
  }
  if (errors.length > 0) throw errors[0]
}

/** None for a model whose films have the shape of their images alone. */
function ratioOf({ aspectRatios }: { aspectRatios: string[] }, stated: string | undefined): { aspectRatio?: string } {
  const aspectRatio = stated ?? aspectRatios.find((each) => each === DEFAULT_ASPECT_RATIO) ?? aspectRatios[0]
  return aspectRatio === undefined ? {} : { aspectRatio }
}

const imageTypes: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
}

async function startImageOf(
  kinora: Kinora,
  image: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (image === undefined || /^https?:\/\//.test(image)) return image
  const type = imageTypes[path.extname(image).toLowerCase()]
  if (!type) throw usageError(`${image} is not a picture that can be used: PNG, JPEG or WebP.`)
  const body = await openAsBlob(image, { type }).catch(() => {
    throw usageError(`The picture ${image} cannot be read.`)
  })
  return dataOf(await kinora.POST('/api/v1/video/image', { body: body as never, signal })).url
}

type Wait = { output: Output; signal: AbortSignal; file: string | undefined; uuid: string | null; repeat: string }
type WaitFor = (options: {
  signal: AbortSignal
  onProgress: (task: Parameters<ReturnType<typeof openProgress>['show']>[0]) => void
}) => Promise<Result<Video>>

/** Waits for a film, shows its progress, and downloads it. When it is interrupted, it says how to go on. */
export async function finish({ output, signal, file, uuid: known, repeat }: Wait, waitFor: WaitFor): Promise<void> {
  const progress = openProgress(output)
  let uuid = known
  try {
    const waited = await waitFor({
      signal,
      onProgress: (task) => {
        uuid = task.uuid
        progress.show(task)
      },
    })
    progress.end()
    await showFilm(output, dataOf(waited), file, signal)
  } catch (error) {
    progress.end()
    if (!signal.aborted) throw error
    const target = file === undefined ? '--wait' : `--output ${file}`
    const next =
      uuid === null
        ? `The request may have arrived; go on with ${repeat}`
        : `The film goes on; go on with: kinora get ${uuid} ${target}`
    process.stderr.write(
      output.isJson
        ? `${JSON.stringify({ error: { code: 'INTERRUPTED', message: next, details: { uuid } } })}\n`
        : `${next}\n`,
    )
    throw error
  }
}

export async function showFilm(
  output: Output,
  video: Video,
  file: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (file === undefined) {
    output.result(video, describe(video))
    return
  }
  if (!video.videoUrl) throw new CommandError(EXIT.failed, 'NO_FILM', 'The film is not stored any more.')
  const size = await download(video.videoUrl, file, signal)
  if (file !== '-')
    output.result({ ...video, file, size }, `${video.uuid} ${file} ${size} bytes, ${video.creditsUsed} credits`)
}

export const describe = (video: Video): string =>
  table([
    ['id', video.uuid],
    ['status', video.status],
    ['prompt', safeText(video.prompt)],
    ['model', video.model],
    ['length', `${video.duration} s`],
    ['size', `${video.aspectRatio}, ${video.resolution}`],
    ...(video.seed === null ? [] : [['seed', String(video.seed)]]),
    ['credits', String(video.creditsUsed)],
    ['made', String(video.createdAt)],
    ...(video.failure ? [['error', `${safeText(video.failure.message)} (${video.failure.code})`]] : []),
    ...(video.videoUrl ? [['film', video.videoUrl]] : []),
  ])
