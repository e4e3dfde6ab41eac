/**
 * The body of `generate` for the options of a call. What would silently change the film is refused; `fps`, and
 * `generateAudio` of a model without a choice, are warnings.
 */
import {
  type Experimental_VideoModelV4CallOptions,
  type Experimental_VideoModelV4File,
  InvalidArgumentError,
  type SharedV4Warning,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { type GenerateBody, type InputsBody, type Schemas, withModelValues } from '../../client/src/index.ts'
import type { Caller } from './caller.ts'

type Options = Experimental_VideoModelV4CallOptions & { webhookUrl?: string }
type Model = Schemas['Model']

/** @throws UnsupportedFunctionalityError, InvalidArgumentError, APICallError */
export async function requestOf(
  caller: Caller,
  modelId: string,
  options: Options,
): Promise<{ body: Body; warnings: SharedV4Warning[] }> {
  const { prompt, n, aspectRatio, resolution, duration, seed, generateAudio: audio, webhookUrl } = options
  if (n > 1) throw unsupported('n above 1')
  // Most calls name a duration and an aspect ratio, and need no more of the model.
  const needsModel = [duration, aspectRatio].includes(undefined) || resolution !== undefined || audio !== undefined
  const model = needsModel ? await modelOf(caller, modelId) : undefined
  const hasAudio = model !== undefined && Object.hasOwn(model.schema.properties ?? {}, 'audio')
  const { inputs = [], ...own } = ownOptionsOf(options.providerOptions)
  const media = await mediaOf(caller, options, inputs)
  const request = {
    // The SDK demands a prompt, also of a film that takes none.
    ...(!prompt && media.inputs ? {} : { prompt: prompt ?? '' }),
    model: modelId,
    ...(resolution === undefined || !model
      ? { ...(aspectRatio && { aspectRatio }) }
      : shapeOf(model, resolution, aspectRatio)),
    ...(duration === undefined ? {} : { duration }),
    ...media,
    ...(seed === undefined ? {} : { seed }),
    ...(audio !== undefined && hasAudio ? { audio } : {}),
    ...own,
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  }
  // generate says what is wrong with a model that the service does not have.
  const body = model ? withModelValues(model, request) : ({ duration: 0, ...request } as Body)
  const unused = { fps: options.fps, generateAudio: hasAudio ? undefined : audio }
  const warnings = Object.entries(unused).flatMap(([feature, value]) =>
    value === undefined ? [] : [{ type: 'unsupported' as const, feature }],
  )
  return { body, warnings }
}

type Body = GenerateBody | InputsBody
type Inputs = InputsBody['inputs']

/** What the model alone has, inputs by their roles, the mode and `metadata`, by `providerOptions.kinora`. */
function ownOptionsOf({ kinora = {} }: Options['providerOptions']): Pick<
  GenerateBody,
  'negativePrompt' | 'mode' | 'metadata' | 'options'
> & {
  inputs?: Inputs
} {
  const { negativePrompt, mode, inputs, metadata, ...given } = kinora
  const options: NonNullable<GenerateBody['options']> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue
    if (typeof value === 'object') {
      const message = `The option ${name} must be text, a number or a boolean.`
      throw new InvalidArgumentError({ argument: `providerOptions.kinora.${name}`, message })
    }
    options[name] = value
  }
  return {
    ...(typeof negativePrompt === 'string' ? { negativePrompt } : {}),
    ...(typeof mode === 'string' ? { mode } : {}),
    // The service says what is wrong with inputs, and with metadata, of another form.
    ...(inputs === undefined || inputs === null ? {} : { inputs: inputs as Inputs }),
    ...(metadata === undefined || metadata === null ? {} : { metadata: metadata as Record<string, string> }),
    ...(Object.keys(options).length > 0 ? { options } : {}),
  }
}

type Media = Pick<GenerateBody, 'startImageUrl' | 'endImageUrl'> & { inputs?: Inputs }

/** @param own inputs by their roles */
async function mediaOf(
  caller: Caller,
  { image, frameImages = [], inputReferences = [] }: Options,
  own: Inputs,
): Promise<Media> {
  const found: Media = {}
  const frames = [...(image ? [{ image, frameType: 'first_frame' as const }] : []), ...frameImages]
  for (const frame of frames) {
    const field = frame.frameType === 'last_frame' ? 'endImageUrl' : 'startImageUrl'
    found[field] ??= await linkOf(caller, frame.image)
  }
  const inputs: Inputs = []
  for (const each of inputReferences)
    inputs.push({ role: 'reference', url: await linkOf(caller, each), kind: kindOf(each) })
  inputs.push(...own)
  return inputs.length > 0 ? { ...found, inputs } : found
}

const KINDS = { video: 'film', audio: 'sound' } as const
/** Of links without a media type: what they end with. */
const ENDINGS = { film: /\.(mp4|mov|webm)$/i, sound: /\.(mp3|wav|m4a|ogg)$/i }

function kindOf(file: Experimental_VideoModelV4File): 'image' | 'film' | 'sound' {
  const [family = ''] = file.mediaType?.split('/') ?? []
  if (family !== '') return family === 'video' || family === 'audio' ? KINDS[family] : 'image'
  const path = file.type === 'url' ? (URL.canParse(file.url) ? new URL(file.url).pathname : '') : ''
  return ENDINGS.film.test(path) ? 'film' : ENDINGS.sound.test(path) ? 'sound' : 'image'
}

/** undefined for an id that the service does not have: `generate` says so. */
async function modelOf(caller: Caller, modelId: string): Promise<Model | undefined> {
  const { models } = await caller.call({}, ({ kinora, init }) => kinora.GET('/api/v1/config/models', init))
  return models.find(({ id }) => id === modelId)
}

function shapeOf(model: Model, size: string, aspectRatio: string | undefined) {
  const shapes = model.aspectRatios.flatMap((ratio) =>
    model.resolutions.map((quality) => ({ aspectRatio: ratio, quality, size: sizeOf(ratio, quality) })),
  )
  const shape = shapes.find((each) => each.size === size)
  if (!shape) {
    const sizes = shapes.map((each) => each.size).join(', ')
    throw new InvalidArgumentError({ argument: 'resolution', message: `${model.name} makes films of ${sizes}.` })
  }
  if (aspectRatio !== undefined && aspectRatio !== shape.aspectRatio) {
    const message = `The resolution ${size} does not have the aspectRatio ${aspectRatio}.`
    throw new InvalidArgumentError({ argument: 'resolution', message })
  }
  return { aspectRatio: shape.aspectRatio, quality: shape.quality }
}

/** `<width>x<height>` with even sides; the quality names the short one. */
function sizeOf(aspectRatio: string, quality: string): string {
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number)
  const short = quality === '4k' ? 2160 : Number.parseInt(quality, 10)
  const long = 2 * Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2)
  return across >= down ? `${long}x${short}` : `${short}x${long}`
}

/** A link as it is; a file is uploaded. The same file is the same asset, so a repeated start has the same body. */
async function linkOf(caller: Caller, file: Experimental_VideoModelV4File): Promise<string> {
  if (file.type === 'url') return file.url
  const bytes = typeof file.data === 'string' ? decodeBase64(file.data) : new Uint8Array(file.data)
  const { url } = await caller.call({ file: `${bytes.length} bytes` }, ({ kinora, init }) =>
    kinora.POST('/api/v1/asset', {
      ...init,
      headers: { ...withoutKey(init.headers), 'content-type': file.mediaType },
      body: bytes as never,
    }),
  )
  return url
}

/** The Idempotency-Key is the film's. */
const withoutKey = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'idempotency-key'))

const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

const unsupported = (functionality: string) =>
  new UnsupportedFunctionalityError({
    functionality,
    message: `Kinora does not support ${functionality}; leave it out.`,
  })
