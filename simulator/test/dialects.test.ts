/** The inputs of a request by the fields of its vendor, for those that no route of the catalogue sends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listTasks, startSimulator } from './harness.ts'

const simulator = await startSimulator()
const [image, film, sound] = ['http://127.0.0.1:1/a.png', 'http://127.0.0.1:1/a.mp4', 'http://127.0.0.1:1/a.mp3']
const part = (type: string, role: string, url: string) => ({ type: `${type}_url`, [`${type}_url`]: { url }, role })
const runway = { 'x-runway-version': '2024-11-06' }
const pixverse = { 'ai-trace-id': 'one', 'api-key': 'key' }
const vercel = {
  'ai-gateway-protocol-version': '0.0.1',
  'ai-video-model-specification-version': '4',
  'ai-model-id': 'a/b',
}

type Case = [path: string, body: object, roles: string, headers?: Record<string, string>]
const cases: Case[] = [
  [
    'luma/dream-machine/v1/generations/video/modify',
    { model: 'ray-2', media: { url: film }, first_frame: { url: image } },
    'film film, start image',
  ],
  ['luma/v1/generations', { model: 'ray-3.2', type: 'video_reframe', prompt: 'x', source: { url: film } }, 'film film'],
  [
    'kling/v1/videos/motion-control',
    { model_name: 'kling-v2-6', image_url: image, video_url: film },
    'start image, motion film',
  ],
  ['kling/v1/videos/lip-sync', { input: { video_url: film, audio_url: sound } }, 'film film, sound sound'],
  [
    'kling/omni-video/kling-o1',
    {
      contents: [
        { type: 'prompt', text: 'x' },
        { type: 'feature_video', url: film },
        { type: 'refer_image', url: image },
      ],
    },
    'reference image, reference film',
  ],
  [
    'ark/contents/generations/tasks',
    {
      model: 'm',
      content: [
        { type: 'text', text: 'x' },
        part('video', 'reference_video', film),
        part('audio', 'reference_audio', sound),
      ],
      omni_reference_task_type: 'edit',
    },
    'film film, reference sound',
  ],
  [
    'ark/contents/generations/tasks',
    {
      model: 'm',
      content: [
        { type: 'text', text: 'x' },
        { type: 'image_url', image_url: { url: image } },
      ],
    },
    'start image',
  ],
  [
    'minimax/v1/video_generation',
    { model: 'S2V-01', prompt: 'x', subject_reference: [{ type: 'character', image: [image] }] },
    'reference image',
  ],
  [
    'dashscope/api/v1/services/aigc/image2video/video-synthesis',
    { model: 'wan2.2-s2v', input: { image_url: image, audio_url: sound } },
    'portrait image, sound sound',
    { 'x-dashscope-async': 'enable' },
  ],
  [
    'runway/v1/video_to_video',
    { model: 'seedance2', promptText: 'x', promptVideo: film, references: [{ uri: image }] },
    'reference image, film film',
    runway,
  ],
  [
    'runway/v1/image_to_video',
    { model: 'wan3', promptText: 'x', promptImage: image, referenceAudio: [{ uri: sound }] },
    'start image, reference sound',
    runway,
  ],
  [
    'evolink/v1/videos/generations',
    { model: 'kling-v3-motion-control', image_urls: [image], video_urls: [film] },
    'start image, motion film',
  ],
  [
    'evolink/v1/videos/generations',
    { model: 'seedance-2.0-reference-to-video', prompt: 'x', image_urls: [image, image], audio_urls: [sound] },
    'reference image, reference image, reference sound',
  ],
  [
    'vidu/ent/v2/reference2video',
    { model: 'viduq3', prompt: 'x', subjects: [{ name: 'a', images: [image, image] }] },
    'reference image, reference image',
    { authorization: 'Token key' },
  ],
  [
    'replicate/v1/models/kwaivgi/kling-v3-omni-video/predictions',
    { input: { prompt: 'x', reference_video: film, video_reference_type: 'base' } },
    'film film',
  ],
  [
    'replicate/v1/models/wan-video/wan-2.2-animate/predictions',
    { input: { character_image: image, video: film } },
    'motion film, start image',
  ],
  [
    'kie/api/v1/jobs/createTask',
    { model: 'kling/ai-avatar-pro', input: { image_url: image, audio_url: sound } },
    'portrait image, sound sound',
  ],
  [
    'openrouter/api/v1/videos',
    {
      model: 'a/b',
      prompt: 'x',
      input_references: [
        { type: 'video_url', video_url: { url: film } },
        { type: 'image_url', image_url: { url: image } },
      ],
    },
    'reference image, reference film',
  ],
  [
    'vercel/v4/ai/video-model/start',
    {
      prompt: 'x',
      inputReferences: [
        { type: 'url', url: film, mediaType: 'video/mp4' },
        { type: 'url', url: image },
      ],
    },
    'reference image, reference film',
    vercel,
  ],
  [
    'pixverse/openapi/v2/video/fusion/generate',
    { model: 'v6', prompt: 'x', image_references: [{ img_id: 1 }] },
    'refused',
    pixverse,
  ],
]
for (const [path, body, roles, headers = {}] of cases) {
  test(`${path}: fields of the vendor → ${roles}`, async () => {
    const before = (await listTasks(simulator)).length
    const response = await fetch(`${simulator.url}/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer key',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    const task = (await listTasks(simulator))[before]
    const found = task ? task.inputs.map(({ role, kind }) => `${role} ${kind}`).join(', ') : 'refused'
    assert.equal(found, roles, text)
  })
}
