/**
 * `node bin/faults.mjs [part of a name]`: plants each fault of server/test/ledger-faults.ts in the test databases and runs the
 * ledger's tests, which must fail. Exits with 1 when a fault is not found.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { faults } from '../server/test/ledger-faults.ts'
import { startDatabase } from './database.mjs'

// The quick ones first: the rest need not run when one of them fails.
const FILES = [
  'ledger-claims',
  'ledger-grace',
  'ledger',
  'ledger-sets',
  'video-sets',
  'verify',
  'clock',
  'ledger-races',
  'ledger-model',
  'admin-corrections',
]
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const database = await startDatabase(root)
if (!database) process.exit(1)
const run = (file, fault) =>
  spawnSync(process.execPath, ['--test', path.join(root, `server/test/${file}.test.ts`)], {
    stdio: 'ignore',
    env: { ...process.env, TEST_DATABASE_URL: database.url, TEST_FAULT: fault },
  }).status

let missed = 0
for (const { name } of faults.filter(({ name }) => name.includes(process.argv[2] ?? ''))) {
  const finder = FILES.find((file) => run(file, name) !== 0)
  if (!finder) missed += 1
  console.log(`${finder ? `found by ${finder}` : 'NOT FOUND'}: ${name}`)
}
console.log(`${faults.length} faults, ${missed} not found.`)
await database.stop()
process.exit(missed > 0 ? 1 : 0)
