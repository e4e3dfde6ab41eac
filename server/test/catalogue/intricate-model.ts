/** A model with every kind of rule, default and route of a file: what follows is compared in two ways. */
import assert from 'node:assert/strict'
import { parseModels } from '../../src/catalogue/catalogue.ts'
import type { Model } from '../../src/catalogue/model.ts'
import { settingsPart } from '../../src/config/config.ts'
import { accounts } from '../../src/provider/accounts.ts'
import { setModel } from '../support/changed-models.ts'

/** Adds the model until the file's tests have ended. */
export function addIntricateModel(): Model {
  const made = parseModels([{ name: 'intricate.json', text: JSON.stringify(intricate) }]).get('intricate')
  assert.ok(made)
  setModel(made)
  return made
}

/** The settings with which every account is in use, so that all models are. */
export const everyAccount = (): Record<string, string> =>
  Object.fromEntries(
    accounts().flatMap(({ id }) => {
      const name = `PROVIDER_${settingsPart(id)}`
      return [
        [`${name}_API_KEY`, 'key'],
        [`${name}_URL`, `https://${id}.example`],
      ]
    }),
  )

const intricate = {
  id: 'intricate',
  name: 'Intricate',
  company: 'Test',
  modes: {
    'text-to-video': { duration: [4, 6, 8], quality: ['720p', '1080p', '4k'], aspectRatio: ['16:9', '9:16'] },
    'image-to-video': { aspectRatio: 'follows the image', quality: ['540p', '1080p'] },
    'first-last': { duration: { from: 4, to: 16, step: 4 } },
    reference: { duration: [8], inputs: { reference: { from: 2, to: 3 } } },
  },
  options: {
    audio: { type: 'boolean', default: true },
    seed: { type: 'integer', minimum: 0, maximum: 100 },
    negativePrompt: { type: 'string', maxLength: 8, modes: ['text-to-video', 'reference'] },
    style: {
      type: 'string',
      enum: ['film', 'anime', 'clay'],
      default: 'film',
      modes: ['text-to-video', 'image-to-video'],
    },
    strength: { type: 'number', minimum: 0, maximum: 1 },
    loop: { type: 'boolean', default: false },
  },
  rules: [
    { when: { quality: ['1080p', '4k'] }, then: { duration: [8] }, why: 'films from 1080p on have 8 seconds' },
    { when: { style: 'anime' }, then: { audio: [false], seed: 'forbidden' } },
    { when: { quality: '4k' }, then: { audio: [false] } },
    { when: { audio: true }, then: { strength: 'forbidden', loop: [false] } },
    { when: { mode: 'first-last' }, then: { strength: 'required', audio: [false] } },
    { when: { style: 'clay', mode: 'text-to-video' }, then: { quality: ['1080p'] } },
  ],
  price: { per: 'second', credits: { '*': 2, audio: 3, '1080p': 4, '1080p+audio': 5 } },
  routes: [
    {
      account: 'fal',
      model: { 'text-to-video': 'a', 'image-to-video': 'b' },
      serves: { audio: [true], style: ['film', 'anime'], seed: [] },
      input: { prompt: 'prompt', image: 'start' },
    },
    {
      account: 'google',
      serves: { quality: ['540p', '720p', '1080p'] },
      input: { prompt: 'prompt', image: 'start', last: 'end', images: 'referenceImages' },
    },
    {
      account: 'kling',
      model: { 'text-to-video': 'c' },
      serves: { duration: { from: 5, to: 9 } },
      input: { prompt: 'prompt' },
    },
  ],
  usualSeconds: 60,
  deadlineSeconds: 900,
}
