/**
 * `/mcp`, by the conformance scenarios of the protocol: all of them, one process for each era. conformance.yml lists
 * those that cannot pass here, with the reasons. The runner sends no credential, so a proxy adds an API key.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Kinora } from '../support/harness.ts'
import { check, customer } from './clients.ts'

const runner = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
const baseline = path.join(import.meta.dirname, 'conformance.yml')

/** The fewest scenarios of each era: a runner that finds none passes, too. */
const SCENARIOS_MIN = { '2025-11-25': 30, '2026-07-28': 35 } as const

export function testMcpConformance(kinora: Kinora): void {
  for (const era of ['2025-11-25', '2026-07-28'] as const) {
    check(
      'MCP',
      `conformance server --spec-version ${era}`,
      'every scenario but those of conformance.yml',
      async () => {
        const { apiKey } = await customer(kinora)
        const proxy = await openProxy(kinora, apiKey)
        const results = await mkdtemp(path.join(tmpdir(), 'kinora-conformance-'))
        try {
          const { status, output } = await run([
            ...['server', '--url', `${proxy.url}/mcp`, '--suite', 'all', '--spec-version', era],
            ...['--expected-failures', baseline, '--output-dir', results],
          ])
          assert.equal(status, 0, output)
          assert.ok((await readdir(results)).length >= SCENARIOS_MIN[era])
        } finally {
          proxy.close()
          await rm(results, { recursive: true, force: true })
        }
      },
    )
  }
}

function run(args: string[]): Promise<{ status: number | string; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [runner, ...args], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, output: stdout + stderr }),
    )
  })
}

/** Adds the API key, and takes its own address for the service's, as a reverse proxy does. */
async function openProxy(kinora: Kinora, apiKey: string): Promise<{ url: string; close: () => void }> {
  const { origin } = new URL(kinora.url)
  const server = http.createServer((request, response) => {
    const isOwn = request.headers.origin === url || request.headers.origin === url.replace('127.0.0.1', 'localhost')
    const headers = {
      ...request.headers,
      authorization: `Bearer ${apiKey}`,
      ...(isOwn ? { origin } : {}),
    }
    const forwarded = http.request(new URL(request.url ?? '/', kinora.url), { method: request.method, headers })
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
