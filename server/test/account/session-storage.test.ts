/** Sessions in the database: stored as hashes, found by the token only, and ended after a time without use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DBAdapter } from '@better-auth/core/db/adapter'
import { hashSessionToken, protectSessions, rowMethods } from '../../src/account/sessions.ts'
import { readConfig } from '../../src/config/config.ts'
import { bearer, openAuthCalls, PASSWORD } from '../support/auth-calls.ts'

const { kinora, call, signUp, signIn, balanceStatus } = await openAuthCalls()
const { sql } = kinora.app

const tokensOf = async (userId: string) =>
  (await sql<{ token: string }[]>`select token from public.session where "userId" = ${userId}`).map(
    ({ token }) => token,
  )

test('storage: sign-in, impersonation and new password → no token in the database, nor in a list of sessions', async () => {
  const { email, token, userId, headers } = await signUp()
  const second = await signIn(email)
  const change = { currentPassword: PASSWORD, newPassword: 'another long password', revokeOtherSessions: true }
  const renewed = String((await call('changePassword', change, headers)).json.token)
  const stored = await tokensOf(userId)
  assert.deepEqual(stored, [hashSessionToken(renewed)])
  assert.match(stored[0] ?? '', /^sha256:[\w-]{43}$/)
  const [dump] = await sql<{ text: string }[]>`select json_agg(s)::text as text from public.session s`
  const tokens = [token, String(second.authorization).slice('Bearer '.length), renewed]
  for (const each of tokens) assert.ok(!dump?.text.includes(each))
  const list = await call('listSessions', undefined, bearer(renewed))
  const session = await call('getSession', undefined, bearer(renewed))
  for (const each of tokens) assert.ok(!list.text.includes(each) && !session.text.includes(each))
  assert.equal(session.json.session.token, list.json[0].token, 'a page finds its own session in the list')
})

test('401: stored hash as token, bare, signed or in the cookie → no session (stolen copy of the database)', async () => {
  const { headers, userId } = await signUp()
  const [stored = ''] = await tokensOf(userId)
  for (const credential of [
    bearer(stored),
    bearer(encodeURIComponent(stored)),
    bearer(stored.slice('sha256:'.length)),
    { cookie: `kinora.session_token=${encodeURIComponent(stored)}` },
  ]) {
    assert.equal(await balanceStatus(credential), 401)
    assert.equal((await call('getSession', undefined, credential)).json, null)
    assert.equal((await call('listSessions', undefined, credential)).status, 401)
    assert.equal((await call('revokeSessions', undefined, { ...credential, origin: kinora.url })).status, 401)
  }
  assert.equal(await balanceStatus(headers), 200)
})

test('200: get-session and renewal after a day → cookie and header keep the token itself', async () => {
  const { token, userId } = await signUp()
  await sql`update public.session set "expiresAt" = now() + interval '28 days' where "userId" = ${userId}`
  const renewed = await call('getSession', undefined, bearer(token))
  assert.ok(renewed.headers.get('set-auth-token')?.startsWith(token))
  assert.deepEqual(await tokensOf(userId), [hashSessionToken(token)])
  assert.equal((await call('getSession', undefined, bearer(token))).json.user.id, userId)
})

test('storage: token that another program writes as it is → the database hashes it', async () => {
  const { userId } = await signUp()
  const token = 'written by another program 01234'
  await sql`update public.session set token = ${token} where "userId" = ${userId}`
  assert.deepEqual(await tokensOf(userId), [hashSessionToken(token)])
})

test('401: SESSION_IDLE_TIMEOUT without a request → the session ends; each use extends it', async () => {
  const { token, userId } = await signUp()
  const idleFor = (seconds: number) =>
    sql`update public.session set "updatedAt" = ${new Date(Date.now() - seconds * 1000)} where "userId" = ${userId}`
  const lastUsedS = async () => {
    const [row] = await sql<{ s: number }[]>`
      select extract(epoch from now() - "updatedAt")::float as s from public.session where "userId" = ${userId}
    `
    return row?.s ?? Number.NaN
  }
  const headers = bearer(token)
  await idleFor(7200)
  assert.equal((await call('getSession', undefined, headers)).json.user.id, userId, 'no timeout by default')
  for (const path of ['/api/v1/credit/balance', '/api/auth/list-sessions']) {
    await kinora.withSettings({ sessionIdleS: 3600 }, async (url) => {
      const status = async () => (await fetch(url + path, { headers })).status
      await idleFor(3000)
      assert.equal(await status(), 200, path)
      assert.ok((await lastUsedS()) < 60, path)
    })
    await kinora.withSettings({ sessionIdleS: 3600 }, async (url) => {
      await idleFor(3700)
      assert.equal((await fetch(url + path, { headers })).status, 401, path)
      assert.equal(await (await fetch(`${url}/api/auth/get-session`, { headers })).text(), 'null')
      assert.ok((await lastUsedS()) > 3600, 'a refused request does not extend it')
    })
  }
})

test('settings: SESSION_IDLE_TIMEOUT → off by default, else at least 5 minutes', () => {
  const required = { DATABASE_URL: 'postgres://x', AUTH_SECRET: 'x', AI_CALLBACK_SECRET: 'x' }
  const idleOf = (value?: string) =>
    readConfig({ ...required, ...(value === undefined ? {} : { SESSION_IDLE_TIMEOUT: value }) }, []).sessionIdleS
  assert.deepEqual([idleOf(), idleOf('off'), idleOf('5m'), idleOf('12h')], [null, null, 300, 43_200])
  for (const value of ['1m', 'soon', '0']) assert.throws(() => idleOf(value), /SESSION_IDLE_TIMEOUT/)
})

test('adapter: every method of better-auth’s adapter that reads or writes rows → hashes tokens', async () => {
  const { adapter } = await kinora.auth.context()
  const others = ['id', 'transaction', 'createSchema', 'options']
  assert.deepEqual(
    Object.keys(adapter)
      .filter((key) => !others.includes(key))
      .sort(),
    [...rowMethods].sort(),
  )
})

test('adapter: token in a condition or a row, alone or in a transaction → the database sees the hash only', async () => {
  type Sent = { where?: { value: string | string[] }[]; data?: { token: string }; update?: { token: string } }
  const seen: Sent[] = []
  const rows = Object.fromEntries(
    rowMethods.map((method) => [
      method,
      async (sent: Sent) => {
        seen.push(sent)
        return method === 'findMany' ? [] : null
      },
    ]),
  )
  const inner = { ...rows, transaction: (work: (each: object) => unknown) => work(rows) } as unknown as DBAdapter
  const adapter = protectSessions(inner, { idleS: null, now: () => new Date(), onError: () => {} })
  const where = [
    { field: 'token', value: 'secret' },
    { field: 'token', operator: 'in', value: ['secret'] },
  ]
  const token = { token: 'secret' }
  const useAll = async (each: Record<(typeof rowMethods)[number], (sent: never) => unknown>) => {
    for (const method of rowMethods) {
      const more = method === 'create' ? { data: token } : /^update/.test(method) ? { update: token } : {}
      await each[method]({ model: 'session', ...(method === 'create' ? {} : { where }), ...more } as never)
    }
  }
  await useAll(adapter)
  await adapter.transaction(useAll)
  assert.equal(seen.length, 2 * rowMethods.length)
  const hash = hashSessionToken('secret')
  for (const { where: conditions = [], data, update } of seen) {
    assert.deepEqual(
      [...conditions.flatMap(({ value }) => value), data?.token ?? hash, update?.token ?? hash].filter(
        (each) => each !== hash,
      ),
      [],
    )
  }
})
