// slow
/** ComfyUI by workflows of the operator's own, in files: what goes into each mode is in the nodes that load it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { assertShows, type Colour } from '../../../simulator/test/media.ts'
import { parseModels } from '../../src/catalogue/catalogue.ts'
import { setModel } from '../support/changed-models.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { sharedSimulator } from '../support/simulator.ts'
import { sound } from '../support/sounds.ts'

const simulator = await sharedSimulator()
const kinora = await openKinora({
  env: { PROVIDER_COMFYUI_URL: `${simulator.url}/comfyui`, FETCH_ALLOW: simulator.hostAndPort },
})

type Link = [node: string, output: number]
type Nodes = { [id: string]: { class_type: string; inputs: { [name: string]: unknown } } }
const node = (class_type: string, inputs: Nodes[string]['inputs'] = {}) => ({ class_type, inputs })
/** What all workflows here have: the text, the sampler and the film that is saved. */
const common = (positive: Link, latent: Link, images: Link = ['8', 0]): Nodes => ({
  '3': node('KSampler', { seed: 7, positive, latent_image: latent }),
  '6': node('CLIPTextEncode', { text: 'a placeholder' }),
  '8': node('VAEDecode', { samples: ['3', 0] }),
  '57': node('CreateVideo', { images, fps: 16 }),
  '58': node('SaveVideo', { video: ['57', 0], filename_prefix: 'video/ComfyUI', format: 'mp4' }),
})
const film = { '10': node('LoadVideo', { file: 'a.mp4' }), '11': node('GetVideoComponents', { video: ['10', 0] }) }
const placed = { width: 832, height: 480, length: 81 }
const workflows: { [mode: string]: { nodes: Nodes; set: object } } = {
  edit: {
    nodes: { ...common(['6', 0], ['12', 0]), ...film, '12': node('VAEEncode', { pixels: ['11', 0] }) },
    set: { '10': { file: 'film' } },
  },
  motion: {
    nodes: {
      ...common(['20', 0], ['20', 2]),
      ...film,
      '13': node('LoadImage', { image: 'a.png' }),
      '20': node('WanAnimateToVideo', {
        ...{ positive: ['6', 0], reference_image: ['13', 0], pose_video: ['11', 0], face_video: ['11', 0], ...placed },
      }),
    },
    set: { '10': { file: 'motion' }, '13': { image: 'start' }, '20': { length: 'duration * 16 + 1' } },
  },
  avatar: {
    nodes: {
      ...common(['20', 0], ['20', 2]),
      '13': node('LoadImage', { image: 'a.png' }),
      '14': node('LoadAudio', { audio: 'a.mp3' }),
      '15': node('AudioEncoderEncode', { audio_encoder: ['16', 0], audio: ['14', 0] }),
      '16': node('AudioEncoderLoader', { audio_encoder_name: 'wav2vec2_large_english_fp16.safetensors' }),
      '20': node('WanSoundImageToVideo', {
        ...{ positive: ['6', 0], ref_image: ['13', 0], audio_encoder_output: ['15', 0], ...placed },
      }),
    },
    set: { '13': { image: 'portrait' }, '14': { audio: 'sound' }, '20': { length: 'duration * 16 + 1' } },
  },
  keyframes: {
    nodes: {
      ...common(['31', 0], ['31', 2]),
      '13': node('LoadImage', { image: 'a.png' }),
      '17': node('LoadImage', { image: 'b.png' }),
      '20': node('EmptyLTXVLatentVideo', placed),
      '30': node('LTXVAddGuide', { positive: ['6', 0], latent: ['20', 0], image: ['13', 0], frame_idx: 0 }),
      '31': node('LTXVAddGuide', { positive: ['30', 0], latent: ['30', 2], image: ['17', 0], frame_idx: 0 }),
    },
    set: {
      '13': { image: 'keyframes[0].url' },
      '17': { image: 'keyframes[1].url' },
      '20': { length: 'duration * 16 + 1' },
      '30': { frame_idx: '$round(keyframes[0].at * 16)' },
      '31': { frame_idx: '$round(keyframes[1].at * 16)' },
    },
  },
}
const shape = { quality: ['480p'], aspectRatio: 'follows the image' }
const follows = (role: string) => ({ ...shape, duration: { follows: role, from: 1, to: 10 } })
const file = {
  ...{ id: 'own-graphs', name: 'Own graphs', company: 'The operator', usualSeconds: 60, deadlineSeconds: 900 },
  modes: {
    edit: follows('film'),
    motion: { ...follows('motion'), prompt: 'optional' },
    avatar: follows('sound'),
    keyframes: {
      ...{ duration: [3], quality: ['480p'], aspectRatio: ['16:9'] },
      inputs: { keyframe: { from: 2, to: 2 } },
    },
  },
  price: { per: 'second', credits: 1 },
  routes: Object.entries(workflows).map(([mode, { set }]) => ({
    ...{ account: 'comfyui', model: { [mode]: mode }, workflow: `${mode}.workflow.json` },
    input: { set: { '6': { text: 'prompt' }, ...set }, output: "'58'" },
  })),
}
const folder = await mkdtemp(path.join(tmpdir(), 'kinora-workflows-'))
after(() => rm(folder, { recursive: true }))
for (const [mode, { nodes }] of Object.entries(workflows))
  await writeFile(path.join(folder, `${mode}.workflow.json`), JSON.stringify(nodes))
const model = { name: 'own-graphs.json', path: path.join(folder, 'own-graphs.json'), text: JSON.stringify(file) }
for (const parsed of parseModels([model]).values()) setModel(parsed)

const ann = await kinora.person({ credits: 1000 })
const hashOf = (bytes: ArrayBuffer) => createHash('sha256').update(Buffer.from(bytes)).digest('hex')
const contents = new Map<string, Colour | string>()
async function asset(bytes: Buffer, colour?: Colour): Promise<string> {
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/octet-stream' }
  const body = new Uint8Array(bytes)
  const sent = await fetch(`${kinora.url}/api/v1/asset`, { method: 'POST', headers, body })
  const { data } = (await sent.json()) as { data: { id: string; url: string } }
  contents.set(data.id, colour ?? hashOf(await (await fetch(data.url)).arrayBuffer()))
  return data.id
}
const picture = async (...rgb: [number, number, number]) => asset(await plain(320, 180, 'png', `rgb(${rgb})`), rgb)
const [red, blue] = [await picture(208, 32, 32), await picture(32, 32, 208)]
const voice = await asset(await sound('pcm-s16', 2.5))
const video = await completedVideo(kinora, ann, { duration: 4 })
const detailOf = async (uuid: string) =>
  (await kinora.call<{ videoUrl: string; duration: number }>('GET', `/api/v1/video/${uuid}`, { as: ann })).data
contents.set(video, hashOf(await (await fetch((await detailOf(video)).videoUrl)).arrayBuffer()))

for (const [mode, seconds, inputs, change] of [
  ['edit', 4, [{ role: 'film', video }], {}],
  [
    'motion',
    4,
    [
      { role: 'start', asset: blue },
      { role: 'motion', video },
    ],
    {},
  ],
  [
    'avatar',
    3,
    [
      { role: 'portrait', asset: red },
      { role: 'sound', asset: voice },
    ],
    {},
  ],
  [
    'keyframes',
    3,
    [
      { role: 'keyframe', asset: red, at: 0 },
      { role: 'keyframe', asset: blue, at: 2 },
    ],
    { duration: 3, aspectRatio: '16:9' },
  ],
] as const) {
  test(`comfyui: ${mode} by a workflow file → a film of ${seconds} s that shows what its nodes load`, async () => {
    const body = { model: 'own-graphs', prompt: 'A stage', inputs, ...change }
    const { data, text } = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body })
    assert.ok(data?.uuid, text)
    const before = (await simulator.tasks()).length
    assert.equal((await kinora.finish(ann, data.uuid)).error, null)
    assert.equal(Math.ceil((await detailOf(data.uuid)).duration - 0.1), seconds)
    const task = (await simulator.tasks()).at(before)
    assert.deepEqual(
      [task?.prompt, task?.inputs.map(({ role }) => role).sort()],
      ['A stage', inputs.map(({ role }) => role).sort()],
    )
    const made = await fetch(`${simulator.url}/films/${task?.taskId}.mp4`)
    const given = task?.inputs.map(({ role }, i) => {
      const same = task.inputs.slice(0, i).filter((each) => each.role === role).length
      const input = inputs.filter((each) => each.role === role)[same]
      return contents.get(input && 'video' in input ? input.video : (input?.asset ?? '')) ?? ''
    })
    await assertShows(await made.arrayBuffer(), { width: task?.width ?? 0, height: task?.height ?? 0 }, given ?? [])
  })
}
