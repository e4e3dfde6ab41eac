/** `npm run soak`: model-based test of the ledger, a million calls or `SOAK_CALLS`, on a temporary PostgreSQL. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDatabase } from '../../bin/database.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const database = await startDatabase(root)
if (!database) process.exit(1)
const soak = spawn(process.execPath, [path.join(root, 'proofs/soak/soak.ts')], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: database.url },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => soak.kill(signal))
const status = await new Promise((resolve) => soak.once('exit', (code) => resolve(code ?? 1)))
await database.stop()
process.exit(status)
