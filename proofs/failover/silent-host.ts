/**
 * The database's host is gone without a word, and its address leads to another one after some seconds. A proxy stands
 * in for the address: connections that are open bring nothing and are not closed, new ones are not answered, until it
 * leads to the database again, in which the old sessions were ended. Measures for how long no request that writes
 * succeeds.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { openEnvironment, startServer } from '../../bench/environment.ts'
import { seedUsers, tokenOf } from '../../bench/users.ts'

export const AWAY_MS = 13_000
const PAUSE_MS = 200
const TIMEOUT_MS = 5_000
export const CLIENTS = 8
const GIVE_UP_MS = 180_000

/** @returns how long after the database was back the first write succeeded, and all clients' writes, in ms */
export async function loseHost(outer: AsyncDisposableStack): Promise<{ firstMs: number; allMs: number }> {
  await using stack = new AsyncDisposableStack()
  // A signal ends what is open.
  outer.defer(() => stack.disposeAsync())
  const environment = await openEnvironment()
  stack.defer(environment.close)
  const target = new URL(environment.databaseUrl)
  const address = await openAddress(target)
  stack.defer(address.close)
  const superuser = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
  stack.defer(() => superuser.end({ timeout: 1 }))
  await seedUsers(superuser, 1)
  const databaseUrl = new URL(target)
  databaseUrl.host = `127.0.0.1:${address.port}`
  const server = await startServer({
    ...environment,
    env: { ...environment.env, DATABASE_URL: databaseUrl.href, RATE_LIMITS: 'off' },
  })
  stack.defer(server.stop)

  const succeededMs = Array<number>(CLIENTS).fill(0)
  let isOver = false
  const client = async (n: number) => {
    for (let round = 0; !isOver; round += 1) {
      const response = await fetch(`http://127.0.0.1:${server.port}/api/auth/update-user`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokenOf(n + 1)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `${n} ${round}` }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch(() => null)
      if (response?.ok) succeededMs[n] = performance.now()
      else if (response) lastStatus = `${response.status} ${await response.text()}`
      await sleep(PAUSE_MS)
    }
  }
  let lastStatus = ''
  const clients = Array.from({ length: CLIENTS }, (_, n) => client(n))
  const until = async (condition: () => boolean) => {
    const endMs = performance.now() + GIVE_UP_MS
    while (!condition()) {
      if (performance.now() > endMs) throw new Error(`No write succeeded again: ${lastStatus}`)
      await sleep(20)
    }
  }
  await until(() => succeededMs.every((ms) => ms > 0))
  await sleep(5_000)
  address.silence()
  await superuser`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `
  await sleep(AWAY_MS)
  const backMs = performance.now()
  address.lead()
  await until(() => succeededMs.some((ms) => ms > backMs))
  const firstMs = performance.now() - backMs
  await until(() => succeededMs.every((ms) => ms > backMs))
  const allMs = performance.now() - backMs
  isOver = true
  await Promise.all(clients)
  return { firstMs, allMs }
}

async function openAddress(target: URL) {
  const open = new Set<Socket>()
  let isSilent = false
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => {}).on('close', () => open.delete(client))
    if (isSilent) return void client.pause()
    const upstream = connect(Number(target.port), target.hostname)
    open.add(upstream)
    upstream.on('error', () => {}).on('close', () => open.delete(upstream))
    client.on('data', (chunk) => upstream.write(chunk)).on('close', () => upstream.destroy())
    // A host that is gone closes nothing: what the database ends meanwhile is not passed on.
    upstream.on('data', (chunk) => isGone.has(client) || client.write(chunk))
    upstream.on('close', () => isGone.has(client) || client.destroy())
  })
  const isGone = new Set<Socket>()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    silence: () => {
      isSilent = true
      for (const socket of open) isGone.add(socket)
    },
    lead: () => {
      isSilent = false
    },
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
