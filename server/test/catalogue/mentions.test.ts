import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withMentions } from '../../src/catalogue/mentions.ts'

const reference = (kind: 'image' | 'film' | 'sound') => ({ role: 'reference', kind }) as const
const given = [reference('image'), reference('film'), { role: 'start', kind: 'image' } as const, reference('image')]

test('mentions: @1 to @3 of two images and a film → the vendor’s names, by the number of their kind', () => {
  const mentions = { image: '@Image{n}', film: '<VIDEO_{n}>' }
  assert.equal(
    withMentions('@1 walks as in @2, (@3) looks on', given, mentions),
    '@Image1 walks as in <VIDEO_1>, (@Image2) looks on',
  )
})

test('mentions: a route without them, or without those of a kind → plain words', () => {
  assert.equal(withMentions('@1, @2 and @3', given), 'image 1, video 1 and image 2')
  assert.equal(
    withMentions('@1 hums @2', [reference('image'), reference('sound')], { image: '[{n}]' }),
    '[1] hums audio 1',
  )
})

test('mentions: a number of no reference, a name, an address, no references → as they are', () => {
  const prompt = 'Write @4, @0, @mara, ann@1.example, @12th and @@1'
  assert.equal(withMentions(prompt, given), prompt)
  assert.equal(withMentions('@1', [{ role: 'start', kind: 'image' }]), '@1')
  assert.equal(withMentions('@1', null), '@1')
})

test('mentions: a name → each reference that has it, in any case; a number goes before a name of digits', () => {
  const named = (name: string, kind: 'image' | 'sound' = 'image') => ({ ...reference(kind), name })
  const cast = [named('mara'), reference('image'), named('mara'), named('小船'), named('mara', 'sound'), named('1')]
  const mentions = { image: '[{n}]' }
  assert.equal(withMentions('@Mara and @小船: @1', cast, mentions), '[1], [3], audio 1 and [4]: [1]')
  assert.equal(withMentions('让@mara走过@小船边', cast, mentions), '让[1], [3], audio 1走过[4]边')
  for (const other of ['@mara-2', '@maraé', '@marab', 'ann@mara', '@mar'])
    assert.equal(withMentions(other, cast, mentions), other)
  assert.equal(withMentions('@mara', [{ role: 'start', kind: 'image', name: 'mara' }, reference('image')]), '@mara')
})
