/** `POST /api/auth/admin/set-role` and `ban-user`: one administrator who is not locked is always left. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora()
const { sql } = kinora.app

beforeEach(() => sql`update public."user" set role = 'user'`)

type Change = { name: 'set-role' | 'ban-user'; body: Record<string, unknown> }
const demotion: Change = { name: 'set-role', body: { role: 'user' } }
const lock: Change = { name: 'ban-user', body: {} }

async function change(as: Person, { userId }: Person, { name, body }: Change) {
  const headers = { origin: kinora.url }
  const { status, text } = await kinora.call('POST', `/api/auth/admin/${name}`, {
    as,
    headers,
    body: { userId, ...body },
  })
  return { status, code: JSON.parse(text).code as string | undefined }
}
const administrator = () => kinora.person({ role: 'admin' })
const countAdministrators = async () =>
  (await sql`select from public."user" where role = 'admin' and banned is not true`).length

test('409: last administrator demotes herself → she keeps the role, and no audit entry says otherwise', async () => {
  const ann = await administrator()
  assert.deepEqual(await change(ann, ann, demotion), { status: 409, code: 'LAST_ADMINISTRATOR' })
  assert.equal(await countAdministrators(), 1)
  assert.equal(
    (await sql`select from kinora.audit where user_id = ${ann.userId} and action = 'user.set-role'`).length,
    0,
  )
})

test('409, 200: other administrator is locked → refused; locked until yesterday → demoted', async () => {
  const [ann, bob] = [await administrator(), await administrator()]
  assert.equal((await change(ann, bob, lock)).status, 200)
  assert.equal((await change(ann, ann, demotion)).status, 409)
  await sql`update public."user" set "banExpires" = now() - interval '1 day' where id = ${bob.userId}`
  assert.equal((await change(ann, ann, demotion)).status, 200)
})

for (const [name, first, second] of [
  ['demote each other', demotion, demotion],
  ['lock each other', lock, lock],
  ['demote and lock each other', demotion, lock],
] as const) {
  test(`race: the last two administrators ${name} at once → one is left`, async () => {
    for (let round = 0; round < 5; round += 1) {
      await sql`update public."user" set role = 'user'`
      const [ann, bob] = [await administrator(), await administrator()]
      const responses = await Promise.all([change(ann, bob, first), change(bob, ann, second)])
      assert.equal(await countAdministrators(), 1)
      // The slower one is refused as the last administrator, or by then is none.
      assert.deepEqual(responses.filter(({ status }) => status === 200).length, 1, JSON.stringify(responses))
    }
  })
}
