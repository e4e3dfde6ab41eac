/** A hostile film may control its child: a manifest's place is refused unless it is of this film. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindingOf } from '../../src/media/film/inspect.ts'
import { MediaRefused } from '../../src/media/refusal.ts'

const FILM_BYTES = 10_000
const CONTENT = Buffer.alloc(300)
const MANIFESTS_BYTES = 100
const manifest = { at: 32, removedBytes: 0, sizeBytes: 5100, isManifest: true }
const index = { at: 9000, removedBytes: 1000, sizeBytes: 200, isManifest: false }
type Edits = (typeof manifest)[]
const bind = (
  edits: Edits | null,
  { content = CONTENT, boxBytes = 5000 as number | null, manifestsBytes = MANIFESTS_BYTES } = {},
) =>
  bindingOf(
    { hash: 'ab'.repeat(32), embed: edits && { edits, isLabelled: false }, manifestsBytes },
    content,
    FILM_BYTES,
    { boxBytes, aigc: null },
  )

test('reply of the inspecting child: edits within the film, one place for the manifest → as it says', () => {
  assert.equal(bind([manifest, index])?.embed?.content.length, 200)
  assert.equal(bind(null, { content: Buffer.alloc(MANIFESTS_BYTES) })?.embed, null)
})

const refused: [string, () => unknown][] = [
  ['edit that ends outside the film', () => bind([manifest, { ...index, removedBytes: 1001 }])],
  ['edit that begins outside the film', () => bind([manifest, { ...index, at: FILM_BYTES + 1, removedBytes: 0 }])],
  ['edits out of sequence', () => bind([index, manifest])],
  ['edits that overlap', () => bind([manifest, { ...index, at: 31 }])],
  ['two places for the manifest', () => bind([manifest, { ...manifest, at: 40 }, index])],
  ['no place for the manifest', () => bind([index])],
  ['place of another size', () => bind([{ ...manifest, sizeBytes: 5099 }, index])],
  [
    'place where a file beside the film was asked for',
    () => bind([{ ...manifest, sizeBytes: 100 }, index], { boxBytes: null }),
  ],
  ['less content than its edits have', () => bind([manifest, { ...index, sizeBytes: 201 }])],
  ['more content than its edits have', () => bind([manifest, { ...index, sizeBytes: 199 }])],
  ['more manifests than bytes', () => bind([manifest, index], { manifestsBytes: 301 })],
  ['content without edits', () => bind(null)],
]
for (const [name, reply] of refused) {
  test(`reply of the inspecting child: ${name} → refused`, () => {
    assert.throws(reply, MediaRefused)
  })
}
