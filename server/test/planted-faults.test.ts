/** The planted faults themselves: `node bin/faults.mjs` runs the tests with each of them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { faults, faultyText, fileUrl } from './planted-faults.ts'

test('planted faults: each one → fits its file once and changes it; no two have one name', () => {
  for (const fault of faults) {
    const text = readFileSync(fileUrl(fault), 'utf8')
    assert.notEqual(faultyText(fault, text), text, fault.name)
  }
  assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length)
})
