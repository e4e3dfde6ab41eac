/** A server that must never be reached: it counts connections to loopback while a fetch is refused. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { after, before, beforeEach } from 'node:test'
import { type FetchCaps, FetchRefused, openFetch } from '../src/safe-fetch.ts'
import type { Lookup } from '../src/ssrf-guard.ts'

export const caps: FetchCaps = { maxBytes: 1000, timeoutMs: 5000, idleTimeoutMs: 2000, accept: ['video/mp4'] }

/** `port` is one that listens for certain; `connections` starts at 0 in every test. */
export const canary = { connections: 0, port: 0 }

/** Opens the canary for the tests of a file. */
export function openCanary(): void {
  const servers: (net.Server | null)[] = []
  before(async () => {
    const server = (await listen('127.0.0.1', 0)) ?? assert.fail('no port on loopback')
    canary.port = (server.address() as AddressInfo).port
    // Where a hostile https address would end, if this machine lets us listen there.
    servers.push(server, await listen('127.0.0.1', 443), await listen('::1', 443))
  })
  beforeEach(() => {
    canary.connections = 0
  })
  after(() => {
    for (const server of servers) server?.close()
  })
}

async function listen(host: string, port: number): Promise<net.Server | null> {
  const server = net.createServer((socket) => {
    canary.connections += 1
    socket.destroy()
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch {
    return null
  }
  return server
}

/** Expects a refusal with this code. Without a look-up of its own, asking for any name but localhost is a failure. */
export async function refused(url: string, code: string, lookup?: Lookup, allow: string[] = []): Promise<void> {
  const fetcher = openFetch({
    allow,
    lookup: lookup ?? (async (name) => (name === 'localhost' ? ['127.0.0.1'] : assert.fail(`asked for ${name}`))),
  })
  try {
    await fetcher.get(url, caps)
    assert.fail(`${url} was fetched`)
  } catch (error) {
    assert.ok(error instanceof FetchRefused, `${url}: ${error}`)
    assert.equal(error.code, code, `${url}: ${error.message}`)
    assert.match(error.message, /^[^\n]+\.$/)
  } finally {
    await fetcher.close()
  }
}
