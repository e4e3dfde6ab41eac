// slow
/** Where a manifest goes: into every film with a place for it, which plays as before; else beside it. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { bindFilm } from '../../src/media/film/binding.ts'
import { judge } from '../support/content-credentials.ts'
import {
  box,
  longBox,
  metadata,
  partsOf,
  replaced,
  uint32,
  withInIndex,
  withLongPositions,
  withMovedPictures,
} from '../support/film-boxes.ts'
import * as films from '../support/films.ts'
import { type Random, randomOf } from '../support/random.ts'
import { assertEmbedded, metadataOf, sign } from '../support/signed-film.ts'

const label = JSON.stringify({ Label: '1', ContentProducer: '001191310115', ProduceID: 'film-1' })
const before = () => films.greyFilm(320, 180, 2)
const behind = () => films.greyFilm(320, 180, 2, { container: 'mov' })

/** In fragments whose pictures are at a position in the file, as older programs write them. */
async function fixedFragments(): Promise<Buffer> {
  let at = 0
  const parts = partsOf(await films.greyFilm(320, 180, 2, { container: 'fragmented' })).map(({ name, bytes }) => {
    const start = at
    at += bytes.length + (name === 'moof' ? 8 : 0)
    if (name !== 'moof') return bytes
    const based = replaced(bytes, ['moof', 'traf', 'tfhd'], (header) =>
      box(
        'tfhd',
        uint32(1 | (header.readUInt32BE(8) & 0xff)),
        header.subarray(12, 16),
        uint32(0, start),
        header.subarray(16),
      ),
    )
    return replaced(based, ['moof', 'traf', 'trun'], (run) => {
      const moved = Buffer.from(run)
      moved.writeUInt32BE(run.readUInt32BE(16) + 8, 16)
      return moved
    })
  })
  return Buffer.concat(parts)
}

const embedded: [string, () => Promise<Buffer>][] = [
  ['index before pictures', before],
  ['index behind pictures', behind],
  ['portrait, turned', () => films.greyFilm(1280, 720, 1, { rotation: 90 })],
  ['positions of 64 bits', async () => withLongPositions(await behind())],
  ['fragments', () => films.greyFilm(320, 180, 2, { container: 'fragmented' })],
  ['fragments at positions of the file', fixedFragments],
  ['AV1 in MP4', films.paintedAv1Mp4],
  ['HEVC in MP4', films.paintedHevcMp4],
  ['portrait format', () => films.greyFilm(720, 1280, 1)],
  ['free space, and boxes behind', async () => Buffer.concat([await before(), box('free', Buffer.alloc(999))])],
  ['padding behind', async () => Buffer.concat([await before(), Buffer.alloc(1000)])],
  [
    'index with a size of 64 bits',
    async () => {
      const film = await before()
      return replaced(withMovedPictures(film, 8), ['moov'], (moov) => longBox('moov', moov.subarray(8)))
    },
  ],
  ['metadata of its own', async () => withInIndex(await before(), metadata({ title: 'Boat' }))],
  [
    'metadata as QuickTime writes it, and a box behind',
    async () => withInIndex(await before(), metadata({ title: 'Boat' }, { version: false }), box('udta')),
  ],
]

for (const [name, make] of embedded) {
  test(`content credentials: film with ${name} → in the film with China’s label, trusted, and it plays as before`, async (t) => {
    const film = await make()
    const signed = await sign(t, film, { label })
    await assertEmbedded(film, signed)
    assert.deepEqual([signed.isLabelled, signed.sha256.toString('hex')], [true, hash('sha256', signed.bytes)])
    assert.deepEqual(await metadataOf(signed.bytes), { ...(await metadataOf(film)), AIGC: label })
  })
}

test('China’s label: one of another producer → stays', async (t) => {
  const theirs = JSON.stringify({ Label: '1', ContentProducer: 'another' })
  const film = withInIndex(await before(), metadata({ AIGC: theirs }))
  const signed = await sign(t, film, { label })
  await assertEmbedded(film, signed)
  assert.equal((await metadataOf(signed.bytes)).AIGC, theirs)
})

test('China’s label: film with metadata of another kind in its place → signed without', async (t) => {
  const film = withInIndex(await before(), metadata({ title: 'Boat' }, { kind: 'mdir' }))
  const signed = await sign(t, film, { label })
  await assertEmbedded(film, signed)
  assert.equal(signed.isLabelled, false)
})

const beside: [string, () => Promise<Buffer>][] = [
  ['WebM', films.paintedAv1Film],
  ['bytes behind the last box', async () => Buffer.concat([await before(), Buffer.from('tag')])],
]
for (const [name, make] of beside) {
  test(`content credentials: ${name} → in a file beside the film, which stays as it is`, async (t) => {
    const film = await make()
    const signed = await sign(t, film)
    const manifest = signed.manifest ?? assert.fail('there is a file beside the film')
    assert.equal(Buffer.compare(film, signed.bytes), 0)
    assert.deepEqual(signed.sha256, hash('sha256', film, 'buffer'))
    const found = await judge(manifest, 'application/c2pa', signed.root)
    // c2pa-rs judges no film whose manifest is a file, so it misses the film's bytes and nothing else.
    assert.deepEqual([found?.actions, found?.failures], [['c2pa.created'], ['assertion.dataHash.mismatch']])
    assert.equal(manifest.includes(hash('sha256', film, 'buffer')), true)
  })
}

test('content credentials: film whose own manifest is at another place, or twice → all are replaced', async (t) => {
  const film = await before()
  const once = await sign(t, film)
  const manifest = partsOf(once.bytes).find(({ name }) => name === 'uuid')?.bytes ?? assert.fail()
  const twice = Buffer.concat([once.bytes, manifest])
  const signed = await sign(t, twice)
  assert.equal(partsOf(signed.bytes).filter(({ name }) => name === 'uuid').length, 1)
  await assertEmbedded(film, { ...signed, root: once.root + signed.root })
})

test('bindFilm: films changed at random and cut off → a binding whose edits are of the film; never an error', async () => {
  const random = randomOf(20_261_128)
  const originals = [await before(), await behind(), await fixedFragments(), withLongPositions(await behind())]
  const deep = films.nestedFilm(await before(), 50_000)
  const tooFar = replaced(
    withLongPositions(await behind()),
    ['moov', 'trak', 'mdia', 'minf', 'stbl', 'co64'],
    (table) => Buffer.concat([table.subarray(0, 16), Buffer.alloc(table.length - 16, 0xff)]),
  )
  const changed = Array.from({ length: 3000 }, () => damaged(random.of(originals), random))
  for (const film of [Buffer.alloc(0), Buffer.from('ftyp'), deep, tooFar, ...changed]) {
    const read = (position: number, lengthBytes: number) => film.subarray(position, position + lengthBytes)
    const { embed } = bindFilm({ sizeBytes: film.length, read }, { boxBytes: 5000, aigc: label })
    for (const { at, removedBytes } of embed?.edits ?? []) assert.ok(at + removedBytes <= film.length)
    assert.ok((embed?.content.length ?? 0) <= film.length + 1000)
  }
})

/** Some bytes of the film's boxes are others, and sometimes its end is missing. */
function damaged(film: Buffer, { below, of }: Random): Buffer {
  const copy = Buffer.from(film.subarray(0, below(3) === 0 ? below(film.length) : film.length))
  for (let changes = below(4); changes >= 0 && copy.length > 4; changes -= 1) {
    const found = copy.indexOf(of(['ftyp', 'moov', 'trak', 'stbl', 'stco', 'co64', 'moof', 'tfhd', 'mdat']))
    const at = Math.min(Math.max(0, (found < 0 ? below(copy.length) : found) - 4 + below(24)), copy.length - 4)
    if (below(2) === 0) copy.writeUInt32BE(below(2) === 0 ? below(200) : 0xffff_fff0 + below(16), at)
    else copy.writeUInt8(below(256), at)
  }
  return copy
}
