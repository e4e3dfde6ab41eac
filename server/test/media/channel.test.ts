/** The file that a child sends in pieces: written by position, and never larger than allowed. */
import assert from 'node:assert/strict'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { pieceHeader, receivePieces } from '../../src/media/pieces.ts'

const piece = (position: number, text: string) =>
  Buffer.concat([pieceHeader(position, Buffer.byteLength(text)), Buffer.from(text)])

async function receive(t: TestContext, bytes: Buffer, options: { chunkBytes: number; bytesMax: number }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-pieces-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'kept')
  await using handle = await open(file, 'w')
  const chunks = Array.from({ length: Math.ceil(bytes.length / options.chunkBytes) }, (_, at) =>
    bytes.subarray(at * options.chunkBytes, (at + 1) * options.chunkBytes),
  )
  const isWhole = await receivePieces(Readable.from(chunks), handle, options.bytesMax)
  return { isWhole, text: await readFile(file, 'utf8') }
}

for (const chunkBytes of [1, 7, 1000]) {
  test(`receivePieces: chunks of ${chunkBytes} bytes → each piece at its position`, async (t) => {
    const bytes = Buffer.concat([piece(0, '....boat'), piece(8, ' at sea'), piece(0, 'one '), piece(15, '')])
    assert.deepEqual(await receive(t, bytes, { chunkBytes, bytesMax: 100 }), { isWhole: true, text: 'one boat at sea' })
  })
}

test('receivePieces: a piece beyond the limit, or more in all → stopped before it is written', async (t) => {
  const beyond = Buffer.concat([piece(0, 'boat'), piece(97, 'boat')])
  assert.deepEqual(await receive(t, beyond, { chunkBytes: 9, bytesMax: 100 }), { isWhole: false, text: 'boat' })
  const repeated = Buffer.concat(Array.from({ length: 4 }, () => piece(0, 'boat')))
  assert.deepEqual(await receive(t, repeated, { chunkBytes: 9, bytesMax: 12 }), { isWhole: false, text: 'boat' })
})
