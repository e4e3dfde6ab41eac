/**
 * `npm run judge -- server/test/task.test.ts …`: a second judge of openapi.json. The requests of these tests pass through `prism proxy`, which
 * compares each response with the document and reports what violates it. PRISM names the program: it is no dependency, because only this
 * script uses it (`npm install --prefix /tmp/prism @stoplight/prism-cli`, then PRISM=/tmp/prism/node_modules/.bin/prism).
 *
 * One prism has one upstream, and each test file has a service of its own. So prism's upstream is a switch here, which sends a
 * request on to the address that the test named. Whether the tests pass is not judged: prism answers some malformed requests itself.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDatabase } from './database.mjs'

const PRISM_PORT = 24_010
const READY_MAX_MS = 120_000
/** Set by judge-preload.mjs on every request of a test. */
const UPSTREAM = 'x-kinora-upstream'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const files = process.argv.slice(2)
const prismFile = process.env.PRISM
if (!prismFile || !existsSync(prismFile)) {
  console.log('SKIPPED: PRISM does not name the prism program of @stoplight/prism-cli.')
  process.exit(0)
}
const folder = mkdtempSync(path.join(tmpdir(), 'kinora-judge-'))
const found = path.join(folder, 'found.jsonl')

const toTest = createServer((incoming, outgoing) => {
  const { [UPSTREAM]: upstream, ...headers } = incoming.headers
  const url = new URL(`${upstream}`)
  const sent = request(
    {
      host: url.hostname,
      port: url.port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...headers, host: url.host },
    },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(outgoing)
    },
  )
  sent.on('error', () => outgoing.destroy())
  incoming.pipe(sent)
})
toTest.listen(0, '127.0.0.1')
await once(toTest, 'listening')
const prism = spawn(
  process.execPath,
  [
    prismFile,
    'proxy',
    path.join(root, 'openapi.json'),
    `http://127.0.0.1:${toTest.address().port}`,
    '-p',
    `${PRISM_PORT}`,
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
)
await listening()
const database = await startDatabase(root)
if (!database) process.exit(1)
for (const file of files) {
  const test = spawn(
    process.execPath,
    [`--import=${path.join(root, 'bin/judge-preload.mjs')}`, '--test-reporter=dot', path.resolve(file)],
    {
      stdio: ['ignore', 'ignore', 'ignore'],
      env: {
        ...process.env,
        TEST_DATABASE_URL: database.url,
        JUDGE_URL: `http://127.0.0.1:${PRISM_PORT}`,
        JUDGE_FILE: found,
      },
    },
  )
  const [status] = await once(test, 'exit')
  console.log(`${file}: ${status === 0 ? 'passed' : 'some tests failed behind prism'}`)
}
await database.stop()
prism.kill('SIGTERM')
toTest.close()
toTest.closeAllConnections()

const lines = existsSync(found) ? readFileSync(found, 'utf8').trim().split('\n').filter(Boolean) : []
const answers = lines.map((line) => JSON.parse(line))
const kinds = new Map()
for (const { method, route, status, violations } of answers) {
  for (const { location, severity, message } of violations) {
    // What a test sends wrongly on purpose is the request's, and the service has to refuse it: that is no difference.
    if (location?.[0] !== 'response') continue
    const kind = `${severity} ${method} ${route} ${status}: ${location.join('.')} ${message}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
}
for (const [kind, count] of [...kinds].sort(([one], [other]) => (one < other ? -1 : 1)))
  console.log(`${count} × ${kind}`)
console.log(`${answers.length} responses were judged, ${kinds.size} kinds of difference.`)
rmSync(folder, { recursive: true, force: true })
process.exit(kinds.size === 0 && answers.length > 0 ? 0 : 1)

async function listening() {
  const endMs = Date.now() + READY_MAX_MS
  for (;;) {
    const socket = connect(PRISM_PORT, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise((resolve) => socket.once('error', () => resolve(false))),
    ])
    socket.destroy()
    if (isOpen) return
    if (Date.now() > endMs) throw new Error('prism does not listen')
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
