/**
 * `kinora reset-password EMAIL` and `kinora promote EMAIL`: an operator at the machine lets a user in again, or makes
 * one an administrator. Each is one statement with its audit entry, whose actor is the service, because a shell has no
 * account.
 */

import { randomInt } from 'node:crypto'
import { hashPassword } from 'better-auth/crypto'
import type { Config } from '../config/config.ts'
import { part } from '../db/call.ts'
import { openDb, type Sql } from '../db/db.ts'
import { newId } from '../id.ts'
import { counted } from '../text/counted.ts'

/** Excludes characters that are taken for each other when they are read aloud or typed: 0 O, 1 l I. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz'
/** Four groups of five characters of 32: 100 bits. */
const GROUPS = 4
const GROUP_CHARACTERS = 5

/**
 * Replaces the password by a random one, which is printed once, and ends all sessions. A password and not a link: it
 * needs neither a page nor a row that expires. @returns the exit status
 */
export async function resetPasswordCommand(config: Config, args: string[]): Promise<number> {
  return withEmail(config, args, 'reset-password', async (sql, email) => {
    const password = randomPassword()
    const reset = await resetPassword(sql, email, password)
    if (!reset) return noUser(email)
    console.log(`New password of ${email}: ${password}`)
    const ended = counted(reset.sessions, 'session was ended', 'sessions were ended')
    console.log(`It is shown this once; the user should change it on the account page. ${ended}; API keys stay valid.`)
    return 0
  })
}

/** Makes the user an administrator. @returns the exit status */
export async function promoteCommand(config: Config, args: string[]): Promise<number> {
  return withEmail(config, args, 'promote', async (sql, email) => {
    const outcome = await promote(sql, email, 'kinora promote', new Date())
    if (outcome === 'not_found') return noUser(email)
    console.log(outcome === 'promoted' ? `${email} is an administrator now.` : `${email} was an administrator already.`)
    return 0
  })
}

/** Gives the user the role of an administrator, and writes the audit entry. */
export async function promote(
  sql: Sql,
  email: string,
  reason: string,
  now: Date,
): Promise<'promoted' | 'unchanged' | 'not_found'> {
  const entry = part(sql, 'audit_add', {
    actorId: sql`kinora.service_actor()`,
    action: 'user.set-role',
    userId: sql`id::uuid`,
    before: sql`jsonb_build_object('role', role)`,
    after: sql`jsonb_build_object('role', 'admin')`,
    reason,
    now,
  })
  const [row] = await sql<[{ found: number; promoted: number }]>`
    with promoted as (
      update public."user" u
      set role = 'admin'
      from public."user" old
      where u.email = ${email} and u.role is distinct from 'admin' and old.id = u.id
      returning u.id, old.role
    ), entry as (
      select ${entry}
      from promoted
    )
    select (select count(*) from public."user" u where u.email = ${email}) as found, (select count(*) from entry) as promoted
  `
  if (row.promoted > 0) return 'promoted'
  return row.found > 0 ? 'unchanged' : 'not_found'
}

/** @returns how many sessions were ended; null when there is no such user */
async function resetPassword(sql: Sql, email: string, password: string): Promise<{ sessions: number } | null> {
  const hash = await hashPassword(password)
  const now = new Date()
  const entry = part(sql, 'audit_add', {
    actorId: sql`kinora.service_actor()`,
    action: 'user.set-password',
    userId: sql`id::uuid`,
    before: sql`jsonb_build_object('sessions', sessions)`,
    after: sql`jsonb_build_object('sessions', 0)`,
    reason: 'kinora reset-password',
    now,
  })
  const [row] = await sql<{ sessions: number }[]>`
    with owner as (
      select id from public."user" where email = ${email}
    ), changed as (
      update public.account a
      set password = ${hash}, "updatedAt" = ${now}
      from owner
      where a."userId" = owner.id and a."providerId" = 'credential'
      returning a.id
    ), added as (
      -- A user without a password signs in by other means so far.
      insert into public.account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
      select ${newId(now)}, owner.id, 'credential', owner.id, ${hash}, ${now}, ${now}
      from owner
      where not exists (select from changed)
    ), ended as (
      delete from public.session s using owner where s."userId" = owner.id returning s.id
    ), counted as (
      select owner.id, (select count(*) from ended) as sessions from owner
    )
    select sessions, ${entry}
    from counted
  `
  return row ?? null
}

async function withEmail(
  config: Config,
  args: string[],
  command: string,
  work: (sql: Sql, email: string) => Promise<number>,
): Promise<number> {
  const [given = '', ...rest] = args
  const email = given.trim().toLowerCase()
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || rest.length > 0) {
    console.error(`Name the user by the e-mail address: kinora ${command} ann@example.com`)
    return 2
  }
  const sql = openDb(config.databaseUrl, { connections: 1, name: `kinora ${command}`, pooler: config.databasePooler })
  try {
    return await work(sql, email)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function noUser(email: string): number {
  console.error(`There is no user with the e-mail address ${email}.`)
  return 1
}

const randomPassword = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-')
