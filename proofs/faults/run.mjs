/**
 * `node proofs/faults/run.mjs [--only <test file>] [part of a name]`: plants each fault of
 * proofs/faults/planted-faults.ts and runs the tests of its part of the product, which must fail: all of them until one
 * does, or only one. Exits with 1 when a fault is not found.
 */
import { spawnSync } from 'node:child_process'
import { accessSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startDatabase } from '../../bin/database.mjs'
import { faults } from './planted-faults.ts'

// The quick ones first: the rest need not run when one of them fails.
const LEDGER_FILES = [
  'ledger/api-key-budget',
  'ledger/refund-claims',
  'ledger/transfer',
  'ledger/owed',
  'ledger/grace',
  'ledger/ledger',
  'ledger/settle',
  'ledger/sets',
  'video/sets',
  'ledger/verify',
  'db/clock',
  'ledger/call-races',
  'ledger/model',
  'ledger/redemption',
  'ledger/redemption-person',
  'ledger/forgeries',
  'team/credits',
  'ledger/admin-corrections',
  'video/batch',
  'project/generate',
]
const PAYMENT_FILES = [
  'payment/plans',
  'payment/status',
  'payment/order',
  'payment/processors',
  'payment/dispute',
  'payment/invoice',
  'payment/formats',
  'payment/catalogue',
  'payment/unknown-product',
  'payment/transaction',
  'payment/table',
  'payment/claw-back',
  'payment/several-charges',
  'payment/unknown-payment',
  'payment/payment-b',
  'payment/payment-a',
  'payment/billing',
  'payment/reconcile',
  'payment/reconcile-known',
  'payment/unmatched',
  'payment/dismiss',
  'payment/reconcile-timer',
  'payment/race',
]
const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const faultDir = path.join(root, 'proofs/faults')
// A missing file would count as one whose tests fail.
for (const name of [...LEDGER_FILES, ...PAYMENT_FILES, ...(values.only ? [values.only] : [])])
  accessSync(testFile(name))
const database = await startDatabase(root)
if (!database) process.exit(1)

// The faults change the books within a few orders.
process.env.PAYMENT_SEEDS ??= '20'
const chosen = faults.filter(({ name }) => name.includes(positionals[0] ?? ''))
let missed = 0
for (const { name, file } of chosen) {
  const files = values.only ? [values.only] : /payment|subscription/.test(file) ? PAYMENT_FILES : LEDGER_FILES
  const canStart = passes(path.join(faultDir, 'fault-canary.ts'), name)
  const finder = canStart && files.find((each) => !passes(testFile(each), name))
  if (!finder) missed += 1
  console.log(`${finder ? `found by ${finder}` : canStart ? 'NOT FOUND' : 'DOES NOT START'}: ${name}`)
}
console.log(`${chosen.length} faults, ${missed} not found.`)
await database.stop()
process.exit(missed > 0 ? 1 : 0)

/** @param name of a test file of the server, with its folder */
function testFile(name) {
  return path.join(root, 'server/test', `${name}.test.ts`)
}

function passes(file, fault) {
  // A file whose open handles keep it alive would stop the run.
  const args = ['--test-force-exit', '--import', path.join(faultDir, 'plant-fault.ts'), file]
  const env = { ...process.env, TEST_DATABASE_URL: database.url, TEST_FAULT: fault }
  return spawnSync(process.execPath, args, { stdio: 'ignore', env }).status === 0
}
