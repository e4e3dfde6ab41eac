/**
 * One search for all that a customer writes to support: an address, a name, a link, an id, a number of a payment, the
 * beginning of a key. Each kind of thing is a row of KINDS that says how it is found; all are asked at once. A link is
 * taken apart: the ids and tokens in it are looked for.
 *
 * Invariant: what was searched for is neither answered nor kept. It may be a key, or a link that lets its reader in.
 */

import { hash } from 'node:crypto'
import { hashInvitation } from '../account/invitation.ts'
import { hashTeamInvitation } from '../account/team/invitation.ts'
import type { App } from '../app.ts'
import { processorNames } from '../config/processors.ts'
import { part } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { fromEach } from '../db/parts.ts'
import { likePattern } from '../db/video-filters.ts'
import { openToken } from '../video/share.ts'
import { type Owner, withOwners } from './owner.ts'

/** `words`: the parts of the text, and of a link in it. `pattern`: of a part of a name; null: the text is too short. */
type Asked = { words: string[]; uuids: string[]; pattern: string | null; email: string }
/** `id`: of the page to which it leads: of the film, user, team, invitation; of a payment the processor's id. */
type Row = { id: string; label: string; userId: string | null }
type Find = (app: App, asked: Asked) => PromiseLike<readonly Row[]>

/** Of one kind, the newest. */
const FOUND_MAX = 10
/** The index of trigrams reads every row for a shorter text. */
const PATTERN_MIN = 3
/** better-auth stores so much of a key as text (`startingCharactersConfig`). */
const KEY_START = 10

const KINDS = {
  user: async ({ sql }, { uuids, pattern }) => {
    const found = pattern
      ? sql`or id in (select id from ${part(sql, 'user_search', { pattern, before: null, limit: FOUND_MAX })} id)`
      : sql``
    return await sql<Row[]>`
      select id, coalesce(nullif(name, ''), email) as label, id as user_id
      from public."user"
      where id = any(${uuids}::text[]) ${found}
      union all
      select user_id::text, '', user_id::text from kinora.deleted_account where not is_team and user_id = any(${uuids}::uuid[])
      order by id desc
    `
  },
  team: async ({ sql }, { uuids, pattern }) => sql<Row[]>`
    select id, name as label, id as user_id
    from kinora.team
    where id = any(${uuids}::uuid[]) or lower(name) like ${pattern}
    union all
    select user_id, '', user_id from kinora.deleted_account where is_team and user_id = any(${uuids}::uuid[])
    order by id desc
    limit ${FOUND_MAX}
  `,
  film: (app, { uuids }) => filmsOf(app, uuids),
  share: (app, { words }) =>
    filmsOf(
      app,
      words.flatMap((word) => openToken(app.config.authSecret, word)?.videoId ?? []),
    ),
  explore: async (app, { uuids }) => {
    const published = await app.sql<{ id: string }[]>`
      select video_id as id from kinora.explore_film where id = any(${uuids}::uuid[])
    `
    return await filmsOf(
      app,
      published.map(({ id }) => id),
    )
  },
  task: (app, { words }) =>
    fromEach(
      app,
      app.database.parts(),
      (sql) => sql<Row[]>`
        select video_id as id, provider || ': ' || task_id as label, user_id
        from kinora.provider_task
        where provider = any(${Object.keys(app.config.providers)}::text[]) and task_id = any(${words}::text[])
        limit ${FOUND_MAX}
      `,
    ),
  payment: ({ sql }, { words }) => sql<Row[]>`
    select external_id as id, processor as label, user_id
    from kinora.payment_object
    where processor = any(${processorNames}) and external_id = any(${words.flatMap(idsAtProcessors)}::text[])
    order by external_id
    limit ${FOUND_MAX}
  `,
  subscription: ({ sql }, { words, uuids }) => sql<Row[]>`
    select s.external_id as id, s.processor || ': ' || s.status as label, s.user_id
    from kinora.payment_object o
    join kinora.subscription s on s.user_id = o.user_id and s.processor = o.processor and s.external_id = o.external_id
    where o.processor = any(${processorNames}) and o.external_id = any(${words}::text[])
    union
    select external_id, processor || ': ' || status, user_id from kinora.subscription where id = any(${uuids}::uuid[])
    limit ${FOUND_MAX}
  `,
  key: async ({ sql }, { words }) => {
    const keys = words.filter((word) => word.startsWith('kin_') && word.length <= 200)
    const [starts, hashes] = [keys.filter((key) => key.length <= KEY_START), keys.map(hashKey)]
    return await sql<Row[]>`
      select id, coalesce(name, '') || ' (' || start || '…)' as label, "referenceId" as user_id
      from public.apikey
      where start = any(${starts}::text[]) or key = any(${hashes}::text[])
      order by id desc
      limit ${FOUND_MAX}
    `
  },
  invitation: async ({ sql }, { words, uuids, email }) => sql<Row[]>`
    select id, coalesce(email, '') as label, used_by as user_id
    from kinora.invitation
    where id = any(${uuids}::uuid[]) or email = ${email} or token_hash in (${hashesOf(sql, words, hashInvitation)})
    union all
    select id, email, team_id
    from kinora.team_invitation
    where id = any(${uuids}::uuid[]) or email = ${email} or token_hash in (${hashesOf(sql, words, hashTeamInvitation)})
    order by id desc
    limit ${FOUND_MAX}
  `,
} satisfies Record<string, Find>

type Kind = keyof typeof KINDS
export const SEARCH_KINDS = Object.keys(KINDS) as Kind[]
export type Found = Row & Owner & { kind: Kind }

/** What a text names, by kind, in the sequence of KINDS; at most FOUND_MAX of each. */
export async function searchAll(app: App, q: string): Promise<Found[]> {
  const asked = readAsked(q)
  const found = await Promise.all(
    SEARCH_KINDS.map(async (kind) => {
      const rows = await (KINDS[kind] as Find)(app, asked)
      return rows.slice(0, FOUND_MAX).map((row) => ({ ...row, kind }))
    }),
  )
  return await withOwners(app, found.flat())
}

function readAsked(q: string): Asked {
  const text = q.trim()
  const lower = text.toLowerCase()
  const words = [...new Set([text, ...text.split(/[\s/?#&=<>"(),]+/)])].filter((word) => word !== '')
  const uuids = [...new Set(lower.match(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g) ?? [])]
  return { words, uuids, email: lower, pattern: lower.length < PATTERN_MIN ? null : likePattern(lower) }
}

const hashesOf = (sql: Query, words: string[], hashWord: (word: string) => Buffer) => sql`
  select decode(hex, 'hex') from unnest(${words.map((word) => hashWord(word).toString('hex'))}::text[]) hex
`

const hashKey = (key: string): string => hash('sha256', key, 'base64url')

const idsAtProcessors = (word: string): string[] => [word, ...processorNames.map((each) => `${each}:${word}`)]

const filmsOf = async (app: App, ids: readonly string[]): Promise<Row[]> =>
  ids.length === 0
    ? []
    : await fromEach(
        app,
        app.database.parts(),
        (sql) => sql<Row[]>`
          select id, model as label, user_id from kinora.video where due_at is null and id = any(${ids}::uuid[])
          union all
          select id, model, user_id from kinora.video where due_at is not null and id = any(${ids}::uuid[])
        `,
      )
