/**
 * The users of a run: signed in, with credits, and numbered, so that ids and tokens follow from the number. Inserted by
 * SQL, because hashing a password takes as long as 500 requests.
 */
import type postgres from 'postgres'

/**
 * The rate limit is 60 generate requests a minute for each user, so 10,000 requests/s for the 17 s of a measurement
 * need nearly 3,000 users. A session is cached for 5 s, which makes one more query for every tenth request.
 */
export const USERS = 3_000

/** SQL expressions for the id of a user and of this user's one prepared video; `:n` is the user's number, from 1. */
export const userIdSql = "('00000000-0000-7000-8000-' || lpad(to_hex(:n::bigint), 12, '0'))::uuid"
export const videoIdSql = "('00000000-0000-7000-9000-' || lpad(to_hex(:n::bigint), 12, '0'))::uuid"

export const tokenOf = (n: number): string => `bench-session-of-user-${n}`
export const videoIdOf = (n: number): string => `00000000-0000-7000-9000-${n.toString(16).padStart(12, '0')}`

/** A call of video_generate with the arguments that result from the HTTP request with `generateBody`. */
export const generateSql = (videoId: string): string => `
  select * from kinora.video_generate(
    ${userIdSql}, ${videoId}, now(), '${prompt}', 'delta-1-5', 4, '16:9', '720p', null, 16,
    array['provider-b', 'provider-a'], 60, now() + interval '30 minutes', 0, null, null
  )
`
const prompt = 'A paper boat in a rain gutter, dawn, the camera low above the water, reflections of shop signs'
export const generateBody = { prompt, model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }

export async function seedUsers(sql: postgres.Sql): Promise<void> {
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
  await numbered(`
    select kinora.credit_grant(
      ${userIdSql}, gen_random_uuid(), 'bench', 'SYSTEM_ADJUST', 1000000000, now() + interval '365 days', now(), null, null
    )
    from generate_series(1, :users) n
  `)
  await numbered(`select g.outcome from generate_series(1, :users) n, lateral (${generateSql(videoIdSql)}) g`)
  await sql.unsafe('vacuum analyze')
}
