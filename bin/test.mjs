/**
 * `npm test`: compiler, linter, formatter and every test file on a PostgreSQL of its own, and a last line that counts
 * all of it. `npm test -- --quick` leaves out the files that drive a browser or take long; `npm test --
 * some/file.test.ts` runs that file alone; `--near some/file.ts` and `--changed` run the tests near a file, or near
 * what has changed (bin/near.mjs), the nearest first. `npm run test:pooler` runs the server's files, or those named,
 * behind pgbouncer in transaction mode; `npm run test:citus` runs them on the distributed PostgreSQL that CITUS_URL
 * names.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './build.mjs'
import { clusterParentDir, startDatabase } from './database.mjs'
import { changedFiles, readSources, testsNear } from './near.mjs'
import { createReport } from './report.mjs'
import { runFiles } from './test-pool.mjs'

// Two more than CPUs: with one more, tests waited for databases, child processes and browsers a third of their time.
const WORKERS = Math.max(2, Math.min(availableParallelism(), 4)) + 2
// Detects a test that hangs. The slowest test takes 20 s on an idle machine.
const TEST_TIMEOUT_MS = 240_000
/** A file that takes more than nine seconds begins with `// slow`; every file that drives a browser is slow. */
const SLOW = /^\/\/ slow$|from '(\.\/browser\.ts|playwright-core)'/m

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const bin = (name) => path.join(root, 'node_modules/.bin', name)
// Several checkers check shared types several times: 7.4 s of CPU time instead of 5.2.
const oneChecker = ['--checkers', '1']
/** Kept for the next run: compiled code, and of the compiler which files it has checked, by their content. */
const cacheDir = path.join(root, 'node_modules/.cache/kinora-test')
const incremental = (name) => ['--incremental', '--tsBuildInfoFile', path.join(cacheDir, `${name}.tsbuildinfo`)]
const checks = [
  ['types', bin('tsc'), ['-p', 'tsconfig.json', ...oneChecker, ...incremental('all')]],
  ['types of the studio', bin('tsc'), ['-p', 'studio', ...oneChecker, ...incremental('studio')]],
  [
    'lint',
    bin('biome'),
    ['ci', '--colors=off', '--formatter-enabled=false', '--assist-enabled=false', '--error-on-warnings', '.'],
  ],
  ['imports', process.execPath, ['bin/imports.mjs']],
  ['format', bin('biome'), ['ci', '--colors=off', '--linter-enabled=false', '--assist-enabled=true', '.']],
]

const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const isPooled = args.includes('--pooler')
const isDistributed = args.includes('--citus')
const isNear = args.includes('--near') || args.includes('--changed')
const files = args.filter((arg) => !['--quick', '--pooler', '--citus', '--near', '--changed'].includes(arg))
const unknown = files.find((arg) => arg.startsWith('-'))
if (unknown) {
  process.stderr.write(`npm test takes --quick, --pooler, --citus, --near, --changed or files, not ${unknown}.\n`)
  process.exit(1)
}
const named = isNear ? chooseNear() : files
const pgbouncer = isPooled ? await import('../server/test/support/pgbouncer.ts') : null
const pgbouncerProgram = pgbouncer?.findPgbouncer()
if (pgbouncerProgram === null) {
  process.stdout.write('SKIPPED: pgbouncer is not installed. On Debian: apt-get install pgbouncer\n')
  process.exit(0)
}
const citusUrl = process.env.CITUS_URL
if (isDistributed && !citusUrl) {
  process.stdout.write(
    'SKIPPED: CITUS_URL is not set. It names the coordinator of a Citus cluster: docs/distributed.md says how to start one.\n',
  )
  process.exit(0)
}

const report = createReport(root)
const abort = new AbortController()
const children = new Set()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal))

const startedMs = Date.now()
const checksDone = named.length > 0 || isPooled || isDistributed ? null : runChecks()
const database = isDistributed ? { url: citusUrl, stop: () => {} } : await startDatabase(root)
if (!database) report.check('database', false, 'The PostgreSQL for the tests did not start; its output stands above.')
const pooler = database && pgbouncerProgram ? await pgbouncer.startPgbouncer(pgbouncerProgram, database.url) : null
if (database && !abort.signal.aborted) {
  await runFiles(named.length > 0 ? named.map((file) => path.resolve(file)) : testFiles(), {
    workers: WORKERS,
    testTimeoutMs: TEST_TIMEOUT_MS,
    env: {
      ...testEnvironment(database.url),
      ...(isDistributed ? { CITUS_URL: citusUrl } : {}),
      TEST_PICTURES: files.length > 0 && !isNear ? '1' : '',
      TEST_POOLER_PORT: pooler === null ? '' : `${pooler.port}`,
    },
    signal: abort.signal,
    onResult: report.file,
  })
}
await checksDone
await pooler?.stop()
await database?.stop()
report.summarise(Date.now() - startedMs)
process.exit(report.failed() || abort.signal.aborted ? 1 : 0)

function testFiles() {
  const packages =
    isPooled || isDistributed
      ? '{server,proofs}'
      : '{server,simulator,cli,client,python-client,ai-sdk-provider,user-cli,studio,proofs}'
  const files = globSync(`${packages}/test/**/*.test.ts`, { cwd: root })
    .sort()
    .map((file) => path.join(root, file))
  const slow = files.filter((file) => SLOW.test(readFileSync(file, 'utf8')))
  const others = files.filter((file) => !slow.includes(file))
  // The slow ones first, so that none of them runs alone at the end.
  if (!isQuick) return [...slow, ...others]
  process.stdout.write(`${others.length} of ${files.length} test files; the others are slow or drive a browser\n`)
  return others
}

/** Exits when there are none. */
function chooseNear() {
  const changed = [
    ...files.map((file) => path.relative(root, path.resolve(file))),
    ...(args.includes('--changed') ? changedFiles(root) : []),
  ]
  const near = testsNear(readSources(root), changed)
  process.stdout.write(`${near.length} test files near ${changed.join(', ') || 'no file'}\n`)
  for (const { file, reason } of near) process.stdout.write(`  ${file}: ${reason}\n`)
  if (near.length === 0) process.exit(1)
  return near.map(({ file }) => path.join(root, file))
}

/** One after another, beside the tests. */
async function runChecks() {
  for (const [name, command, commandArgs] of checks) {
    if (abort.signal.aborted) return
    const { status, output } = await runToEnd(command, commandArgs)
    report.check(name, status === 0, output)
  }
}

function runToEnd(command, commandArgs) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArgs, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
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

/** Settings of the user's shell must not decide how the tests end. */
function testEnvironment(databaseUrl) {
  const names = [
    'PATH',
    'HOME',
    'TMPDIR',
    'LANG',
    'TERM',
    'NODE_EXTRA_CA_CERTS',
    'SOAK_SEED',
    'PAYMENT_SEEDS',
    'UPDATE_DOCS',
    'UPDATE_SNAPSHOT',
    'EVERY_FILM',
    'TEST_VALIDATOR_URL',
  ]
  const kept = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return {
    ...Object.fromEntries(kept),
    TEST_DATABASE_URL: databaseUrl,
    TEST_CLUSTER_DIR: clusterParentDir(),
    ...(isBuilt(root, 'server') ? { KINORA_MEDIA_DIR: path.join(root, 'server/dist/media') } : {}),
    // Every process that a test starts uses it, and the next run.
    NODE_COMPILE_CACHE: cacheDir,
    NO_COLOR: '1',
  }
}

function end(signal) {
  abort.abort()
  for (const child of children) child.kill(signal)
}
