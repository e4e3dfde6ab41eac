/** `GET /api/v1/admin/users…`: users, their balances, and their credit transactions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'

const kinora = await openKinora()
const root = await kinora.person({ role: 'admin', credits: 0 })
const UNKNOWN = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
const DAY_MS = 86_400_000

type User = {
  id: string
  email: string
  name: string
  role: string
  createdAt: string
  banned: boolean
  credits: { available: number; frozen: number; used: number; total: number }
}
type Page = { users: User[]; total: number; pageSize: number; nextCursor: string | null }
const users = (query = '', as: Person | null = root) =>
  kinora.call<Page>('GET', `/api/v1/admin/users${query}`, as ? { as } : {})
const userOf = async ({ userId }: Person) => (await users(`?q=${userId}`)).data.users[0]

async function named(name: string, options: Parameters<typeof kinora.person>[0] = {}): Promise<Person> {
  const person = await kinora.person(options)
  await kinora.app.sql`update public."user" set name = ${name} where id = ${person.userId}`
  return person
}

test('200: q → matches part of the name or e-mail address case-insensitively, or the whole id', async () => {
  const ann = await named('Ann Quirrell_100%')
  for (const q of ['quirrell', 'QUIRRELL', 'rell_100%', ann.userId, ann.userId.toUpperCase(), ` ${ann.userId} `]) {
    const { data } = await users(`?q=${encodeURIComponent(q)}`)
    assert.deepEqual([data.users.map(({ id }) => id), data.total], [[ann.userId], 1], q)
  }
  assert.deepEqual(
    (await users(`?q=${ann.email.slice(0, 30)}`)).data.users.map(({ email }) => email),
    [ann.email],
  )
  for (const q of ['quirrel_', 'matches no user', UNKNOWN, "'; drop table x", '\\']) {
    assert.deepEqual((await users(`?q=${encodeURIComponent(q)}`)).data, {
      users: [],
      total: 0,
      pageSize: 20,
      nextCursor: null,
    })
  }
  assert.ok((await users('?q=')).data.total >= 2)
})

test('200: a user → role, ban and the same balance as the user reads', async () => {
  const ann = await named('Ann', { credits: 60 })
  await kinora.generate(ann)
  const user = await userOf(ann)
  assert.ok(user)
  assert.deepEqual(Object.keys(user), ['id', 'email', 'name', 'role', 'createdAt', 'deletedAt', 'banned', 'credits'])
  assert.deepEqual(user.credits, { available: 44, frozen: 16, used: 0, total: 60, expired: 0, clawedBack: 0, owed: 0 })
  const { expiringSoon: _, ...own } = (await kinora.balance(ann)) as User['credits'] & { expiringSoon: number }
  assert.deepEqual(user.credits, own)
  assert.deepEqual([user.role, user.banned], ['user', false])
  assert.equal((await userOf(root))?.role, 'admin')
})

test('200: expired credits → not available, written off or not; reading writes nothing', async () => {
  const ann = await named('Ann', { credits: 0 })
  await kinora.grant(ann, 100, 1)
  await kinora.grant(ann, 10, 30)
  kinora.turnClock(2 * DAY_MS)
  assert.equal((await userOf(ann))?.credits.available, 10)
  const [row] = await kinora.app.sql`select available from kinora.credit_account where user_id = ${ann.userId}`
  assert.equal(row?.available, 110, 'reading a list writes nothing')
  await kinora.balance(ann)
  assert.equal((await userOf(ann))?.credits.available, 10)
})

test('200: ban that has expired → not banned', async () => {
  const ann = await kinora.person()
  const lock = (until: Date | null) =>
    kinora.app.sql`
      update public."user" set banned = true, "banReason" = 'spam', "banExpires" = ${until} where id = ${ann.userId}
    `
  await lock(null)
  assert.equal((await userOf(ann))?.banned, true)
  await lock(new Date(Date.now() - 1000))
  assert.equal((await userOf(ann))?.banned, false)
  await lock(new Date(Date.now() + DAY_MS))
  const { data } = await kinora.call('GET', `/api/v1/admin/users/${ann.userId}`, { as: root })
  assert.deepEqual([data.banned, data.banReason], [true, 'spam'])
})

test('200: one user → with the number of videos in progress; zeros without a credit account', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann)
  const { status, data } = await kinora.call('GET', `/api/v1/admin/users/${ann.userId.toUpperCase()}`, { as: root })
  assert.equal(status, 200)
  assert.deepEqual(data, {
    ...(await userOf(ann)),
    banReason: null,
    banExpires: null,
    inProgress: 1,
    emailVerified: false,
    twoFactorEnabled: false,
    signInMethods: [],
    passkeys: 0,
    apiKeys: 0,
    sessions: 1,
    giftRefusal: null,
  })
  const bob = await kinora.person({ credits: 0 })
  assert.deepEqual((await userOf(bob))?.credits, {
    available: 0,
    frozen: 0,
    used: 0,
    total: 0,
    expired: 0,
    clawedBack: 0,
    owed: 0,
  })
})

test('200, 409: verification sent again → a mail and an audit entry; not for a verified address', async () => {
  const ann = await kinora.person({ credits: 0 })
  const resend = () => kinora.call('POST', `/api/v1/admin/users/${ann.userId}/verification`, { as: root })
  assert.equal((await resend()).status, 200)
  const mails = await kinora.app.sql`select kind from kinora.mail where user_id = ${ann.userId}`
  assert.deepEqual([...mails], [{ kind: 'email.verify' }])
  const entries = await kinora.app.sql`select action, actor_id from kinora.audit where user_id = ${ann.userId}`
  assert.deepEqual([...entries], [{ action: 'user.resend-verification', actorId: root.userId }])
  await kinora.app.sql`update public."user" set "emailVerified" = true where id = ${ann.userId}`
  assert.equal((await resend()).status, 409)
})

test('200: history of a user → the same pages as the user reads', async () => {
  const ann = await kinora.person({ credits: 60 })
  await kinora.person({ credits: 60 })
  await kinora.generate(ann)
  for (const query of ['', '?pageSize=1', '?transType=VIDEO_CONSUME', '?page=2&pageSize=1', '?cursor=2']) {
    const own = await kinora.call('GET', `/api/v1/credit/history${query}`, { as: ann })
    const seen = await kinora.call('GET', `/api/v1/admin/users/${ann.userId}/history${query}`, { as: root })
    assert.equal(seen.status, 200)
    assert.deepEqual(seen.data, own.data)
  }
})

test('404: unknown user → NOT_FOUND', async () => {
  for (const id of [UNKNOWN, 'ann', '%00', "'"]) {
    for (const path of [`/api/v1/admin/users/${id}`, `/api/v1/admin/users/${id}/history`]) {
      const { status, error } = await kinora.call('GET', path, { as: root })
      assert.ok(status === 404 || (id === '%00' && status === 400), `${path}: ${status} ${error?.message}`)
    }
  }
})

test('200: from and to → the users who signed up in these days, page by page; with q or owes → 400', async (context) => {
  kinora.turnClock(20 * DAY_MS)
  context.after(() => kinora.turnClock(0))
  const day = kinora.app.now().toISOString().slice(0, 10)
  const made = [await kinora.person(), await kinora.person(), await kinora.person()].map(({ userId }) => userId)
  const first = (await users(`?from=${day}&to=${day}&pageSize=2`)).data
  const second = (await users(`?from=${day}&pageSize=2&cursor=${first.nextCursor}`)).data
  assert.deepEqual([...first.users, ...second.users].map(({ id }) => id).toSorted(), made.toSorted())
  assert.deepEqual([first.total, second.total, second.nextCursor], [3, 3, null])
  for (const query of [`?from=${day}&q=a`, `?from=${day}&owes=true`, '?q=a&owes=true', '?from=2026-02-30'])
    assert.equal((await users(query)).status, 400, query)
})

test('400: pageSize, q or cursor out of range → names the field', async () => {
  const wrong = [
    ['?pageSize=0', 'pageSize'],
    ['?pageSize=101', 'pageSize'],
    ['?pageSize=x', 'pageSize'],
    [`?q=${'x'.repeat(201)}`, 'q'],
    ['?cursor=7', 'cursor'],
  ]
  for (const [query, path] of wrong) {
    const response = await users(query)
    assert.equal(response.status, 400, query)
    assert.deepEqual(pathsOf(response), [path])
  }
})

test('401, 403: no credential, or a user’s, also about themselves → refused', async () => {
  const ann = await kinora.person()
  for (const path of ['', `/${ann.userId}`, `/${ann.userId}/history`]) {
    assert.equal((await kinora.call('GET', `/api/v1/admin/users${path}`)).status, 401)
    const { status, error } = await kinora.call('GET', `/api/v1/admin/users${path}`, { as: ann })
    assert.equal(status, 403)
    assert.equal(error?.code, 'FORBIDDEN')
  }
})
