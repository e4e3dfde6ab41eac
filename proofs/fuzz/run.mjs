/**
 * `npm run fuzz -- [--seed N] [--requests N] [--media N] [--only N]`: 10,000 generated requests, 5,000 mutated films,
 * images and sounds, 500 hostile URLs and raw HTTP against the real service on a temporary PostgreSQL. A run without a
 * problem writes its figures into docs/reliability.md. `--prism [test files]`: Prism validates the responses of the
 * HTTP tests instead (prism.mjs).
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startDatabase } from '../../bin/database.mjs'
import { writeSection } from '../simulation/reliability.ts'
import { validateWithPrism } from './prism.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    requests: { type: 'string', default: '10000' },
    media: { type: 'string', default: '5000' },
    only: { type: 'string' },
    prism: { type: 'boolean' },
  },
  allowPositionals: true,
})
if (values.prism) process.exit(await validateWithPrism(positionals))
const database = await startDatabase(root)
if (!database) process.exit(1)
const folder = mkdtempSync(path.join(tmpdir(), 'kinora-fuzz-'))
const report = path.join(folder, 'report.json')
const startedMs = Date.now()
const fuzz = spawn(process.execPath, ['--test-reporter=spec', path.join(root, 'proofs/test/fuzz.test.ts')], {
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_DATABASE_URL: database.url,
    FUZZ_SEED: values.seed,
    FUZZ_REQUESTS: values.requests,
    FUZZ_MEDIA: values.media,
    FUZZ_URLS: '500',
    FUZZ_SHAPES: '500',
    FUZZ_REPORT: report,
    ...(values.only === undefined ? {} : { FUZZ_ONLY: values.only }),
  },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => fuzz.kill(signal))
const status = await new Promise((resolve) => fuzz.once('exit', (code) => resolve(code ?? 1)))
await database.stop()
if (status === 0 && values.only === undefined) writeSection('fuzz', figures(JSON.parse(readFileSync(report, 'utf8'))))
rmSync(folder, { recursive: true, force: true })
process.exit(status)

function figures({ seed, requests, operations, statuses, shapes, urls, media, outcomes }) {
  const counts = (record) =>
    Object.entries(record)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ')
  return [
    `Seed ${seed}, ${Math.round((Date.now() - startedMs) / 1000)} s: no problem.`,
    '',
    '| | |',
    '|---|---|',
    `| requests to ${operations} operations, as anonymous, user, key, test key, owner and member of a team, and administrator | ${requests} |`,
    `| their statuses | ${counts(statuses)} |`,
    `| raw HTTP shapes | ${shapes} |`,
    `| hostile URLs, all refused without a connection | ${urls} |`,
    `| mutated films, images and sounds | ${media} |`,
    `| their outcomes | ${counts(outcomes)} |`,
  ].join('\n')
}
