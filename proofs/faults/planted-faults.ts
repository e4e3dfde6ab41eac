/**
 * Planted faults: one-line changes of the product that a test must find. `node proofs/faults/run.mjs` sets TEST_FAULT
 * to the name of one at a time and runs the tests. A fault in server/sql is planted in each test database
 * (database.ts), one in server/src in the module as it is loaded (plant-fault.ts).
 */
import { readFileSync } from 'node:fs'
import { codeFaults } from './code-faults.ts'
import { type Fault, faultyText } from './fault.ts'
import { ledgerFaults } from './ledger-faults.ts'
import { paymentFaults } from './payment-faults.ts'
import { processorFaults } from './processor-faults.ts'
import { transferFaults } from './transfer-faults.ts'
import { waitingFaults } from './waiting-faults.ts'

export const faults: Fault[] = [
  ...ledgerFaults,
  ...waitingFaults,
  ...transferFaults,
  ...codeFaults,
  ...paymentFaults,
  ...processorFaults,
]

/** The faulty text of an SQL file; null without such a fault. @throws Error when the fault no longer fits its file */
export function faultySql(): string | null {
  const fault = plantedFault()
  return fault?.file.startsWith('sql/') ? faultyText(fault, readFileSync(fileUrl(fault), 'utf8')) : null
}

/** The fault that TEST_FAULT names, or null. */
export function plantedFault(): Fault | null {
  const name = process.env.TEST_FAULT
  if (!name) return null
  const fault = faults.find((each) => each.name === name)
  if (!fault) throw new Error(`there is no fault "${name}"`)
  return fault
}

/** `file`: below server/. */
export const fileUrl = ({ file }: Fault): URL => new URL(`../../server/${file}`, import.meta.url)
