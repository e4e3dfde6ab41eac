/** Lists of a user with many videos: pages, totals and searches by indexes and counters are those of the rows. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openSetCalls } from '../../src/db/set-calls.ts'
import { filterOf, searchFilters, UNFILED, type VideoQuery, type videoFilters } from '../../src/db/video-filters.ts'
import { type ListQuery, list } from '../../src/video/library.ts'
import { videoGenerate } from '../../src/video/transitions.ts'
import { openTestDatabase } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { creditGrant } from '../support/ledger/ledger-calls.ts'
import { newVideo } from '../support/video-row.ts'

const database = await createDatabase()
const books = await openTestDatabase(database.url, { connections: 4, name: 'kinora growth test' })
const { sql } = books
after(async () => {
  await books.close()
  await database.drop()
})
const now = () => new Date()
const calls = openSetCalls(books)
const app = { sql, calls, now, config: {}, log: console } as never

const ann = randomUUID()
const VIDEOS = 2500
await sql`insert into kinora.credit_account (user_id, created_at) values (${ann}, now())`
await sql`
  insert into kinora.video (
    user_id, id, status, prompt, model, duration_s, aspect_ratio, quality, credits, providers, usual_s, error, error_code,
    video_key, files_removed_at, created_at, updated_at, deadline_at, due_at, deleted_at, has_trigrams
  )
  select ${ann}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         case when n % 500 = 3 then 'PENDING' when n % 10 = 0 then 'FAILED' else 'COMPLETED' end,
         'A Boat ' || n || case when n % 300 = 7 then ' in Violet light' when n in (12, 20) then ' with 50% zinnias' else '' end,
         case when n % 4 = 0 then 'alpha-2' else 'delta-1-5' end, 4, '16:9', '720p', 16, '{provider-a}', 60, 'e', 'PROVIDER_ERROR', 'k', now(),
         now(), now(), now(), case when n % 500 = 3 then now() end, case when n % 50 = 1 or n = 20 then now() end, n > 100
  from generate_series(1, ${VIDEOS}) n
`
const folder = randomUUID()
await sql`
  update kinora.video
  set favourite = substr(id::text, 36) = '5', folder_id = case when substr(id::text, 36) = '8' then ${folder}::uuid end,
      mode = case substr(id::text, 35)
        when '10' then 'image-to-video' when '20' then 'first-last' when '30' then 'extend' when '40' then 'reference'
        when '50' then 'upscale' else 'text-to-video'
      end,
      subject = case when substr(id::text, 35) in ('60', '61') then 'bo' end,
      metadata = case
        when substr(id::text, 35) = '61' then '{"order": "1", "shop": "a"}'
        when substr(id::text, 35) = '70' then '{"order": "1"}'
      end::jsonb
  where user_id = ${ann}
`
await sql`
  insert into kinora.video_count (user_id, model, status, videos)
  select user_id, model, status, count(*)
  from kinora.video
  where user_id = ${ann} and due_at is null and deleted_at is null
  group by user_id, model, status
`
type Expected = {
  id: string
  status: string
  model: string
  prompt: string
  favourite: boolean
  folderId: string | null
  subject: string | null
  metadata: Record<string, string> | null
  mode: string
}
const rows = [
  ...(await sql<Expected[]>`
    select id, status, model, prompt, favourite, folder_id, subject, metadata,
           case substr(id::text, 35)
             when '10' then 'image-to-video' when '20' then 'first-last' when '30' then 'extend' when '40' then 'reference'
             when '50' then 'upscale'
             else 'text-to-video'
           end as mode
    from kinora.video where user_id = ${ann} and deleted_at is null order by id desc
  `),
]

async function pages(query: Partial<ListQuery>) {
  const { videos, total, nextCursor } = await list(app, { userId: ann, key: null }, { page: 1, pageSize: 20, ...query })
  return { ids: videos.map(({ uuid }) => uuid), total, nextCursor }
}
const matching = ({ status, model, mode, favourite, folder, subject, metadata, sort, q = '' }: Partial<ListQuery>) =>
  (sort === 'oldest' ? rows.toReversed() : rows)
    .filter((row) => (subject ?? row.subject) === row.subject)
    .filter((row) => Object.entries(metadata ?? {}).every(([key, value]) => row.metadata?.[key] === value))
    .filter((row) => (mode ?? row.mode) === row.mode && (favourite ?? row.favourite) === row.favourite)
    .filter(({ folderId }) => folder === undefined || folder === (folderId ?? UNFILED))
    .filter((row) => (status ?? row.status) === row.status && (model ?? row.model) === row.model)
    .filter(({ prompt }) => prompt.toLowerCase().includes(q.toLowerCase()))
    .map(({ id }) => id)

for (const query of [
  {},
  { status: 'COMPLETED' },
  { status: 'FAILED' },
  { status: 'PENDING' },
  { model: 'alpha-2' },
  { model: 'delta-1-5', status: 'PENDING' },
  { model: 'alpha-2', status: 'FAILED' },
  { model: 'none' },
  { sort: 'oldest' },
  { favourite: true },
  { favourite: true, status: 'COMPLETED', sort: 'oldest' },
  { favourite: false, model: 'alpha-2', status: 'FAILED' },
  { folder },
  { folder, mode: 'text-to-video' },
  { folder, status: 'FAILED' },
  { folder: UNFILED, model: 'alpha-2' },
  { mode: 'image-to-video' },
  { mode: 'first-last' },
  { mode: 'reference', status: 'PENDING' },
  { mode: 'extend', sort: 'oldest' },
  { mode: 'upscale' },
  { subject: 'bo' },
  { subject: 'bo', status: 'COMPLETED', sort: 'oldest' },
  { subject: 'cy' },
  { metadata: { order: '1' } },
  { metadata: { order: '1', shop: 'a' }, sort: 'oldest' },
  { metadata: { order: '1' }, subject: 'bo', model: 'delta-1-5' },
  { metadata: { order: '2' } },
] satisfies Partial<ListQuery>[]) {
  test(`list: ${JSON.stringify(query)} → first, deep and last page, cursors and total are those of the rows`, async () => {
    const ids = matching(query)
    const last = Math.max(1, Math.ceil(ids.length / 20))
    for (const page of new Set([1, 2, Math.ceil(last / 2), last, last + 1])) {
      const found = await pages({ ...query, page })
      assert.deepEqual([found.ids, found.total], [ids.slice((page - 1) * 20, page * 20), ids.length], `page ${page}`)
      assert.equal(found.nextCursor === null, page >= last)
      if (found.nextCursor === null) continue
      const next = await pages({ ...query, cursor: found.nextCursor })
      assert.deepEqual(next.ids, ids.slice(page * 20, (page + 1) * 20))
    }
  })
}

test('list: q among more videos than a search reads first → old matches by the index, without deleted ones', async () => {
  for (const query of [
    { q: 'zinnia' },
    { q: '50% Z' },
    { q: 'violet' },
    { q: 'VIOLET', model: 'delta-1-5' },
    { q: 'zeppelin' },
    { q: 'violet', sort: 'oldest' },
    { q: 'violet', folder: UNFILED },
    { q: 'boat 8', favourite: true, model: 'delta-1-5' },
    { q: 'boat 8', mode: 'extend' },
  ] satisfies Partial<ListQuery>[]) {
    const ids = matching(query)
    const found = await pages(query)
    assert.deepEqual([found.ids, found.total, found.nextCursor], [ids, ids.length, null], JSON.stringify(query))
  }
  const first = await pages({ q: 'violet', pageSize: 3 })
  const second = await pages({ q: 'violet', pageSize: 3, cursor: String(first.nextCursor) })
  assert.deepEqual([...first.ids, ...second.ids], matching({ q: 'violet' }).slice(0, 6))
  assert.deepEqual((await pages({ q: 'violet', pageSize: 3, page: 2 })).ids, second.ids)
})

test('generate: after a thousand rows of the history → the prompt is in the index of the search', async () => {
  const userId = randomUUID()
  await sql`insert into kinora.credit_account (user_id, transactions, created_at) values (${userId}, 998, now())`
  const [at, expiresAt] = [now(), new Date(Date.now() + 86_400_000)]
  const grant = {
    userId,
    packageId: randomUUID(),
    source: 'new-user',
    transType: 'NEW_USER',
    credits: 100,
    expiresAt,
    now: at,
  }
  await creditGrant(sql, { ...grant, orderNo: null, remark: null })
  const inIndex: unknown[] = []
  for (const prompt of ['the 1,000th row', 'the 1,001st row']) {
    const videoId = randomUUID()
    const { outcome } = await videoGenerate(sql, newVideo({ userId, videoId, now: now(), prompt }))
    assert.equal(outcome, 'created')
    inIndex.push((await sql`select has_trigrams from kinora.video where user_id = ${userId} and id = ${videoId}`)[0])
  }
  assert.deepEqual(inIndex, [{ hasTrigrams: false }, { hasTrigrams: true }])
})

test('list: more matches of a filter that no counter has than 2,000 → a total of 2,000, and every page', async () => {
  const ids = matching({ favourite: false })
  assert.ok(ids.length > 2000)
  const found = await pages({ favourite: false, page: 110 })
  assert.deepEqual([found.ids, found.total], [ids.slice(2180, 2200), 2000])
})

/** A value of each filter that few of a user's videos have, and the index that serves it. */
const served: { [Name in keyof typeof videoFilters]: [value: NonNullable<VideoQuery[Name]>, index: string] } = {
  status: ['FAILED', 'video_final'],
  kind: ['cut', 'video_final_model'],
  model: ['alpha-2', 'video_final_model'],
  mode: ['extend', 'video_final_mode'],
  aspectRatio: ['9:16', 'video_final_aspect_ratio'],
  favourite: [true, 'video_final_favourite'],
  folder: [folder, 'video_final_folder'],
  madeBy: [randomUUID(), 'video_final_made_by'],
  subject: ['bo', 'video_of_subject'],
  from: ['2026-01-15T09:30:00.000Z', 'video_pkey'],
  to: ['2026-01-15T09:30:00.000Z', 'video_pkey'],
  metadata: [{ order: '1' }, 'video_metadata'],
  q: ['zinnia', 'video_search'],
}
for (const [name, [value, index]] of Object.entries(served)) {
  test(`list: ${name}, which few videos among many have → they alone are read, by an index`, async () => {
    await sql`analyze kinora.video`
    const methods =
      name in searchFilters ? ['seqscan', 'indexscan', 'indexonlyscan'] : ['seqscan', 'bitmapscan', 'sort']
    const isFinal = name === 'from' || name === 'to' ? '' : `and v.due_at is null and v.deleted_at is null`
    const plan = await sql.begin(async (tx) => {
      for (const method of methods) await tx.unsafe(`set local enable_${method} = off`)
      return await tx.unsafe<Record<string, string>[]>(`
        explain select v.id from kinora.video v
        where v.user_id = '${ann}' ${isFinal} ${name in searchFilters ? '' : "and v.status = 'FAILED'"}
          and kinora.video_matches(p_video => v, p_filter => '${JSON.stringify(filterOf({ [name]: value }))}'::jsonb)
        ${name in searchFilters ? '' : 'order by v.id desc limit 21'}
      `)
    })
    const text = plan.map((row) => Object.values(row).join()).join('\n')
    assert.match(text, new RegExp(`(using|Scan on) ${index}\\b`))
    assert.match(text, name === 'from' || name === 'to' ? /Index Cond: .*id [<>]/ : /./)
  })
}

test('list: q that more than 200 of them have → a total of 200, and every page', async () => {
  const ids = matching({ q: 'boat' })
  const found = await pages({ q: 'boat', page: 3 })
  assert.deepEqual([found.ids, found.total], [ids.slice(40, 60), 200])
  const deep = await pages({ q: 'boat', page: 110 })
  assert.deepEqual(deep.ids, ids.slice(2180, 2200))
})
