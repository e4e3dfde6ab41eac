// slow
/** `inputs` of POST /api/v1/video/generate: pictures, films and sounds that a provider makes a film of. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assertShows, type Colour } from '../../../simulator/test/media.ts'
import type { ModelEntry } from '../../src/catalogue/model-file.ts'
import { addModel } from '../support/changed-models.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openFileSite } from '../support/file-site.ts'
import { deleteVideo } from '../support/finished-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { sound } from '../support/sounds.ts'
import { addStage, stageModes, stageRoutes } from '../support/stage.ts'

const kinora = await openKinora({ simulator: true })
const site = await openFileSite(kinora)

addStage()
const { 'text-to-video': text, edit } = stageModes
const metered: ModelEntry['price'] = { per: 'input second', credits: 2 }
addModel('metered', {
  name: 'Metered',
  modes: { 'text-to-video': text, edit },
  price: metered,
  routes: stageRoutes,
  options: {},
})

const colours: { [name: string]: Colour } = { red: [208, 32, 32], green: [32, 208, 32], blue: [32, 32, 208] }
const pictures = Object.fromEntries(
  await Promise.all(
    Object.entries(colours).map(async ([name, colour]) => {
      const bytes = await plain(320, 180, 'png', `rgb(${colour})`)
      return [name, site.put(`${name}.png`, bytes)] as const
    }),
  ),
)
const { red = '', green = '', blue = '' } = pictures
const shortBytes = await sound('pcm-s16', 2.5)
const longBytes = await sound('mp3', 4)
const [short, long] = [site.put('short.wav', shortBytes), site.put('long.mp3', longBytes)]
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const contents: { [link: string]: Colour | string } = {
  ...Object.fromEntries(Object.entries(pictures).map(([name, link]) => [link, colours[name] ?? ''])),
  [short]: hashOf(shortBytes),
  [long]: hashOf(longBytes),
}

type Given = { role: string; kind?: string; url?: string; video?: string; asset?: string; at?: number }
/** A link or a video, in a role. */
const of = (role: string, source: string, more: Partial<Given> = {}): Given => ({
  role,
  [source.includes('://') ? 'url' : 'video']: source,
  ...more,
})
type Detail = { mode: string; duration: number; creditsUsed: number; videoUrl: string; inputs: Given[] }
const detailOf = async (as: Person, uuid: string) =>
  (await kinora.call<Detail>('GET', `/api/v1/video/${uuid}`, { as })).data
const send = (as: Person, inputs: Given[], change: object = {}) =>
  kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', {
    as,
    body: { model: 'stage', prompt: 'A stage', ...change, inputs },
  })

const ann = await kinora.person({ credits: 10_000 })
const film = await completedVideo(kinora, ann, { duration: 4 })
const other = await completedVideo(kinora, ann, { duration: 6, aspectRatio: '9:16' })
for (const uuid of [film, other]) {
  const stored = await fetch((await detailOf(ann, uuid)).videoUrl)
  contents[uuid] = hashOf(Buffer.from(await stored.arrayBuffer()))
}
const sized = { duration: 4, aspectRatio: '16:9' }
const films: [mode: string, seconds: number, inputs: Given[], change?: object][] = [
  ['image-to-video', 4, [of('start', red)], sized],
  ['first-last', 5, [of('start', red), of('end', blue)], { ...sized, duration: 5 }],
  [
    'reference',
    4,
    [
      of('reference', green),
      of('reference', blue, { kind: 'image' }),
      of('reference', other),
      of('reference', short, { kind: 'sound' }),
    ],
    sized,
  ],
  ['extend', 4, [of('film', film)], { duration: 4, mode: 'extend' }],
  ['edit', 4, [of('film', film)], { mode: 'edit' }],
  ['edit', 6, [of('film', other), of('reference', green), of('reference', red)]],
  ['motion', 6, [of('start', blue), of('motion', other)], { prompt: undefined }],
  ['lip-sync', 3, [of('film', film), of('sound', short)], { prompt: undefined }],
  ['avatar', 4, [of('portrait', green), of('sound', long)]],
  [
    'keyframes',
    4,
    [of('keyframe', red, { at: 0 }), of('keyframe', blue, { at: 1.5 }), of('keyframe', green, { at: 4 })],
    sized,
  ],
  ['dance', 5, [of('start', green), of('sound', short)], { ...sized, duration: 5 }],
]
for (const [mode, seconds, inputs, change] of films) {
  test(`200: ${mode} of ${inputs.map(({ role }) => role).join(', ')} → a film of ${seconds} s that shows them`, async () => {
    const { status, data, text } = await send(ann, inputs, change)
    assert.equal(status, 200, text)
    const before = await kinora.simulator?.tasks()
    const ended = await kinora.finish(ann, data.uuid)
    assert.deepEqual([ended.status, ended.error], ['COMPLETED', null])
    const detail = await detailOf(ann, data.uuid)
    assert.deepEqual([detail.mode, Math.ceil(detail.duration - 0.1)], [mode, seconds])
    assert.deepEqual(
      detail.inputs.map(({ role, video }) => [role, video ?? null]),
      inputs.map(({ role, video }) => [role, video ?? null]),
    )
    assert.equal(detail.creditsUsed, 2 * seconds)
    const task = (await kinora.simulator?.tasks())?.at(before?.length ?? 0)
    const links = inputs.map(({ url, video }) => url ?? video ?? '')
    assert.deepEqual(
      task?.inputs.map(({ role }) => role),
      inputs.map(({ role }) => role),
    )
    const made = await fetch(`${kinora.simulator?.url}/films/${task?.taskId}.mp4`)
    const { width = 0, height = 0 } = task ?? {}
    await assertShows(
      await made.arrayBuffer(),
      { width, height },
      links.map((link) => contents[link] ?? ''),
    )
  })
}

const balanceOf = async (as: Person) => {
  const { available, frozen, used } = await kinora.balance(as)
  return { available, frozen, used }
}
const refundsOf = async (as: Person) =>
  (
    await kinora.call<{ transactions: { credits: number; state: string; remark: string }[] }>(
      'GET',
      '/api/v1/credit/history?transType=REFUND',
      { as },
    )
  ).data.transactions.map(({ credits, state, remark }) => ({ credits, state, remark }))

const quoteOf = async (as: Person, inputs: Given[]) => {
  const body = { model: 'stage', prompt: 'A stage', inputs }
  const { data } = await kinora.call<{ credits: number; ceiling: boolean }>('POST', '/api/v1/video/quote', { as, body })
  return { credits: data.credits, ceiling: data.ceiling }
}

test('length: sound of a link → the longest is frozen, what was made is settled, the rest released', async () => {
  const ben = await kinora.person({ credits: 30 })
  const speaking = [of('portrait', red), of('sound', short)]
  assert.deepEqual(await quoteOf(ben, speaking), { credits: 20, ceiling: true })
  const { data } = await send(ben, speaking)
  assert.deepEqual(await balanceOf(ben), { available: 10, frozen: 20, used: 0 })
  assert.equal((await kinora.finish(ben, data.uuid)).status, 'COMPLETED')
  assert.deepEqual(await balanceOf(ben), { available: 24, frozen: 0, used: 6 })
  assert.deepEqual(await refundsOf(ben), [{ credits: 14, state: 'settled', remark: 'Film of 3 s costs 6' }])
})

async function upload(as: Person, bytes: Buffer): Promise<string> {
  const response = await fetch(`${kinora.url}/api/v1/asset`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  const { data } = (await response.json()) as { data: { id: string } }
  return data.id
}

test('length: sound of an asset → its seconds alone are frozen', async () => {
  const ben = await kinora.person({ credits: 30 })
  const asset = await upload(ben, shortBytes)
  const speaking = [of('portrait', red), { role: 'sound', asset }]
  assert.deepEqual(await quoteOf(ben, speaking), { credits: 6, ceiling: false })
  const { data } = await send(ben, speaking)
  assert.deepEqual(await balanceOf(ben), { available: 24, frozen: 6, used: 0 })
  assert.equal((await kinora.finish(ben, data.uuid)).status, 'COMPLETED')
  assert.deepEqual(await balanceOf(ben), { available: 24, frozen: 0, used: 6 })
  assert.deepEqual(await refundsOf(ben), [])
})

test('price of an input second: film of one’s own → its seconds', async () => {
  const ben = await kinora.person({ credits: 30 })
  const own = await completedVideo(kinora, ben, { duration: 4 })
  const before = await balanceOf(ben)
  const { data, text } = await send(ben, [of('film', own)], { model: 'metered' })
  assert.ok(data.uuid, text)
  const after = await balanceOf(ben)
  assert.equal(before.available - after.available, 8)
  assert.equal((await kinora.finish(ben, data.uuid)).status, 'COMPLETED')
})

const cid = await kinora.person({ credits: 300 })
const foreign = await completedVideo(kinora, cid, { duration: 4 })
const tooLong = await completedVideo(kinora, ann, { duration: 12 })
const voiceAsset = await upload(ann, shortBytes)
const failed = (await send(ann, [of('start', red)], { ...sized, prompt: '[fail: No.]' })).data.uuid
await kinora.finish(ann, failed)
const refused: [name: string, status: number, inputs: Given[], path: string, message: RegExp, change?: object][] = [
  [
    'film as a reference image',
    400,
    [of('film', film), of('reference', other)],
    'inputs.1',
    /^Stage takes no film as the reference film 1; it takes image\.$/,
  ],
  [
    'sound as a start image',
    400,
    [{ role: 'start', asset: voiceAsset }],
    'inputs.0',
    /^Stage takes no sound as the start image; it takes image\.$/,
    sized,
  ],
  [
    'video as a portrait',
    400,
    [of('portrait', film)],
    'inputs.0',
    /^The portrait is an image, and a video is a film; name an asset or a url\.$/,
  ],
  [
    'three reference images of two',
    400,
    [red, green, blue].map((url) => of('reference', url)),
    'inputs.0',
    /^Stage takes at most 2 reference images; there are 3\.$/,
    sized,
  ],
  [
    'five references of four',
    400,
    [red, green]
      .map((url) => of('reference', url))
      .concat([of('reference', film), of('reference', other), of('reference', short, { kind: 'sound' })]),
    'inputs.0',
    /^Stage takes 1 to 4 reference/,
    sized,
  ],
  [
    'two start images',
    400,
    [red, green].map((url) => of('start', url)),
    'inputs.0',
    /^Stage takes 1 start image\.$/,
    sized,
  ],
  [
    'film to edit that is too long',
    400,
    [of('film', tooLong)],
    'inputs.0',
    /^Stage takes films of 2 to 10 seconds; this one has 12\.$/,
    { mode: 'edit' },
  ],
  [
    'reference film that is too long',
    400,
    [of('reference', film), of('reference', tooLong)],
    'inputs.1',
    /^Stage takes films of 2 to 10 seconds; the reference film 2 has 12\.$/,
    sized,
  ],
  [
    'another user’s video',
    404,
    [of('start', red), of('motion', foreign)],
    'inputs.1',
    /^There is no such video for the film of the motion\.$/,
  ],
  [
    'another user’s asset',
    404,
    [of('portrait', red), { role: 'sound', asset: '01900000-0000-7000-8000-000000000000' }],
    'inputs.1',
    /^You have no asset 01900000-0000-7000-8000-000000000000, for the sound\.$/,
  ],
  [
    'video that has failed',
    409,
    [of('start', red), of('motion', failed)],
    'inputs.1',
    /^The video for the film of the motion has failed; choose one that is COMPLETED\.$/,
  ],
  [
    'film alone, which two modes take',
    400,
    [of('film', film)],
    'mode',
    /^Stage has extend and edit with these inputs; say mode\.$/,
  ],
  ['sound without a portrait', 400, [of('sound', short)], 'inputs', /^Stage needs a start image here\.$/],
  [
    'role that the mode does not take',
    400,
    [of('film', film), of('sound', short)],
    'inputs.1',
    /^Stage takes no sound in the mode edit; leave it out\.$/,
    { mode: 'edit' },
  ],
  [
    'keyframe without its time',
    400,
    [of('keyframe', red, { at: 0 }), of('keyframe', blue)],
    'inputs.1',
    /^The keyframe 2 needs at, its time in seconds\.$/,
    sized,
  ],
  [
    'keyframe after the end',
    400,
    [of('keyframe', red, { at: 0 }), of('keyframe', blue, { at: 5 })],
    'inputs.1',
    /^The keyframe 2 is at 5 s, and the film has 4 seconds\.$/,
    sized,
  ],
  [
    'duration beside a sound that decides it',
    400,
    [of('portrait', red), of('sound', short)],
    'duration',
    /^The sound decides how long the film is; leave out duration\.$/,
    { duration: 4 },
  ],
  [
    'prompt where the film keeps its own',
    400,
    [of('film', film), of('sound', short)],
    'prompt',
    /^Stage keeps that of the film; leave out prompt\.$/,
  ],
  [
    'link of unknown length, which the price depends on',
    400,
    [of('film', `${short}?film`)],
    'inputs.0',
    /^The price of Metered depends on how long the film is, which a link does not say; upload it and name the asset\.$/,
    { model: 'metered' },
  ],
  [
    'link to a private address',
    400,
    [of('portrait', red), of('sound', 'https://10.0.0.1/voice.mp3')],
    'inputs.1',
    /^The sound cannot be used: /,
  ],
]
for (const [name, status, inputs, path, message, change] of refused) {
  test(`${status}: ${name} → one sentence that names it, nothing frozen`, async () => {
    const before = await balanceOf(ann)
    const answer = await send(ann, inputs, change)
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.error?.message ?? '', message)
    assert.match(answer.error?.message ?? '', /^[^.]+(\.\d[^.]*)*\.$/)
    assert.match(JSON.stringify(answer.error?.details), new RegExp(`"path":"${path}"`))
    assert.deepEqual(await balanceOf(ann), before)
  })
}

const lost: [name: string, inputs: (video: string) => Given[], change: object, reason: RegExp][] = [
  ['to edit', (video) => [of('film', video)], { mode: 'edit' }, /^The film to edit could not be used: /],
  [
    'of the motion',
    (video) => [of('start', red), of('motion', video)],
    {},
    /^The film of the motion could not be used: /,
  ],
  [
    'among references',
    (video) => [of('reference', film), of('reference', video)],
    sized,
    /^The reference film 2 could not be used: /,
  ],
]
for (const [name, inputs, change, reason] of lost) {
  test(`FAILED: film ${name} deleted after the request → says which, credits back, nothing sent`, async () => {
    const uuid = await completedVideo(kinora, ann, { duration: 4 })
    const before = await balanceOf(ann)
    const tasks = (await kinora.simulator?.tasks())?.length
    const { data } = await send(ann, inputs(uuid), change)
    await deleteVideo(kinora, { ann, uuid })
    const { status, error } = await kinora.finish(ann, data.uuid)
    assert.equal(status, 'FAILED')
    assert.match(error ?? '', reason)
    assert.deepEqual(await balanceOf(ann), before)
    assert.equal((await kinora.simulator?.tasks())?.length, tasks)
  })
}

test('FAILED: link that the provider cannot fetch → its reason, which names the input, and credits back', async () => {
  const before = await balanceOf(ann)
  const gone = site.put('gone.wav', shortBytes)
  const { data } = await send(ann, [of('portrait', red), of('sound', gone)])
  site.remove('gone.wav')
  const { status, error } = await kinora.finish(ann, data.uuid)
  assert.equal(status, 'FAILED')
  assert.match(error ?? '', /the address of its sound answers 404\.$/)
  assert.deepEqual(await balanceOf(ann), before)
})

test('403: portrait without the account’s statement → its text, once; changed text, another user → asked again', async (t) => {
  const { config } = kinora.app
  t.after(() => {
    config.consent = null
  })
  const url = '/api/v1/video/consent'
  const [bob, eve] = [await kinora.person({ credits: 100 }), await kinora.person({ credits: 100 })]
  const avatar = [of('portrait', green), of('sound', long)]
  const give = (as: Person, version: string) => kinora.call('PUT', url, { as, body: { version } })
  assert.deepEqual((await kinora.call('GET', url, { as: bob })).data, { text: null, version: null, givenAt: null })
  config.consent = { text: 'They all agreed.', version: 'one' }
  const refused = await send(bob, avatar)
  assert.deepEqual([refused.status, refused.error?.code], [403, 'CONSENT_REQUIRED'])
  assert.deepEqual(refused.error?.details, config.consent)
  assert.match(refused.error?.message ?? '', /portrait .*“They all agreed\.”.*PUT \/api\/v1\/video\/consent/)
  assert.equal((await send(bob, [of('start', red)], sized)).status, 200)
  assert.equal((await give(bob, 'other')).status, 409)
  assert.deepEqual(
    (await Promise.all([give(bob, 'one'), give(bob, 'one')])).map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await send(bob, avatar)).status, 200)
  assert.equal((await send(eve, avatar)).status, 403)
  config.consent = { text: 'They all agreed in writing.', version: 'two' }
  assert.equal((await send(bob, avatar)).status, 403)
  const rows = await kinora.app.sql`select version, text, given_by from kinora.consent where user_id = ${bob.userId}`
  assert.deepEqual([...rows], [{ version: 'one', text: 'They all agreed.', givenBy: bob.userId }])
})
