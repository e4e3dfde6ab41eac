/** `kinora generate`, and what waits for a film: progress, download, and how to go on after Ctrl-C. */
import path from 'node:path'
import {
  type GenerateBody,
  type InputsBody,
  type Kinora,
  type Result,
  type Scalar,
  type Schemas,
  type UpscaleBody,
  type Video,
  withModelValues,
} from '@kinora/client'
import { numberOf, textOf, textsOf } from './arguments.ts'
import { connect } from './config.ts'
import { type Context, dataOf } from './context.ts'
import { checkTarget, download } from './download.ts'
import { CommandError, EXIT, usageError } from './exit.ts'
import { type Output, safeText, table } from './output.ts'
import { openProgress } from './progress.ts'
import { blobOf, uploadFile } from './upload.ts'

/** The most that the service takes. */
const SEED_MAX = 2 ** 31 - 1
const FILMS_MAX = 4
/** The options that a larger copy of a film does not have. */
const DECIDED_BY_THE_FILM = [
  'n',
  'duration',
  'aspect-ratio',
  'extend',
  'image',
  'end-image',
  'reference',
  'input',
  'mode',
]

export async function generate(context: Context): Promise<void> {
  const { values, output, signal } = context
  const kinora = connect()
  const file = textOf(values.output)
  if (file !== undefined && values['no-wait'])
    throw usageError('--no-wait does not wait for a film to write to --output.')
  const n = numberOf('n', values.n, FILMS_MAX) ?? 1
  if (n > 1 && file === '-') throw usageError('Standard output takes one film; name a file for --output.')
  if (file !== undefined) for (const each of filesOf(file, n)) checkTarget(each, values.force === true)
  const model = await modelOf(kinora, values.model, signal)
  const body = await bodyOf(kinora, model, context, n)
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

/** @throws CommandError that lists the models */
export async function modelOf(kinora: Kinora, name: Values[string], signal: AbortSignal): Promise<Schemas['Model']> {
  const { models } = dataOf(await kinora.GET('/api/v1/config/models', { signal }))
  const model = models.find(({ id }) => id === name)
  if (model) return model
  const known = models.filter(({ enabled }) => enabled).map(({ id }) => id)
  throw usageError(`${name ? `There is no model ${name}` : 'Name a --model'}; choose one of ${known.join(', ')}.`)
}

async function bodyOf(
  kinora: Kinora,
  model: Schemas['Model'],
  { values, operand, output, signal }: Context,
  n: number,
): Promise<GenerateBody | InputsBody | UpscaleBody> {
  const upscaleFrom = textOf(values.upscale)
  const common = withoutAbsent({
    quality: textOf(values.quality),
    seed: numberOf('seed', values.seed, SEED_MAX, 0),
    negativePrompt: textOf(values['negative-prompt']),
    audio: soundOf(values),
    options: optionsOf(model, textsOf(values.option)),
    metadata: metadataOf(textsOf(values.metadata)),
  })
  if (upscaleFrom !== undefined) {
    const option = DECIDED_BY_THE_FILM.find((name) => values[name] !== undefined)
    const stated = operand !== null ? 'the text' : option && `--${option}`
    if (stated) throw usageError(`The film of --upscale decides ${stated}; leave it out.`)
    return { model: model.id, upscaleFrom, ...common }
  }
  const inputs = await inputsOf(kinora, textsOf(values.input), { output, signal })
  return withModelValues(model, {
    ...(inputs && operand === null ? {} : { prompt: operand ?? '' }),
    model: model.id,
    ...(n === 1 ? {} : { n }),
    ...common,
    ...withoutAbsent({
      aspectRatio: textOf(values['aspect-ratio']),
      duration: numberOf('duration', values.duration, 3600),
      mode: textOf(values.mode),
      extendFrom: textOf(values.extend),
      ...(await imagesOf(kinora, values, signal)),
    }),
    ...(inputs && { inputs }),
  })
}

/** The files of several films: film-1.mp4, film-2.mp4, … */
function filesOf(file: string, n: number): string[] {
  if (n === 1) return [file]
  const { dir, name, ext } = path.parse(file)
  return Array.from({ length: n }, (_, i) => path.join(dir, `${name}-${i + 1}${ext}`))
}

/** Waits for the films of one request and prints them together. @throws the first's error, after the others */
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

function soundOf({ sound, 'no-sound': silent }: Values): boolean | undefined {
  if (sound && silent) throw usageError('Choose one of --sound and --no-sound.')
  return sound ? true : silent ? false : undefined
}

/** `name=value`, with the values as the model's schema has them. */
function optionsOf({ id, schema }: Schemas['Model'], stated: string[]): Record<string, Scalar> | undefined {
  const known = propertiesOf(propertiesOf(schema).options)
  const entries = stated.map((text): [string, Scalar] => {
    const [name, value] = pairOf('option', text)
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known)
      throw usageError(
        names.length > 0
          ? `The model ${id} has no option ${name}; choose one of ${names.join(', ')}.`
          : `The model ${id} has no options.`,
      )
    }
    return [name, scalarOf(value, (known[name] as { type?: string }).type)]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function metadataOf(stated: string[]): Record<string, string> | undefined {
  return stated.length > 0 ? Object.fromEntries(stated.map((text) => pairOf('metadata', text))) : undefined
}

/** @throws CommandError when the value of the option is no `name=value` */
function pairOf(option: string, text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw usageError(`--${option} ${text} is no <name>=<value>.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

const propertiesOf = (schema: unknown) =>
  (schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}

/** The service refuses what is not of the type, with a sentence of its own. */
function scalarOf(text: string, type: string | undefined): Scalar {
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return (type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text))
    ? Number(text)
    : text
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
export const withoutAbsent = <T extends object>(values: T): Present<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>

const fileTypes: Record<string, string> = {
  ...{ '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.webp': 'image/webp', '.avif': 'image/avif' },
  ...{ '.mp4': 'video/mp4', '.mov': 'video/quicktime', '.webm': 'video/webm' },
  ...{ '.mp3': 'audio/mpeg', '.wav': 'audio/wav', '.m4a': 'audio/mp4', '.ogg': 'audio/ogg' },
}
const typeOf = (file: string): string | undefined => fileTypes[path.extname(file).toLowerCase()]
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The inputs by their roles; files are uploaded, one after the other. */
async function inputsOf(
  kinora: Kinora,
  stated: string[],
  context: Pick<Context, 'output' | 'signal'>,
): Promise<Input[] | undefined> {
  const inputs: Input[] = []
  for (const text of stated) {
    const [, role, second, what = ''] = /^([a-z]+)(?:@(\d+(?:\.\d+)?))?=(.+)$/.exec(text) ?? []
    if (role === undefined) throw usageError(`--input ${text} is no <role>=<what>, such as sound=voice.mp3.`)
    const source = await sourceOf(kinora, role, what, context)
    inputs.push({ role, ...source, ...(second !== undefined && { at: Number(second) }) } as Input)
  }
  return inputs.length > 0 ? inputs : undefined
}
type Input = NonNullable<InputsBody['inputs']>[number]

async function sourceOf(
  kinora: Kinora,
  role: string,
  what: string,
  { output, signal }: Pick<Context, 'output' | 'signal'>,
): Promise<Partial<Input>> {
  if (what.startsWith('@')) return { asset: what }
  if (UUID.test(what)) return { video: what }
  if (/^https?:\/\//.test(what))
    return { url: what, ...(role === 'reference' && kindOf(URL.parse(what)?.pathname ?? '')) }
  const type = typeOf(what)
  if (!type) throw usageError(`${what} is no file that can be used: ${Object.keys(fileTypes).join(', ')}.`)
  // Of a film that is given for its sound that is kept alone.
  const kind = role === 'sound' ? { kind: 'sound' as const } : {}
  return { asset: (await uploadFile(kinora, what, { type, output, signal, ...kind })).id }
}

function kindOf(file: string): Partial<Input> {
  const [family] = (typeOf(file) ?? '').split('/')
  return family === 'video' ? { kind: 'film' } : family === 'audio' ? { kind: 'sound' } : {}
}

/** The links of the pictures; those that are files are uploaded, one after the other. */
async function imagesOf(kinora: Kinora, values: Values, signal: AbortSignal) {
  const linkOf = async (image: string | undefined) => image && (await linkOfImage(kinora, image, signal))
  const startImageUrl = await linkOf(textOf(values.image))
  const endImageUrl = await linkOf(textOf(values['end-image']))
  const references: string[] = []
  for (const image of textsOf(values.reference)) references.push(await linkOfImage(kinora, image, signal))
  return { startImageUrl, endImageUrl, referenceImageUrls: references.length > 0 ? references : undefined }
}

async function linkOfImage(kinora: Kinora, image: string, signal: AbortSignal): Promise<string> {
  if (/^https?:\/\//.test(image)) return image
  const type = typeOf(image)
  if (!type?.startsWith('image/'))
    throw usageError(`${image} is not a picture that can be used: PNG, JPEG, WebP or AVIF.`)
  const body = await blobOf(image, type)
  return dataOf(await kinora.POST('/api/v1/video/image', { body: body as never, signal })).url
}

type Values = Context['values']
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
    output.result(
      { ...video, file, size },
      `${video.uuid} ${file} ${size} bytes, ${video.creditsUsed} ${video.creditsUsed === 1 ? 'credit' : 'credits'}`,
    )
}

export const describe = (video: Video): string =>
  table([
    ['id', video.uuid],
    ['status', video.status],
    ...(video.prompt ? [['prompt', safeText(video.prompt)]] : []),
    ['model', video.model],
    ['mode', video.mode],
    ['length', `${video.duration} s`],
    ['size', `${video.aspectRatio}, ${video.resolution}`],
    ...(video.seed === null ? [] : [['seed', String(video.seed)]]),
    ['credits', String(video.creditsUsed)],
    ['made', String(video.createdAt)],
    ...Object.entries(video.metadata ?? {}).map(([name, value]) => ['metadata', safeText(`${name}=${value}`)]),
    ...(video.failure ? [['error', `${safeText(video.failure.message)} (${video.failure.code})`]] : []),
    ...(video.videoUrl ? [['film', video.videoUrl]] : []),
  ])
