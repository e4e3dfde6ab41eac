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
import { type GenerateBody, type Schemas, shortestDuration } from '../../client/src/index.ts'
import type { Caller } from './caller.ts'

type Options = Experimental_VideoModelV4CallOptions & { webhookUrl?: string }
type Model = Schemas['Model']

/** The aspect ratio of a call that names neither one nor a resolution. */
const DEFAULT_ASPECT_RATIO = '16:9'

/** @throws UnsupportedFunctionalityError, InvalidArgumentError, APICallError */
export async function requestOf(
  caller: Caller,
  modelId: string,
  options: Options,
): Promise<{ body: GenerateBody; warnings: SharedV4Warning[] }> {
  const { prompt = '', n, aspectRatio, resolution, duration, seed, generateAudio: audio, webhookUrl } = options
  if (n > 1) throw unsupported('n above 1')
  // Most calls name a duration and an aspect ratio, and need no more of the model.
  const needsModel = [duration, aspectRatio].includes(undefined) || resolution !== undefined || audio !== undefined
  const model = needsModel ? await modelOf(caller, modelId) : undefined
  const hasAudio = model !== undefined && Object.hasOwn(model.schema.properties ?? {}, 'audio')
  const request = {
    prompt,
    model: modelId,
    ...(resolution === undefined || !model ? ratioOf(model, aspectRatio) : shapeOf(model, resolution, aspectRatio)),
    ...(await imagesOf(caller, options)),
    ...(seed === undefined ? {} : { seed }),
    ...(audio !== undefined && hasAudio ? { audio } : {}),
    ...ownOptionsOf(options.providerOptions),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  }
  const body = { ...request, duration: duration ?? (model ? shortestDuration(model, request) : 0) }
  const unused = { fps: options.fps, generateAudio: hasAudio ? undefined : audio }
  const warnings = Object.entries(unused).flatMap(([feature, value]) =>
    value === undefined ? [] : [{ type: 'unsupported' as const, feature }],
  )
  return { body, warnings }
}

/** What the model alone has, and `metadata`, by `providerOptions.kinora`. */
function ownOptionsOf({
  kinora = {},
}: Options['providerOptions']): Pick<GenerateBody, 'negativePrompt' | 'metadata' | 'options'> {
  const { negativePrompt, metadata, ...given } = kinora
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
    // The service says what is wrong with one that is no object of texts.
    ...(metadata === undefined || metadata === null ? {} : { metadata: metadata as Record<string, string> }),
    ...(Object.keys(options).length > 0 ? { options } : {}),
  }
}

/** None for a model whose films have the shape of their images alone. */
function ratioOf(model: Model | undefined, stated: string | undefined): { aspectRatio?: string } {
  const ratios = model?.aspectRatios ?? [DEFAULT_ASPECT_RATIO]
  const aspectRatio = stated ?? (ratios.includes(DEFAULT_ASPECT_RATIO) ? DEFAULT_ASPECT_RATIO : ratios[0])
  return aspectRatio === undefined ? {} : { aspectRatio }
}

type Images = Pick<GenerateBody, 'startImageUrl' | 'endImageUrl' | 'referenceImageUrls'>

async function imagesOf(caller: Caller, { image, frameImages = [], inputReferences = [] }: Options): Promise<Images> {
  const found: Images = {}
  const frames = [...(image ? [{ image, frameType: 'first_frame' as const }] : []), ...frameImages]
  for (const frame of frames) {
    const field = frame.frameType === 'last_frame' ? 'endImageUrl' : 'startImageUrl'
    found[field] ??= await linkOf(caller, frame.image)
  }
  const links: string[] = []
  for (const each of inputReferences) links.push(await linkOf(caller, each))
  return links.length > 0 ? { ...found, referenceImageUrls: links } : found
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

/** A link as it is; a file is uploaded. The same file is the same image, so a repeated start has the same body. */
async function linkOf(caller: Caller, image: Experimental_VideoModelV4File): Promise<string> {
  if (image.type === 'url') return image.url
  const bytes = typeof image.data === 'string' ? decodeBase64(image.data) : new Uint8Array(image.data)
  const { url } = await caller.call({ image: `${bytes.length} bytes` }, ({ kinora, init }) =>
    kinora.POST('/api/v1/video/image', {
      ...init,
      headers: { ...init.headers, 'content-type': image.mediaType },
      body: bytes,
    }),
  )
  return url
}

const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

const unsupported = (functionality: string) =>
  new UnsupportedFunctionalityError({
    functionality,
    message: `Kinora does not support ${functionality}; leave it out.`,
  })
