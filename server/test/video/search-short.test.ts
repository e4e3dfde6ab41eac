/** The search in more prompts than it reads first, by texts of which the index of trigrams has nothing or something. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDb } from '../../src/db/db.ts'
import { readFilteredList, SEARCH_TOTAL_MAX } from '../../src/db/filtered-pages.ts'
import { ascending, by, keysetOf } from '../../src/db/page.ts'
import { firstIdOf, newId } from '../../src/id.ts'
import { notDistributed } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { randomOf } from '../support/random.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 2, name: 'kinora search test' })
after(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})
const { below, of } = randomOf(7)
const NOW = new Date('2026-06-01')
const [ann, eve] = [newId(NOW), newId(NOW)]
const VIDEOS = 2_600
const words = ['a', 'zq', 'red', 'boat', 'é', '§', 'go', 'X', '龍', '20%', 'b_c']
/** Most have the first words; some are among the oldest ones alone. */
const promptOf = (n: number) =>
  [...Array.from({ length: 3 }, () => of(words.slice(2, 5))), n < 60 ? of(words) : 'a'].join(of([' ', '', '-']))
const videos = Array.from({ length: VIDEOS }, (_, n) => ({
  id: firstIdOf(new Date(NOW.getTime() + n * 1000)),
  prompt: promptOf(n),
  status: of(['COMPLETED', 'FAILED', 'PENDING']),
}))

const inserted = (userId: string, { id, prompt, status }: (typeof videos)[number]) => {
  const isFinal = status !== 'PENDING'
  return {
    ...{
      userId,
      id,
      prompt,
      status,
      model: 'delta-1-5',
      durationS: 4,
      aspectRatio: '16:9',
      quality: '720p',
      credits: 8,
    },
    ...{
      providers: ['provider-a'],
      usualS: 60,
      createdAt: NOW,
      updatedAt: NOW,
      deadlineAt: NOW,
      videoKey: isFinal ? id : null,
    },
    ...{ error: 'no', errorCode: 'PROVIDER_ERROR', dueAt: isFinal ? null : NOW },
  }
}

const list = async (q: string, isOldestFirst: boolean, page: { pageSize: number; cursor?: string; page?: number }) => {
  const sequence = by('v.id', 'uuid')
  const keyset = keysetOf(isOldestFirst ? ascending(sequence) : sequence, page)
  const { rows, ...rest } = await readFilteredList(sql, { userId: ann, query: { q }, keyset, isOldestFirst, now: NOW })
  return { ids: (rows ?? []).map(({ uuid }) => uuid), ...rest }
}

test(
  'search: texts of one to four characters among 2,600 prompts → every match on some page, counted up to 200',
  notDistributed('rows are put into the tables directly'),
  async () => {
    for (let n = 0; n < VIDEOS; n += 500)
      await sql`insert into kinora.video ${sql(videos.slice(n, n + 500).map((each) => inserted(ann, each)))}`
    await sql`insert into kinora.video ${sql(inserted(eve, { ...videos[0], prompt: 'zq', id: newId(NOW), status: 'COMPLETED' } as never))}`
    await sql`
    insert into kinora.video_count (user_id, model, status, videos)
    select user_id, model, status, count(*) from kinora.video where due_at is null group by 1, 2, 3
  `
    await sql`analyze kinora.video`
    const texts = ['z', 'zq', 'Q', 'go', '§', 'é', 'x', '龍', '%', '_', 'd-', ' a', 'ea', 'boat', 'b_c', 'kk', ...words]
    for (const q of texts) {
      const matching = videos.filter(({ prompt }) => prompt.toLowerCase().includes(q.toLowerCase())).map(({ id }) => id)
      const total = Math.min(SEARCH_TOTAL_MAX, matching.length)
      for (const isOldestFirst of [true, false]) {
        const expected = isOldestFirst ? matching : matching.toReversed()
        const pageSize = 10 + below(50)
        const found: string[] = []
        for (let cursor: string | undefined; ; cursor = found.at(-1)) {
          const page = await list(q, isOldestFirst, { pageSize, ...(cursor ? { cursor } : {}) })
          found.push(...page.ids)
          assert.equal(page.total, total, q)
          if (!page.isFollowed || found.length > 300) break
        }
        assert.deepEqual(found, expected.slice(0, found.length), q)
        if (found.length <= 300) assert.equal(found.length, expected.length, q)
        const third = await list(q, isOldestFirst, { pageSize: 5, page: 3 })
        assert.deepEqual(third.ids, expected.slice(10, 15), q)
      }
    }
  },
)
