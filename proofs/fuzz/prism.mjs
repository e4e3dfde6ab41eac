/**
 * `npm run fuzz -- --prism [test files]`: Prism validates every response of the HTTP tests against openapi.json. The
 * tests run as ever; the harness (server/test/support/harness.ts) sends each exchange here, and `prism proxy` is asked
 * for it again with the recorded response behind it. So no test meets another server, and one Prism serves all files.
 * Prism comes from PRISM or the PATH.
 */
import { spawn, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeSection } from '../simulation/reliability.ts'

const PACKAGE = '@stoplight/prism-cli@5.16.0'
const ID_HEADER = 'x-validated-exchange'
const READY_MAX_MS = 60_000
const SHOWN_MAX = 40
/** Hop by hop, or of the body's transport. */
const NOT_PASSED_ON = ['content-length', 'transfer-encoding', 'content-encoding', 'connection', 'keep-alive']

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** @param {string[]} named test files; none: all that send requests @returns {Promise<number>} the exit status */
export async function validateWithPrism(named) {
  const program = findPrism()
  if (!program) {
    console.log(`SKIPPED: Prism is not installed. npm install --global ${PACKAGE}, or PRISM=<its program>`)
    return 0
  }
  const files = named.length > 0 ? named : testsWithRequests()
  const validator = await startValidator(program)
  const startedMs = Date.now()
  const tests = spawn(process.execPath, [path.join(root, 'bin/run.mjs'), 'test', ...files], {
    stdio: 'inherit',
    env: { ...process.env, TEST_VALIDATOR_URL: validator.url },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal))
  const testStatus = await new Promise((resolve) => tests.once('exit', (code) => resolve(code ?? 1)))
  const { exchanges, unknown, violations } = await validator.stop()
  for (const [text, count] of [...violations].slice(0, SHOWN_MAX)) console.log(`VIOLATION ${text} (${count} times)`)
  const seconds = Math.round((Date.now() - startedMs) / 1000)
  const summary =
    `${exchanges} responses of ${files.length} test files in ${seconds} s, validated by ${PACKAGE}: ${violations.size} kinds of violations. ` +
    `${unknown} more were of paths that openapi.json does not have.`
  console.log(summary)
  const isGood = violations.size === 0 && exchanges > 0 && testStatus === 0
  if (isGood) writeSection('prism', summary)
  return isGood ? 0 : 1
}

function findPrism() {
  if (process.env.PRISM) return process.env.PRISM
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v prism'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

const testsWithRequests = () =>
  globSync('server/test/**/*.test.ts', { cwd: root })
    .filter((file) => /kinora\.(call|generate)\(/.test(readFileSync(path.join(root, file), 'utf8')))
    .sort()

async function startValidator(program) {
  /** The recorded exchanges by id, which Prism asks for behind its proxy. */
  const recorded = new Map()
  const violations = new Map()
  const counts = { exchanges: 0, unknown: 0 }
  const underWay = new Set()
  let last = 0

  const upstream = createServer((incoming, response) => {
    const { status, headers, text } = recorded.get(incoming.headers[ID_HEADER])
    incoming.resume()
    const kept = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.includes(name))
    response.writeHead(status, Object.fromEntries(kept)).end(text)
  })
  const prismPort = await freePort()
  const prism = spawn(
    process.execPath,
    [
      program,
      'proxy',
      path.join(root, 'openapi.json'),
      `http://127.0.0.1:${await listening(upstream)}`,
      ...['--port', String(prismPort), '--host', '127.0.0.1', '--validate-request=false', '--verboseLevel', 'silent'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const prismEnded = new Promise((resolve) => prism.once('exit', resolve))

  async function validate({ method, target, headers, status, responseHeaders, text }) {
    const id = String(++last)
    recorded.set(id, { status, headers: responseHeaders, text })
    const received = await send(prismPort, { method, path: target, headers: { ...headers, [ID_HEADER]: id } })
    recorded.delete(id)
    const found = JSON.parse(received.headers['sl-violations'] ?? '[]')
    const isUnknown = found.some(({ message }) => /route not found/i.test(message))
    counts[isUnknown ? 'unknown' : 'exchanges'] += 1
    for (const { location, message, severity } of found) {
      if (isUnknown || location[0] !== 'response' || severity !== 'Error') continue
      const route = target.split('?')[0].replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
      const key = `${method} ${route} ${status}: ${location.join('.')}: ${message}`
      violations.set(key, (violations.get(key) ?? 0) + 1)
    }
  }

  const inbox = createServer(async (incoming, response) => {
    const chunks = await Array.fromAsync(incoming)
    response.end()
    const validating = validate(JSON.parse(Buffer.concat(chunks).toString('utf8'))).catch((error) => {
      violations.set(`Prism did not validate: ${error.message}`, 1)
    })
    underWay.add(validating)
    validating.finally(() => underWay.delete(validating))
  })
  const url = `http://127.0.0.1:${await listening(inbox)}`
  const endMs = Date.now() + READY_MAX_MS
  recorded.set('ready', { status: 200, headers: {}, text: '' })
  while (!(await send(prismPort, { method: 'GET', path: '/', headers: { [ID_HEADER]: 'ready' } }).catch(() => null))) {
    if (Date.now() > endMs || prism.exitCode !== null) throw new Error('Prism does not start')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    url,
    stop: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
      prism.kill('SIGTERM')
      await prismEnded
      for (const server of [inbox, upstream]) server.close().closeAllConnections()
      return { ...counts, violations }
    },
  }
}

function send(port, { method, path: target, headers }) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path: target, headers }, async (response) => {
      await Array.fromAsync(response).catch(reject)
      resolve({ headers: response.headers })
    })
    sent.once('error', reject)
    sent.end()
  })
}

async function listening(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server.address().port
}

async function freePort() {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
