/** Planted faults: `node proofs/faults/run.mjs` runs the tests with each, `npm run simulate -- --faults` simulates. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Fault, faultyText } from '../faults/fault.ts'
import { faults, fileUrl } from '../faults/planted-faults.ts'
import { faults as simulatedFaults } from '../simulation/faults.ts'

const belowServer = (fault: Fault): Fault => ({
  ...fault,
  file: `${fault.file.endsWith('.sql') ? 'sql' : 'src'}/${fault.file}`,
})

for (const [list, all] of [
  ['tests', faults],
  ['simulation', simulatedFaults.map(belowServer)],
] as const) {
  test(`planted faults of the ${list}: each one → fits its file once and changes it; no two have one name`, () => {
    for (const fault of all) {
      const text = readFileSync(fileUrl(fault), 'utf8')
      assert.notEqual(faultyText(fault, text), text, fault.name)
    }
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length)
  })
}
