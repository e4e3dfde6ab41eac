/** Messages of a child, put together from the chunks in which they arrive, and never larger than allowed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MessageKind, messageOf, openParser } from '../../src/media/channel.ts'

const bytes = Buffer.concat([
  messageOf('ready', 0),
  messageOf('piece', 7, Buffer.from('....'), Buffer.from('boat')),
  messageOf('reply', 0xffff_ffff, Buffer.from('{}\n')),
])
const sent = [
  { kind: 'ready', job: 0, text: '' },
  { kind: 'piece', job: 7, text: '....boat' },
  { kind: 'reply', job: 0xffff_ffff, text: '{}\n' },
]

function parse(chunks: Buffer[], bytesMaxOf: (kind: MessageKind) => number) {
  const parser = openParser()
  const found: unknown[] = []
  for (const chunk of chunks) {
    parser.push(chunk)
    for (let next = parser.next(bytesMaxOf); next !== null; next = parser.next(bytesMaxOf)) {
      if (next === 'invalid') return { found, isEmpty: parser.isEmpty(), isInvalid: true }
      found.push({ kind: next.kind, job: next.job, text: next.bytes.toString() })
    }
  }
  return { found, isEmpty: parser.isEmpty(), isInvalid: false }
}

for (const chunkBytes of [1, 7, 1000]) {
  test(`messages: chunks of ${chunkBytes} bytes → each as it was sent, and nothing left`, () => {
    const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
      bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
    )
    assert.deepEqual(
      parse(chunks, () => 8),
      { found: sent, isEmpty: true, isInvalid: false },
    )
  })
}

test('messages: one that is larger than its kind may be, or of no kind → invalid, before it has arrived', () => {
  const isInvalid = (chunk: Buffer) => parse([chunk], (kind) => (kind === 'ready' ? 0 : 7)).isInvalid
  assert.equal(isInvalid(messageOf('piece', 7, Buffer.from('....boat')).subarray(0, 9)), true)
  assert.equal(isInvalid(messageOf('ready', 0, Buffer.from('x'))), true)
  assert.equal(isInvalid(Buffer.alloc(9, 9)), true)
  assert.equal(isInvalid(messageOf('reply', 7, Buffer.from('{}\n'))), false)
})

test('messages: bytes behind the last one → the parser is not empty', () => {
  assert.equal(parse([Buffer.concat([bytes, Buffer.from('x')])], () => 8).isEmpty, false)
})
