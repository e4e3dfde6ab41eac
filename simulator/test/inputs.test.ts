/** Films made from pictures, films and sounds: each is fetched, measured and shown. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  bodyA,
  bodyB,
  type ListedTask,
  listedTask,
  listen,
  pollA,
  type SubmitRequest,
  startSimulator,
  submitA,
  submitB,
  waitFor,
} from './harness.ts'
import { assertShows, type Colour, image, sound } from './media.ts'

const simulator = await startSimulator()
const files = new Map<string, Buffer>()
const { base } = await listen((request, response) => {
  const file = files.get(request.url ?? '')
  if (file) response.end(file)
  else response.writeHead(404).end()
})
function at(name: string, file: Buffer): string {
  files.set(`/${name}`, file)
  return `${base}/${name}`
}

async function ended(id: string): Promise<ListedTask & { error: string | null }> {
  return waitFor(`the end of ${id}`, async () => {
    const task = (await listedTask(simulator, id)) as ListedTask & { error: string | null }
    return task.endedAt !== null && task
  })
}
async function made(request: SubmitRequest): Promise<ListedTask & { film: ArrayBuffer }> {
  const { id } = await bodyA(await submitA(simulator, request))
  const task = await ended(id)
  assert.equal(task.error, null)
  const { results = [] } = await pollA(simulator, id)
  return { ...task, film: await (await fetch(results[0] ?? '')).arrayBuffer() }
}

const red = at('red.png', await image('#d02020'))
const green = at('green.png', await image('#20d020'))
const blue = at('blue.png', await image('#2020d0', 30, 60))
const short = Buffer.from((await made({ ref: 'short', duration: 2 })).film)
const tall = Buffer.from((await made({ ref: 'tall', aspectRatio: '9:16', duration: 3 })).film)
const [boat, dancer] = [at('boat.mp4', short), at('dancer.mp4', tall)]
const [voice, music] = [at('voice.wav', sound(2.5)), at('music.wav', sound(4, 100))]
const paints: { [link: string]: Colour } = {
  [red]: [0xd0, 0x20, 0x20],
  [green]: [0x20, 0xd0, 0x20],
  [blue]: [0x20, 0x20, 0xd0],
}
const measured: { [link: string]: [number | null, number | null, number | null] } = {
  [red]: [64, 48, null],
  [green]: [64, 48, null],
  [blue]: [30, 60, null],
  [boat]: [854, 480, 2],
  [dancer]: [480, 854, 3],
  [voice]: [null, null, 2.5],
  [music]: [null, null, 4],
}
const hashOf = (link: string) =>
  createHash('sha256')
    .update(files.get(new URL(link).pathname) ?? '')
    .digest('hex')

const contentsOf = (links: string[]) => links.map((link) => paints[link] ?? hashOf(link))

const modes: { [mode: string]: { role: string; kind?: string; url: string }[] } = {
  'image-to-video': [{ role: 'start', url: red }],
  'first-last': [
    { role: 'start', url: red },
    { role: 'end', url: blue },
  ],
  keyframes: [
    { role: 'keyframe', url: blue },
    { role: 'keyframe', url: green },
    { role: 'keyframe', url: red },
  ],
  reference: [
    { role: 'reference', kind: 'image', url: green },
    { role: 'reference', kind: 'image', url: red },
    { role: 'reference', kind: 'film', url: dancer },
    { role: 'reference', kind: 'film', url: boat },
    { role: 'reference', kind: 'sound', url: music },
    { role: 'reference', kind: 'sound', url: voice },
  ],
  edit: [{ role: 'film', url: boat }],
  motion: [
    { role: 'start', url: blue },
    { role: 'motion', url: dancer },
  ],
  'lip-sync': [
    { role: 'film', url: boat },
    { role: 'sound', url: voice },
  ],
  avatar: [
    { role: 'portrait', url: green },
    { role: 'sound', url: music },
  ],
}
for (const [mode, inputs] of Object.entries(modes)) {
  test(`film: ${mode} → each input in its sign, and measured in the list of tasks`, async () => {
    const film = await made({ ref: mode, inputs })
    assert.deepEqual(
      film.inputs.map(({ role, kind: _, url, sha256, width, height, seconds }) => ({
        ...{ role, url, sha256 },
        measured: [width, height, seconds],
      })),
      inputs.map(({ role, url }) => ({ role, url, sha256: hashOf(url), measured: measured[url] })),
    )
    await assertShows(film.film, film, contentsOf(inputs.map(({ url }) => url)))
  })
}

test('film: 40 references → all have a place within the scene', async () => {
  const links = Array.from({ length: 40 }, (_, index) => [red, green, blue, boat, voice][index % 5] ?? red)
  const kindOf = (url: string) => (url === boat ? 'film' : url === voice ? 'sound' : 'image')
  const inputs = links.map((url) => ({ role: 'reference', kind: kindOf(url), url }))
  const film = await made({ ref: 'many', quality: '720p', inputs })
  await assertShows(film.film, film, contentsOf(film.inputs.map(({ url }) => url)))
})

const lengths: [string, SubmitRequest['inputs'], number][] = [
  ['edit', [{ role: 'film', url: boat }], 2],
  ['motion', modes.motion, 3],
  [
    'sound beside a longer film',
    [
      { role: 'film', url: dancer },
      { role: 'sound', url: voice },
    ],
    2.5,
  ],
  [
    'sound beside a shorter film',
    [
      { role: 'film', url: boat },
      { role: 'sound', url: music },
    ],
    2,
  ],
  [
    'portrait and sound',
    [
      { role: 'portrait', url: red },
      { role: 'sound', url: voice },
    ],
    2.5,
  ],
  ['references alone', [{ role: 'reference', kind: 'sound', url: voice }], 5],
]
for (const [name, inputs = [], seconds] of lengths) {
  test(`length: ${name}, none stated → ${seconds} s`, async () => {
    const film = await made({ ref: `length of ${name}`, follows: true, inputs })
    assert.equal(film.durationS, seconds)
  })
}

test('length: stated beside a sound → as stated', async () => {
  const { durationS } = await made({ ref: 'stated', duration: 6, inputs: [{ role: 'sound', url: voice }] })
  assert.equal(durationS, 6)
})

test('shape: film to edit, none stated → its sides; a larger quality → the same ratio', async () => {
  const inputs = [{ role: 'film', url: dancer }]
  const same = await made({ ref: 'same', follows: true, inputs })
  assert.deepEqual([same.width, same.height], [480, 854])
  const larger = await made({ ref: 'larger', follows: true, quality: '1080p', inputs })
  assert.deepEqual([larger.width, larger.height], [1080, 1920])
})

const broken = at('text.bin', Buffer.from('no media'))
const cut = at('cut.mp4', short.subarray(0, short.length - 100))
const missing = `${base}/missing`
const failures: [NonNullable<SubmitRequest['inputs']>, RegExp][] = [
  [[{ role: 'start', url: broken }], /its start image cannot be read\.$/],
  [[{ role: 'start', url: missing }], /the address of its start image answers 404\.$/],
  [
    [
      { role: 'portrait', url: missing },
      { role: 'sound', url: voice },
    ],
    /of its portrait answers 404\.$/,
  ],
  [
    [
      { role: 'portrait', url: red },
      { role: 'sound', url: missing },
    ],
    /of its sound answers 404\.$/,
  ],
  [[{ role: 'sound', url: broken }], /its sound cannot be read\.$/],
  [[{ role: 'sound', url: boat }], /its sound cannot be read\.$/],
  [[{ role: 'film', url: voice }], /its film cannot be read\.$/],
  [[{ role: 'film', url: cut }], /its film cannot be read\.$/],
  [[{ role: 'film', url: red }], /its film cannot be read\.$/],
  [
    [
      { role: 'start', url: red },
      { role: 'motion', url: missing },
    ],
    /of its film of the motion answers 404\.$/,
  ],
  [[{ role: 'start', url: boat }], /its start image cannot be read\.$/],
  [
    [
      { role: 'keyframe', url: red },
      { role: 'keyframe', url: broken },
    ],
    /its keyframe 2 cannot be read\.$/,
  ],
  [
    [
      { role: 'reference', kind: 'image', url: red },
      { role: 'reference', kind: 'film', url: boat },
      { role: 'reference', kind: 'film', url: missing },
    ],
    /the address of its reference film 2 answers 404\.$/,
  ],
  [
    [{ role: 'reference', kind: 'sound', url: 'http://127.0.0.1:1/a.mp3' }],
    /of its reference sound 1 does not answer\.$/,
  ],
]
for (const [index, [inputs, why]] of failures.entries()) {
  test(`failure: input that is of no use → ${why.source.slice(0, -3)}`, async () => {
    const { id } = await bodyA(await submitA(simulator, { ref: `failure-${index}`, inputs }))
    assert.match((await ended(id)).error ?? '', why)
  })
}

test('400: address that is no link → names the input; no prompt beside a picture alone → refused', async () => {
  const inputs = [
    { role: 'film', url: boat },
    { role: 'sound', url: 'file:///etc/passwd' },
  ]
  const a = await submitA(simulator, { ref: 'no-link', inputs })
  assert.equal(a.status, 400)
  assert.equal((await bodyA(a)).error.message, 'The sound must be an http(s) address or a data URI.')
  const b = await bodyB(await submitB(simulator, { ref: 'no-link-b', inputs }))
  assert.deepEqual([b.code, b.msg], [400, 'The sound must be an http(s) address or a data URI.'])
  const pictures = await submitA(simulator, { ref: 'wordless', prompt: '', inputs: [{ role: 'start', url: red }] })
  assert.equal((await bodyA(pictures)).error.message, 'prompt is missing.')
  const wordless = await made({ ref: 'wordless-film', prompt: '', inputs: [{ role: 'film', url: boat }] })
  assert.equal(wordless.prompt, '')
})
