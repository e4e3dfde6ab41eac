/**
 * Sign-in has connections of its own: after an outage of the database they come back as quickly as the others. And a
 * sign-up that the database fails to store is to be repeated.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTcpProxy } from '../../../proofs/chaos/tcp-proxy.ts'
import { openKinora } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const OUTAGE_MS = 6_000
/** The driver's own pause has grown to 4 to 7 s by then, and grows to 20 s. */
const BACK_MAX_MS = 2_500

const kinora = await openKinora()

test('503, 200: sign-in during an outage of the database and after it → works again within seconds', async () => {
  const target = new URL(kinora.databaseUrl)
  const databasePort = Number(target.port)
  const proxy = await openTcpProxy(() => databasePort)
  target.host = `127.0.0.1:${proxy.port}`
  await kinora.withSettings({ databaseUrl: target.href }, async (url) => {
    const headers = { 'content-type': 'application/json' }
    const send = async (path: string, body: object) => {
      const response = await fetch(`${url}/api/auth/${path}/email`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      await response.arrayBuffer()
      return response.status
    }
    const ann = { email: 'ann@example.com', password: 'correct horse battery' }
    assert.equal(await send('sign-up', { name: 'Ann', ...ann }), 200)
    proxy.cut()
    const endMs = performance.now() + OUTAGE_MS
    while (performance.now() < endMs) assert.equal(await send('sign-in', ann), 503)
    proxy.isCut = false
    const backMs = performance.now()
    while ((await send('sign-in', ann)) !== 200) assert.ok(performance.now() - backMs < BACK_MAX_MS, 'still 503')
    assert.ok(performance.now() - backMs < BACK_MAX_MS, `after ${performance.now() - backMs} ms`)
  })
  proxy.close()
})

test('503, 200: sign-in whose connection to the database is lost in a statement → works again at once', async () => {
  const { sql } = kinora.app
  const body = { email: 'cid@example.com', password: 'correct horse battery' }
  assert.equal((await kinora.call('POST', '/api/auth/sign-up/email', { body: { name: 'Cid', ...body } })).status, 200)
  const signIn = () => kinora.call('POST', '/api/auth/sign-in/email', { body })
  const lost = await sql.begin(async (tx) => {
    await tx`lock table public."user" in access exclusive mode`
    const response = signIn()
    await waitFor('the statement to be lost', async () => {
      const { count } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%"user"%'
      `
      return count > 0
    })
    return response
  })
  assert.deepEqual([lost.status, lost.error?.code], [503, 'UNAVAILABLE'])
  assert.equal((await signIn()).status, 200)
})

test('503: sign-up whose account the database does not store → to be repeated; repeated → an account', async () => {
  const { sql } = kinora.app
  await sql.unsafe(`
    create function public.fail() returns trigger language plpgsql as $$
    begin
      raise exception 'connection to the remote node failed' using errcode = 'connection_failure';
    end $$;
    create trigger node_is_down before insert on public."user" for each row execute function public.fail()
  `)
  const body = { name: 'Bea', email: 'bea@example.com', password: 'correct horse battery' }
  const refused = await kinora.call('POST', '/api/auth/sign-up/email', { body })
  assert.deepEqual([refused.status, refused.error?.code], [503, 'UNAVAILABLE'])
  await sql.unsafe('drop trigger node_is_down on public."user"; drop function public.fail()')
  assert.equal((await kinora.call('POST', '/api/auth/sign-up/email', { body })).status, 200)
})
