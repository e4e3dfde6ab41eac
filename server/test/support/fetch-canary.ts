/** The canary of the SSRF tests: servers on loopback that count connections while a fetch is refused. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { after, before, beforeEach } from 'node:test'
import { FetchError } from '../../src/net/fetch-error.ts'
import { type FetchLimits, openSafeFetch } from '../../src/net/safe-fetch.ts'
import type { Lookup } from '../../src/net/ssrf-guard.ts'

export const limits: FetchLimits = {
  maxBytes: 1000,
  timeoutMs: 5000,
  idleTimeoutMs: 2000,
  accept: ['video/mp4'],
  refuse: [],
}

/**
 * `port` always listens. `from`: the remote ports of the connections to any of the servers, `toPort` of those to `port`
 * alone, both emptied before every test. Another program of the machine may connect to port 443, hence the second list.
 */
export const canary = { from: [] as (number | undefined)[], toPort: [] as (number | undefined)[], port: 0 }

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
    canary.from.length = 0
    canary.toPort.length = 0
  })
  after(() => {
    for (const server of servers) server?.close()
  })
}

async function listen(host: string, port: number): Promise<net.Server | null> {
  const server = net.createServer((socket) => {
    canary.from.push(socket.remotePort)
    if (socket.localPort === canary.port) canary.toPort.push(socket.remotePort)
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

/** Asserts that the fetch fails with this code. Without `lookup`, a DNS lookup but of localhost fails the test. */
export async function refused(url: string, code: string, lookup?: Lookup, allow: string[] = []): Promise<void> {
  const safeFetch = openSafeFetch({
    allow,
    lookup: lookup ?? (async (name) => (name === 'localhost' ? ['127.0.0.1'] : assert.fail(`looked up ${name}`))),
  })
  try {
    await safeFetch.get(url, limits)
    assert.fail(`${url} was fetched`)
  } catch (error) {
    assert.ok(error instanceof FetchError, `${url}: ${error}`)
    assert.equal(error.code, code, `${url}: ${error.message}`)
    assert.match(error.message, /^[^\n]+\.$/)
  } finally {
    await safeFetch.close()
  }
}
