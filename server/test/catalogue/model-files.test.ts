/** The files of catalogue/models: what an operator may write, and what each mistake is answered with. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkRoutes, parseModels } from '../../src/catalogue/catalogue.ts'
import type { Model } from '../../src/catalogue/model.ts'
import { modelSchemaText } from '../../src/catalogue/model-file.ts'
import { checkByModel } from '../../src/catalogue/request.ts'
import { accountsFor } from '../../src/catalogue/route-sequence.ts'
import { ConfigError } from '../../src/config/config.ts'
import { AppError } from '../../src/errors.ts'
import type { RequestedParameters } from '../../src/film/fields.ts'
import { withInputs } from '../../src/film/inputs.ts'
import { FILM_SECONDS_MAX } from '../../src/media/film/film.ts'

/** A model with everything that a file may have. */
const veo = {
  id: 'veo',
  name: 'Veo',
  company: 'Google',
  asOf: '2026-11-20',
  modes: {
    'text-to-video': { duration: [4, 6, 8], quality: ['720p', '1080p', '4k'], aspectRatio: ['16:9', '9:16'] },
    'image-to-video': { aspectRatio: 'follows the image' },
    'first-last': { duration: [8] },
    reference: { duration: [8], inputs: { reference: { from: 1, to: 3 } } },
  },
  options: {
    audio: { type: 'boolean', default: true },
    seed: { type: 'integer', minimum: 0, maximum: 4294967 },
    style: { type: 'string', enum: ['film', 'anime'], default: 'film', modes: ['text-to-video'] },
  },
  rules: [
    { when: { quality: ['1080p', '4k'] }, then: { duration: [8] }, why: 'films from 1080p on have 8 seconds' },
    { when: { style: 'anime' }, then: { audio: [false], seed: 'forbidden' } },
  ],
  price: { fromCost: { markup: 1.4 } },
  routes: [
    {
      account: 'fal',
      model: { 'text-to-video': 'fal-ai/veo', 'image-to-video': 'fal-ai/veo/image-to-video' },
      input: { prompt: 'prompt', image: 'start', duration: "$string(duration) & 's'", sound: 'audio' },
      serves: { quality: ['720p', '1080p'] },
      cost: { per: 'second', usd: { '*': 0.1, audio: 0.15, '1080p+audio': 0.2 }, asOf: '2026-11-20', source: 'fal.ai' },
    },
    {
      account: 'google',
      cost: { per: 'clip', usd: { 'duration=8': 1, '*': 0.5 }, asOf: '2026-11-20', source: 'ai.google.dev' },
    },
  ],
  usualSeconds: 60,
  deadlineSeconds: 900,
}
const parse = (value: unknown, name = 'veo.json') =>
  parseModels([{ name, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }])
const provider = { adapter: '', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }
const settings = { providers: { fal: provider, google: provider }, creditUsd: 0.05 }

test('model.schema.json: schema of a model file → as `npm run schema` writes it', () => {
  const file = new URL('../../../catalogue/model.schema.json', import.meta.url)
  assert.equal(readFileSync(file, 'utf8'), modelSchemaText())
})

test('model file: everything that it may have → accepted; longest film that the inspection accepts too', () => {
  assert.deepEqual([...parse(veo).keys()], ['veo'])
  const long = (to: number) =>
    parse({ ...veo, rules: [], modes: { ...veo.modes, 'first-last': { duration: { from: 8, to } } } })
  assert.equal(long(FILM_SECONDS_MAX).get('veo')?.summary.maxDuration, FILM_SECONDS_MAX)
  assert.throws(
    () => long(FILM_SECONDS_MAX + 1),
    /modes\.first-last\.duration\.to: must be a whole number .* at most 120/,
  )
})

const first = veo.modes['text-to-video']
const text = (value: object): string => JSON.stringify(value, null, 2)
const mistakes: [what: string, file: unknown, problem: RegExp][] = [
  ['no JSON', text(veo).replace('"name": "Veo",', '"name": "Veo"'), /veo\.json:4: not valid JSON: CommaExpected/],
  ['empty', '', /veo\.json:1: not valid JSON/],
  ['field twice', text(veo).replace('{', '{ "name": "A",'), /:\d: name: is written twice/],
  ['unknown field', { ...veo, modell: 1 }, /veo\.json:\d+: modell: is no field here; write one of .*modes/],
  ['missing field', { ...veo, price: undefined }, /veo\.json:1: price is missing; it must be .*per, credits/],
  ['wrong type', { ...veo, usualSeconds: '60' }, /usualSeconds: must be a whole number of at least 1$/m],
  ['other file name', { ...veo, id: 'veo-2' }, /:2: id: must be the name of the file, veo$/m],
  ['no id', { ...veo, id: 'Veo 3' }, /:2: id: must be a text that matches/],
  [
    'unknown mode',
    { ...veo, modes: { ...veo.modes, video: {} } },
    /modes\.video\.inputs: is missing: only a mode that Kinora knows has inputs by its name/,
  ],
  ['no modes', { ...veo, modes: {} }, /modes: must not be empty/],
  [
    'first mode without values',
    { ...veo, modes: { 'text-to-video': { ...first, quality: undefined } } },
    /modes\.text-to-video: quality is missing/,
  ],
  [
    'unknown quality',
    { ...veo, modes: { 'text-to-video': { ...first, quality: ['720'] } } },
    /quality\[0\]: must be one of "360p"/,
  ],
  [
    'range that is none',
    { ...veo, modes: { 'text-to-video': { ...first, duration: { from: 9, to: 4 } } } },
    /duration: from \(9\) is above to/,
  ],
  [
    'duration of a fraction',
    { ...veo, modes: { 'text-to-video': { ...first, duration: [4.5] } } },
    /duration\[0\]: must be a whole number/,
  ],
  [
    'option of no type',
    { ...veo, options: { audio: { type: 'bool' } } },
    /options\.audio: must be an object with type "boolean", or .*"string"/,
  ],
  ['audio that is a text', { ...veo, options: { audio: { type: 'string' } } }, /audio\.type: must be "boolean"/],
  [
    'option named as a field',
    { ...veo, options: { ...veo.options, quality: { type: 'boolean' } } },
    /options\.quality: is the name of another field/,
  ],
  [
    'default that is no value',
    { ...veo, options: { ...veo.options, style: { type: 'string', enum: ['a'], default: 'b' } } },
    /style\.default: .*"b" is none/,
  ],
  [
    'rule of no field',
    { ...veo, rules: [{ when: { qualty: '4k' }, then: { duration: [8] } }] },
    /rules\[0\]\.when\.qualty: the model has no field qualty; it has mode, duration, aspectRatio/,
  ],
  [
    'rule of no value',
    { ...veo, rules: [{ when: { quality: '8k' }, then: { duration: [8] } }] },
    /rules\[0\]\.when\.quality: "8k" is no value/,
  ],
  [
    'rule that leaves nothing',
    { ...veo, rules: [{ when: { quality: '4k' }, then: { duration: { from: 10, to: 12 } } }] },
    /then\.duration: leaves no value/,
  ],
  [
    'rule about itself',
    { ...veo, rules: [{ when: { quality: '4k' }, then: { quality: ['720p'] } }] },
    /then\.quality: is also in `when`/,
  ],
  [
    'rules in a circle',
    {
      ...veo,
      rules: [
        { when: { audio: true }, then: { style: ['film'] } },
        { when: { style: 'anime' }, then: { audio: [false] } },
      ],
    },
    /rules: the defaults of audio, style, audio depend/,
  ],
  [
    'price that misses a request',
    { ...veo, price: { per: 'clip', credits: { '720p': 5 } } },
    /price\.credits: no amount.* for mode=text-to-video, .*quality=1080p/,
  ],
  [
    'price of unknown words',
    { ...veo, price: { per: 'clip', credits: { '*': 5, sound: 6 } } },
    /price\.credits\.sound: no request has the word sound/,
  ],
  [
    'price of two equal entries',
    { ...veo, price: { per: 'clip', credits: { '*': 5, '720p': 6, audio: 6 } } },
    /price\.credits: no amount, or more than one/,
  ],
  [
    'price per no unit',
    { ...veo, price: { per: 'minute', credits: 5 } },
    /price\.per: must be one of "second", "clip"/,
  ],
  ['price from no cost', { ...veo, routes: [{ account: 'fal' }] }, /routes\[0\]: cost is missing/],
  ['enabled without a price', { ...veo, price: null }, /price: an enabled model needs a price/],
  [
    'link to a sample with a directive of a policy',
    { ...veo, sample: ['https://films.example.com;script-src/a.mp4'] },
    /sample\[0\]: must be a text that matches/,
  ],
  ['no routes', { ...veo, routes: [] }, /routes: must not be empty; write an object with account/],
  [
    'unknown account',
    { ...veo, routes: [{ ...veo.routes[1], account: 'gogle' }] },
    /routes\[0\]\.account: providers\.json has no account gogle/,
  ],
  [
    'route of an unknown mode',
    { ...veo, routes: [{ ...veo.routes[1], model: { extend: 'x' } }] },
    /routes\[0\]\.model: the model has no mode extend/,
  ],
  [
    'route that serves no value',
    { ...veo, routes: [{ ...veo.routes[1], serves: { quality: ['8k'] } }] },
    /serves\.quality: "8k" is no value/,
  ],
  [
    'route without a mode’s fields',
    { ...veo, routes: [{ ...veo.routes[1], input: { reference: { prompt: 'prompt' } } }] },
    /input: the mode text-to-video is missing/,
  ],
  [
    'cost without a unit',
    { ...veo, routes: [{ ...veo.routes[1], cost: { usd: 1, asOf: '2026-11-20', source: 'x' } }] },
    /routes\[0\]\.cost: per is missing; it must be one of "second"/,
  ],
  [
    'rules that leave nothing together',
    {
      ...veo,
      rules: [
        { when: { quality: '4k' }, then: { duration: [8] } },
        { when: { quality: ['1080p', '4k'] }, then: { duration: [4] } },
      ],
    },
    /rules\[0\]\.when: no request can have these values/,
  ],
  [
    'rule that requires what another forbids',
    {
      ...veo,
      rules: [
        { when: { style: 'anime' }, then: { seed: 'required' } },
        { when: { duration: [4, 6] }, then: { seed: 'forbidden' } },
      ],
    },
    /rules\[0\]\.then\.seed: a request that must have it may not/,
  ],
  [
    'rule that requires what the mode has not',
    { ...veo, rules: [{ when: { mode: 'reference' }, then: { style: 'required' } }] },
    /rules\[0\]\.then\.style: a request that must have it may not/,
  ],
  ['rule of no condition', { ...veo, rules: [{ when: {}, then: { duration: [8] } }] }, /when: must not be empty/],
  [
    'cost that misses a request',
    {
      ...veo,
      routes: [{ ...veo.routes[1], cost: { per: 'clip', usd: { '720p': 1 }, asOf: '2026-11-20', source: 'x' } }],
    },
    /routes\[0\]\.cost\.usd: no amount.*quality=1080p/,
  ],
  [
    'cost below nothing',
    { ...veo, routes: [{ ...veo.routes[1], cost: { per: 'clip', usd: -1, asOf: '2026-11-20', source: 'x' } }] },
    /cost\.usd: must be a number of at least 0/,
  ],
  [
    'workflow outside the folder',
    { ...veo, routes: [{ ...veo.routes[1], workflow: '../veo.workflow.json' }] },
    /routes\[0\]\.workflow: must be a text that matches/,
  ],
  [
    'cost of no day',
    { ...veo, routes: [{ ...veo.routes[1], cost: { per: 'clip', usd: 1, asOf: 'May', source: 'x' } }] },
    /cost\.asOf: must be a date such as/,
  ],
]
for (const [what, file, problem] of mistakes) {
  test(`model file: ${what} → named with file, line and what to write`, () => {
    assert.throws(
      () => parse(file),
      (error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.problems.join('\n'), problem)
        for (const each of error.problems) assert.match(each, /^catalogue\/models\/veo\.json:\d+: /)
        return true
      },
    )
  })
}

test('model files: two of one id → the second is named', () => {
  const file = { name: 'veo.json', text: text(veo) }
  assert.throws(
    () => parseModels([file, { ...file, name: 'veo-2.json' }]),
    /veo-2\.json:2: id: must be the name of the file, veo-2/,
  )
})

const expressions: [what: string, expression: unknown, problem: RegExp][] = [
  ['that does not parse', '$string(duration', /is no JSONata expression: /],
  ['that is a number', 5, /must be an expression in quotes, such as "5"/],
  ['that throws', '$number(prompt)', /fails for a film: /],
  ['that names no function', '$sting(duration)', /fails for a film: /],
  ['that calls itself without end', '($f := function($x) { 1 + $f($x) }; $f(1))', /fails for a film: /],
  ['that loops without end', '($f := function($x) { $f($x + 1) }; $f(1))', /fails for a film: /],
  ['that grows without end', '[1..1000000]', /fails for a film: /],
  ['that matches by backtracking', `$match("${'a'.repeat(30)}b", /^(a+)+$/)`, /takes longer than a second/],
  ['that is a function', 'function($x) { $x }', /fails for a film: /],
]
for (const [what, expression, problem] of expressions) {
  test(`model file: expression ${what} → named with file, line and field by the check`, async () => {
    const models = parse({
      ...veo,
      routes: [{ ...veo.routes[1], input: { prompt: 'prompt', size: { of: expression } } }],
    })
    await assert.rejects(checkRoutes(models, settings, true), (error) => {
      assert.ok(error instanceof ConfigError)
      const [found = '', ...more] = error.problems
      assert.deepEqual(more, [])
      assert.match(found, /^catalogue\/models\/veo\.json:\d+: routes\[0\]\.input\.size\.of: /)
      assert.match(found, problem)
      return true
    })
  })
}

const model: Model = parse(veo).get('veo') ?? assert.fail()
const request = { prompt: 'A boat', model: 'veo', duration: 8, aspectRatio: '16:9' }
const check = (change: object) =>
  checkByModel(parse(veo), withInputs<RequestedParameters>({ ...request, ...change }), settings)
const refusal = (change: object): string => {
  try {
    check(change)
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
  return assert.fail('accepted')
}

test('request: what it leaves out → the defaults, and the first value that a rule leaves', () => {
  const { mode, quality, audio, style } = check({}).chosen
  assert.deepEqual(
    { mode, quality, audio, style },
    { mode: 'text-to-video', quality: '720p', audio: true, style: 'film' },
  )
  assert.equal(check({ style: 'anime' }).chosen.audio, false)
  const image = check({ startImageUrl: 'https://example.com/a.png' }).chosen
  assert.deepEqual([image.mode, image.style, image.aspectRatio], ['image-to-video', undefined, undefined])
})

test('request: values that rules or the mode exclude → refused, with the reason', () => {
  assert.match(
    refusal({ quality: '1080p', duration: 4 }),
    /^Veo makes films of 8 seconds \(films from 1080p on have 8 seconds\)\.$/,
  )
  assert.match(refusal({ style: 'anime', seed: 4 }), /takes no seed/)
  assert.match(refusal({ style: 'anime', audio: true }), /The audio of Veo must be false/)
  assert.match(refusal({ negativePrompt: 'rain' }), /^Veo has no negativePrompt; leave it out\.$/)
  assert.match(refusal({ quality: '480p' }), /^Veo makes films in 720p, 1080p, 4k\.$/)
})

test('price: from the cost → that of the first route which can do the request, in whole credits', () => {
  assert.equal(check({}).credits, Math.ceil((1.2 * 1.4) / 0.05 - 1e-9))
  assert.equal(check({ audio: false, duration: 4 }).credits, Math.ceil((0.4 * 1.4) / 0.05 - 1e-9))
  assert.equal(check({ quality: '4k' }).credits, Math.ceil((1 * 1.4) / 0.05 - 1e-9))
})

test('routes: one that costs more than the price brings → serves only where its file says “at a loss”', () => {
  const [fal, google] = model.routes
  assert.ok(fal && google)
  const dear = { ...google, cost: { per: 'clip', usd: 2, asOf: '2026-11-20', source: 'ai.google.dev' } } as const
  const accountsOf = (...routes: Model['routes']) => {
    const changed = { ...model, routes }
    return accountsFor(changed, checkByModel(new Map([['veo', changed]]), request, settings).chosen, settings)
  }
  assert.deepEqual(accountsOf(fal, google), ['fal', 'google'])
  assert.deepEqual(accountsOf(fal, dear), ['fal'])
  assert.deepEqual(accountsOf(fal, { ...dear, fallback: 'at a loss' }), ['fal', 'google'])
  assert.deepEqual(accountsOf(dear, fal), ['google', 'fal'])
})

test('routes: request → those that can do exactly it, in order; equals by weight', () => {
  const accountsOf = (change: object) => accountsFor(model, check(change).chosen, settings)
  assert.deepEqual(accountsOf({}), ['fal', 'google'])
  assert.deepEqual(accountsOf({ quality: '4k' }), ['google'])
  const equals = { ...model, routes: model.routes.map((route, i) => ({ ...route, weight: i === 0 ? 1 : 3 })) }
  const at = (random: number) => accountsFor(equals, check({}).chosen, settings, () => random)
  assert.deepEqual(
    [at(0.2), at(0.3)],
    [
      ['fal', 'google'],
      ['google', 'fal'],
    ],
  )
})

test('catalogue/README.md: its example, a mode that Kinora has not seen → a model without mistakes', () => {
  const page = readFileSync(new URL('../../../catalogue/README.md', import.meta.url), 'utf8')
  const [, text = ''] = /```json\n(.*?)```/s.exec(page) ?? []
  const model = parseModels([{ name: 'relight-1.json', text }]).get('relight-1')
  assert.deepEqual(model?.summary.modes, ['relight'])
})
