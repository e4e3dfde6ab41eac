/**
 * Models with every mode, which provider-a makes: its simulator keeps the role of each input. And a request of each
 * mode, for the tests that drive it through one interface each.
 */
import type { ModelEntry } from '../../src/catalogue/model-file.ts'
import { addModel } from './changed-models.ts'
import { completedVideo } from './completed-video.ts'
import type { Kinora, Person } from './harness.ts'
import { plain } from './images.ts'
import { sound } from './sounds.ts'
import { readRow } from './video-row.ts'

export const STAGE = 'stage'
export const STAGE_UPSCALER = 'stage-upscaler'

/** The modes whose length follows an input: the vendor is told none. */
const FOLLOWING = ['edit', 'motion', 'lip-sync', 'avatar', 'upscale']
export const stageModes = {
  'text-to-video': { duration: [4, 5], quality: ['720p'], aspectRatio: ['16:9'] },
  'image-to-video': {},
  'first-last': {},
  reference: {
    inputs: {
      reference: { from: 1, to: 4, image: { to: 2 }, film: { to: 2, seconds: { from: 2, to: 10 } }, sound: { to: 1 } },
    },
  },
  extend: { aspectRatio: 'follows the image' },
  edit: {
    inputs: { film: { seconds: { from: 2, to: 10 } }, reference: { from: 0, to: 2 } },
    duration: { follows: 'film', from: 2, to: 10 },
    aspectRatio: 'follows the image',
  },
  motion: { prompt: 'optional', duration: { follows: 'motion', from: 2, to: 10 }, aspectRatio: 'follows the image' },
  'lip-sync': { prompt: 'none', duration: { follows: 'sound', from: 1, to: 10 }, aspectRatio: 'follows the image' },
  avatar: { prompt: 'optional', duration: { follows: 'sound', from: 1, to: 10 }, aspectRatio: 'follows the image' },
  keyframes: { inputs: { keyframe: { from: 2, to: 3 } } },
  dance: { inputs: { start: {}, sound: {} } },
} satisfies ModelEntry['modes']
const INPUTS = [
  ...['start', 'end', 'film', 'motion', 'sound', 'portrait'].map(
    (role) => `${role} ? { 'role': '${role}', 'url': ${role} }`,
  ),
  `keyframes.{ 'role': 'keyframe', 'url': url }`,
  ...Object.entries({ Images: 'image', Films: 'film', Sounds: 'sound' }).map(
    ([name, kind]) => `reference${name}.{ 'role': 'reference', 'kind': '${kind}', 'url': $ }`,
  ),
]
export const stageRoutes: ModelEntry['routes'] = [
  {
    account: 'provider-a',
    input: {
      prompt: 'prompt',
      quality: 'quality',
      aspect_ratio: 'aspectRatio',
      duration: `mode in ${JSON.stringify(FOLLOWING)} ? null : duration`,
      inputs: `[${INPUTS.join(', ')}]`,
    },
  },
]

export function addStage(): void {
  const price = { per: 'second', credits: 2 } as const
  addModel(STAGE, { name: 'Stage', modes: stageModes, price, routes: stageRoutes, options: {} })
  const upscale = {
    prompt: 'none',
    duration: { follows: 'film', from: 1, to: 10 },
    quality: ['1080p'],
    aspectRatio: 'follows the image',
  } satisfies ModelEntry['modes'][string]
  addModel(STAGE_UPSCALER, { name: 'Upscaler', modes: { upscale }, price, routes: stageRoutes, options: {} })
}

type Given = { role: string; asset?: string; video?: string; at?: number }
export type StageRequest = {
  mode: string
  model: string
  prompt?: string
  duration?: number
  aspectRatio?: string
  inputs: Given[]
}
export type Sources = {
  picture: string
  sound: string
  film: string
  links: Record<'picture' | 'sound' | 'film', string>
}

/** A picture and a sound of 3 s that the user has uploaded, and a film of 4 s that was made. */
export async function stageSources(kinora: Kinora, as: Person): Promise<Sources> {
  const upload = async (bytes: Buffer) => {
    const response = await fetch(`${kinora.url}/api/v1/asset`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    })
    return ((await response.json()) as { data: { id: string; url: string } }).data
  }
  const picture = await upload(await plain(320, 180))
  const voice = await upload(await sound('pcm-s16', 3))
  const film = await completedVideo(kinora, as)
  const { data } = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${film}`, { as })
  const links = { picture: picture.url, sound: voice.url, film: data.videoUrl }
  return { picture: picture.id, sound: voice.id, film, links }
}

export function stageRequests({ picture, sound: voice, film }: Omit<Sources, 'links'>): StageRequest[] {
  const [ofPicture, ofSound, ofFilm] = [{ asset: picture }, { asset: voice }, { video: film }]
  const prompt = 'A stage'
  const whole = { model: STAGE, prompt }
  const sized = { duration: 4, aspectRatio: '16:9' }
  return [
    { ...whole, mode: 'edit', inputs: [{ role: 'film', ...ofFilm }] },
    { ...whole, mode: 'extend', duration: 4, inputs: [{ role: 'film', ...ofFilm }] },
    {
      ...whole,
      mode: 'motion',
      inputs: [
        { role: 'start', ...ofPicture },
        { role: 'motion', ...ofFilm },
      ],
    },
    {
      model: STAGE,
      mode: 'lip-sync',
      inputs: [
        { role: 'film', ...ofFilm },
        { role: 'sound', ...ofSound },
      ],
    },
    {
      model: STAGE,
      mode: 'avatar',
      inputs: [
        { role: 'portrait', ...ofPicture },
        { role: 'sound', ...ofSound },
      ],
    },
    {
      ...{ ...whole, ...sized, mode: 'keyframes' },
      inputs: [0, 4].map((at) => ({ role: 'keyframe', ...ofPicture, at })),
    },
    {
      ...{ ...whole, ...sized, mode: 'reference' },
      inputs: [ofPicture, ofFilm, ofSound].map((source) => ({ role: 'reference', ...source })),
    },
    { model: STAGE_UPSCALER, mode: 'upscale', inputs: [{ role: 'film', ...ofFilm }] },
  ]
}

/** The mode of a video, and the roles of its inputs. */
export async function askedOf({ app }: Kinora, uuid: string): Promise<{ mode: string; roles: string[] }> {
  const [row] = await app.sql<{ mode: string; madeOf: { role: string }[] }[]>`
    select mode, made_of from kinora.video where id = ${uuid}
  `
  return { mode: row?.mode ?? '', roles: (row?.madeOf ?? []).map(({ role }) => role) }
}

/** The roles of what the provider of a video got. */
export async function sentRolesOf(kinora: Kinora, uuid: string): Promise<string[]> {
  const { providerTaskId } = await readRow(kinora, uuid)
  const task = (await kinora.simulator?.tasks())?.find(({ taskId }) => taskId === providerTaskId)
  return (task?.inputs ?? []).map(({ role }) => role)
}
