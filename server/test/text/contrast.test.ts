import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentColours, contrast } from '../../src/text/contrast.ts'

test('contrast: black on white → 21; a colour on itself → 1', () => {
  assert.equal(Math.round(contrast('#000000', '#ffffff')), 21)
  assert.equal(contrast('#f2b03d', '#f2b03d'), 1)
})

test('accent colours: any colour of the operator → text in it, and text on it, can be read on both grounds', () => {
  for (const accent of [
    '#f2b03d',
    '#2f6df6',
    '#000000',
    '#ffffff',
    '#808080',
    '#ff0000',
    '#00ff00',
    '#0000ff',
    '#767676',
  ]) {
    const colours = accentColours(accent)
    const [, light = '', dark = ''] = /^light-dark\((#\w+), (#\w+)\)$/.exec(colours['--accent-text'] ?? '') ?? []
    assert.ok(contrast(light, '#f6f4ef') >= 7, `${accent}: ${light} on the light ground`)
    assert.ok(contrast(dark, '#0e0f11') >= 7, `${accent}: ${dark} on the dark ground`)
    assert.ok(contrast(colours['--on-accent'] ?? '', accent) >= 4.5, `${accent}: on it`)
  }
})
