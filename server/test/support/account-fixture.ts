/** Fixture: users who register and delete their account, the sweep, and what is left in the database. */
import assert from 'node:assert/strict'
import { eraseDeletedAccounts } from '../../src/account-data/erase.ts'
import { sweepAssets } from '../../src/asset/asset.ts'
import { MIRRORED } from '../../src/db/citus/tables.ts'
import { newId } from '../../src/id.ts'
import { openKinora, type Person } from './harness.ts'
import { paymentEnv } from './payment/payment-delivery.ts'

/** Opens the service for a test file and closes it after the file's last test. */
export async function openAccounts(env: Record<string, string> = {}) {
  const kinora = await openKinora({ simulator: true, env: { ...paymentEnv, ...env } })
  const { app } = kinora
  const { sql } = app
  const PASSWORD = 'correct horse battery'
  const SETTLE_MS = 16 * 60_000

  const auth = (way: 'sign-up' | 'sign-in', email: string, name = 'Ann Smith') =>
    kinora.call('POST', `/api/auth/${way}/email`, {
      body: { email, password: PASSWORD, ...(way === 'sign-up' ? { name } : {}) },
      headers: { origin: kinora.url },
    })

  /** Registers over HTTP, because a deletion asks for the password. */
  async function register({
    email = `ann-${newId(new Date())}@example.com`,
    name = 'Ann Smith',
  } = {}): Promise<Person> {
    const { status, text } = await auth('sign-up', email, name)
    assert.equal(status, 200)
    const { token, user } = JSON.parse(text)
    return { userId: user.id, token, email }
  }

  const deleteAccount = (as: Person, password = PASSWORD) =>
    kinora.call('DELETE', '/api/v1/account', { as, body: { password } })
  const deleteUser = (as: Person, { userId }: Person) =>
    kinora.call('DELETE', `/api/v1/admin/users/${userId}`, { as, body: { reason: 'Asked for it by e-mail' } })
  /** An administrator's operation of sign-in. */
  async function administer(name: string, body: Record<string, unknown>): Promise<void> {
    const admin = await kinora.person({ role: 'admin' })
    const response = await kinora.call('POST', `/api/auth/admin/${name}`, {
      as: admin,
      body,
      headers: { origin: kinora.url },
    })
    assert.equal(response.status, 200, response.text)
    await sql`update public."user" set role = 'user' where id = ${admin.userId}`
  }
  const isErased = async ({ userId }: Person) => {
    const [row] = await sql`select erased_at from kinora.deleted_account where user_id = ${userId}`
    return row?.erasedAt != null
  }
  async function erase(): Promise<void> {
    await eraseDeletedAccounts(app)
    await sweepAssets(app)
    kinora.turnClock(SETTLE_MS)
    await eraseDeletedAccounts(app)
    kinora.turnClock(-SETTLE_MS)
  }
  const booksOf = async ({ userId }: Person) => ({
    account: await sql`
      select available, frozen, used, total, transactions from kinora.credit_account where user_id = ${userId}
    `,
    history:
      await sql`select n, trans_type, credits, hash from kinora.credit_transaction where user_id = ${userId} order by n`,
  })
  /** The tables with a row that contains the text. Of a distributed database by the name of one that is not. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', table_schema, table_name) as name
      from information_schema.tables
      where table_schema in ('kinora', 'public') and table_type = 'BASE TABLE'
    `
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await sql.unsafe(`select from ${name} t where strpos(lower(t::text), lower($1)) > 0 limit 1`, [
          text,
        ])
        return rows.length > 0 ? name : null
      }),
    )
    return [...new Set(found.filter((name) => name !== null).map(plainName))].sort()
  }

  return {
    kinora,
    PASSWORD,
    auth,
    register,
    deleteAccount,
    deleteUser,
    administer,
    isErased,
    erase,
    booksOf,
    tablesWith,
  }
}

const plainName = (name: string): string =>
  MIRRORED.find(({ mirror }) => name === `kinora.${mirror}`)?.table ?? name.replace('kinora.shard_', 'kinora.')
