/**
 * `npm test`: compiler, linter, formatter, then every test file on a PostgreSQL of its own, and one line at the end that
 * counts it all. `npm test -- some/file.test.ts` runs that file alone.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDatabase } from './database.mjs'
import { createReport } from './report.mjs'
import { runFiles } from './test-pool.mjs'

const WORKERS = Number(process.env.TEST_WORKERS ?? 3)
// The slowest file is far from it; a test that hangs is to fail, not to hang the run.
const FILE_LIMIT_MS = Number(process.env.TEST_LIMIT ?? 240_000)

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const bin = (name) => path.join(root, 'node_modules/.bin', name)
const checks = [
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['types of the studio', bin('tsc'), ['-p', 'studio']],
  [
    'lint',
    bin('biome'),
    ['ci', '--colors=off', '--formatter-enabled=false', '--assist-enabled=false', '--error-on-warnings', '.'],
  ],
  ['imports', process.execPath, ['bin/imports.mjs']],
  ['format', bin('biome'), ['ci', '--colors=off', '--linter-enabled=false', '--assist-enabled=true', '.']],
]

const report = createReport(root)
const abort = new AbortController()
const children = new Set()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal))

const asked = process.argv.slice(2)
const started = Date.now()
if (asked.length === 0) await runChecks()
const files = asked.length > 0 ? asked.map((file) => path.resolve(file)) : testFiles()
const database = abort.signal.aborted ? null : await startDatabase(root)
if (!database) report.check('database', false, 'The PostgreSQL for the tests did not start; what it said stands above.')
if (database) await runTests(files, database.url)
await database?.stop()
report.summarise(Date.now() - started)
process.exit(report.failed() || abort.signal.aborted ? 1 : 0)

function testFiles() {
  return globSync('{server,simulator,cli,client,studio}/test/**/*.test.ts', { cwd: root })
    .sort()
    .map((file) => path.join(root, file))
}

async function runChecks() {
  for (const [name, command, args] of checks) {
    const { status, output } = await runToEnd(command, args)
    report.check(name, status === 0, output)
  }
}

function runToEnd(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    children.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ status: null, output: error.message }))
    child.on('close', (status) => {
      children.delete(child)
      resolve({ status, output })
    })
  })
}

async function runTests(files, databaseUrl) {
  await runFiles(files, {
    workers: WORKERS,
    fileTimeoutMs: FILE_LIMIT_MS,
    env: testEnvironment(databaseUrl),
    signal: abort.signal,
    onResult: (result) => report.file(result),
  })
}

/** The settings of whoever runs the tests must not decide how they end. */
function testEnvironment(databaseUrl) {
  const names = [
    'PATH',
    'HOME',
    'TMPDIR',
    'LANG',
    'TERM',
    'NODE_EXTRA_CA_CERTS',
    'SOAK_SEED',
    'NODE_V8_COVERAGE',
    'NODE_OPTIONS',
  ]
  const kept = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return { ...Object.fromEntries(kept), TEST_DATABASE_URL: databaseUrl, NO_COLOR: '1' }
}

function end(signal) {
  abort.abort()
  for (const child of children) child.kill(signal)
}
