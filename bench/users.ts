/**
 * The users of a run: signed in, with credits, and numbered, so that ids and tokens follow from the number. Inserted by
 * SQL, because hashing a password takes as long as 500 requests.
 */
import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import type { Query } from '../server/src/db/db.ts'
import { generateAll } from '../server/src/db/set-calls.ts'
import { creditGrant } from '../server/test/support/ledger/ledger-calls.ts'

/**
 * The rate limit is 60 generate requests a minute for each user, so 10,000 requests/s for the 17 s of a measurement
 * need nearly 3,000 users. A session is cached for 30 s.
 */
export const USERS = 3_000

/** SQL expressions for the id of a user and of this user's one prepared video; `:n` is the user's number, from 1. */
export const userIdSql = "('00000000-0000-7000-8000-' || lpad(to_hex(:n::bigint), 12, '0'))::uuid"
export const videoIdSql = "('00000000-0000-7000-9000-' || lpad(to_hex(:n::bigint), 12, '0'))::uuid"

export const tokenOf = (n: number): string => `bench-session-of-user-${n}`
export const userIdOf = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
export const videoIdOf = (n: number): string => `00000000-0000-7000-9000-${n.toString(16).padStart(12, '0')}`

/** What the HTTP request with `generateBody` becomes: an element of the set-based call. */
const generateRequest = (n: number, videoId: string, providers: string[]) => ({
  user_id: userIdOf(n),
  id: videoId,
  prompt,
  model: 'delta-1-5',
  duration_s: 4,
  aspect_ratio: '16:9',
  quality: '720p',
  mode: 'text-to-video',
  credits: 16,
  providers,
  usual_s: 60,
  deadline_at: new Date(Date.now() + 1_800_000),
  max_in_progress: 0,
})

/** Creates videos for the users round robin, in batches. */
export async function createVideos(
  sql: postgres.Sql,
  count: number,
  videoId: (n: number) => string,
  users = USERS,
  providers = ['provider-b', 'provider-a'],
): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => from + i)
    const requests = numbers.map((i) => generateRequest((i % users) + 1, videoId(i + 1), providers))
    await generateAll(sql as never, JSON.stringify(requests), new Date())
  }
}
const BATCH = 500

const prompt = 'A paper boat in a rain gutter, dawn, the camera low above the water, reflections of shop signs'
export const generateBody = { prompt, model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }

export async function seedUsers(sql: postgres.Sql, videosEach = 1): Promise<void> {
  const numbered = (text: string) => sql.unsafe(text.replaceAll(':n', 'n').replaceAll(':users', String(USERS)))
  await numbered(`
    insert into public."user" ("id", "name", "email", "emailVerified", "role")
    select ${userIdSql}::text, 'User ' || n, 'user-' || n || '@example.com', true, 'user'
    from generate_series(1, :users) n
  `)
  await numbered(`
    insert into public."session" ("id", "token", "userId", "expiresAt", "updatedAt")
    select gen_random_uuid()::text, '${tokenOf(0).slice(0, -1)}' || n, ${userIdSql}::text, now() + interval '30 days', now()
    from generate_series(1, :users) n
  `)
  await grantCredits(sql, USERS)
  // An account with a video in progress is what most requests meet.
  await createVideos(sql, videosEach * USERS, videoIdOf)
  await sql.unsafe('vacuum analyze')
}

const TEAM = 'ff000000-0000-8000-a000-000000000001'
export const MEMBERS = 1_000

/** A team of the first users, each with a budget that no run uses up. @returns its id */
export async function seedTeam(sql: postgres.Sql): Promise<string> {
  const now = new Date()
  await sql`insert into kinora.team (id, name, created_at) values (${TEAM}, 'North', ${now})`
  const ids = Array.from({ length: MEMBERS }, (_, n) => userIdOf(n + 1))
  await sql`
    insert into kinora.team_member (team_id, user_id, role, created_at)
    select ${TEAM}, id, 'owner', ${now} from unnest(${ids}::uuid[]) id
  `
  await sql`
    insert into kinora.api_key (user_id, id, scopes, budget, budget_period, created_at)
    select ${TEAM}, id, '{}', 1000000000, 'month', ${now} from unnest(${ids}::uuid[]) id
  `
  const { expiresAt, ...facts } = grantOf(TEAM, randomUUID())
  await creditGrant(sql as never, { ...facts, expiresAt: new Date(now.getTime() + expiresAt.getTime()), now })
  await sql`update kinora.credit_account set gift_at = created_at where user_id = ${TEAM}`
  await sql.unsafe('vacuum analyze')
  return TEAM
}

/** Accounts with more credits than any run uses. */
async function grantCredits(sql: postgres.ISql, users: number): Promise<void> {
  const grant = grantOf('<user>', '<package>')
  const text = sqlTextOf((sql) => creditGrant(sql, grant), { '<user>': userIdSql, '<package>': 'gen_random_uuid()' })
  await sql.unsafe(`select g.id from generate_series(1, ${users}) n, lateral (${text.replaceAll(':n', 'n')}) g`)
  await sql.unsafe(`
    update kinora.credit_account a set gift_at = p.created_at from kinora.credit_package p where p.user_id = a.user_id
  `)
}

/** The times count from the epoch; the caller adds the present one. */
const grantOf = (userId: string, packageId: string) => ({
  userId,
  packageId,
  // The gift: verify reports credits of any other source without a payment or an audit entry.
  source: 'new-user',
  transType: 'NEW_USER',
  credits: 1_000_000_000,
  expiresAt: new Date(365 * 86_400_000),
  now: new Date(0),
  orderNo: null,
  remark: null,
})

/**
 * The text of a statement of the server, so that the bench has no copy of it.
 * @param call a typed function of the service or of server/test/support/ledger/ledger-calls.ts that sends one statement
 * @param expressions SQL expressions by the argument that stands for them; a Date stands for now() plus its time since
 * 1970
 */
function sqlTextOf(call: (sql: Query) => Promise<unknown>, expressions: Record<string, string>): string {
  let text = ''
  const tag = (strings: TemplateStringsArray, ...values: unknown[]) => {
    text = strings.reduce((sum, part, i) => `${sum}${i === 0 ? '' : literal(values[i - 1])}${part}`, '')
    return Promise.resolve([{}])
  }
  const literal = (value: unknown): string => {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
    if (value instanceof Date) return `now() + interval '${value.getTime()} milliseconds'`
    if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
    if (typeof value !== 'string') throw new Error(`no literal for ${typeof value}`)
    return expressions[value] ?? `'${value.replaceAll("'", "''")}'`
  }
  void call(tag as unknown as Query)
  return text
}
