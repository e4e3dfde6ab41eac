/** Explore: publications, the list, reports, what administrators decide, and what ends a publication. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { addMember, openTeams } from '../support/teams.ts'
import { unzip } from '../support/unzip.ts'

const kinora = await openKinora({ env: { EXPLORE: 'on' } })
const { sql } = kinora.app
const ann = await kinora.person({ credits: 2000 })
const root = await kinora.person({ role: 'admin' })
await sql`update public."user" set name = 'Ann', "emailVerified" = true where id = ${ann.userId}`

type Publication = {
  id: string | null
  showsName: boolean
  publishedAt: string | null
  removedAt: string | null
  removalReason: string | null
}
type Film = { id: string; prompt: string; maker: string | null; videoUrl: string; thumbnailUrl: string }
type Page = { films: Film[]; nextCursor: string | null }
type Reported = { id: string; openReports: number; isPublished: boolean; reports: { reason: string; note: string }[] }

const NOBODY = '01890000-0000-7000-8000-000000000000'
const pathOf = (uuid: string) => `/api/v1/video/${uuid}/publication`
const publication = async (as: Person, uuid: string) =>
  (await kinora.call<{ publication: Publication | null }>('GET', pathOf(uuid), { as })).data.publication
const put = (as: Person, uuid: string, body: object = {}) =>
  kinora.call<{ publication: Publication }>('PUT', pathOf(uuid), { as, body })
const takeBack = (as: Person, uuid: string) =>
  kinora.call<{ publication: Publication | null }>('DELETE', pathOf(uuid), { as })
async function publish(as: Person, uuid: string, body: object = {}): Promise<string> {
  const { status, data, text } = await put(as, uuid, body)
  assert.equal(status, 200, text)
  return data.publication.id ?? assert.fail(text)
}
const publishNew = async (as: Person, prompt = 'A boat') => {
  const uuid = await completedVideo(kinora, as, { prompt })
  return { uuid, id: await publish(as, uuid) }
}
const page = async (query = '') => (await kinora.call<Page>('GET', `/api/v1/explore${query}`)).data
async function listed(): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { films, nextCursor }: Page = await page(`?pageSize=100${cursor ? `&cursor=${cursor}` : ''}`)
    ids.push(...films.map(({ id }) => id))
    cursor = nextCursor
  }
  return ids
}
const report = (as: Person, id: string, body: object = { reason: 'violence' }) =>
  kinora.call('POST', `/api/v1/explore/${id}/report`, { as, body })
const reported = async () =>
  (await kinora.call<{ films: Reported[] }>('GET', '/api/v1/admin/explore/reports?pageSize=100', { as: root })).data
    .films
const decide = (id: string, removes: boolean, as = root) =>
  kinora.call('POST', `/api/v1/admin/explore/${id}/decide`, { as, body: { removes, reason: 'It shows a person.' } })
/** The statuses of the film’s data and of both files. */
async function statusesOf(id: string): Promise<number[]> {
  const urls = [`/api/v1/explore/${id}`, `/explore/${id}/film.mp4`, `/explore/${id}/thumbnail.jpg`]
  const replies = await Promise.all(urls.map((url) => fetch(`${kinora.url}${url}`)))
  for (const reply of replies) await reply.body?.cancel()
  return replies.map(({ status }) => status)
}

test('200: film published → prompt and settings without a credential, its maker only by the name where that is shown', async () => {
  const uuid = await completedVideo(kinora, ann, { prompt: 'A secret garden', seed: 7 })
  assert.equal(await publication(ann, uuid), null)
  const id = await publish(ann, uuid)
  const { text, data } = await kinora.call<Film>('GET', `/api/v1/explore/${id}`)
  const { publishedAt, ...shown } = data as Film & { publishedAt: string }
  const own = await kinora.call<{ completedAt: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  assert.deepEqual(shown, {
    ...{ completedAt: own.data.completedAt, sha256: null },
    ...{ id, prompt: 'A secret garden', model: 'delta-1-5', duration: 4, aspectRatio: '16:9', resolution: '720p' },
    ...{ seed: 7, negativePrompt: null, audio: null, options: null, maker: null, mode: 'text-to-video' },
    videoUrl: `${kinora.url}/explore/${id}/film.mp4`,
    thumbnailUrl: `${kinora.url}/explore/${id}/thumbnail.jpg`,
  })
  for (const secret of [ann.userId, ann.email, uuid]) assert.ok(!text.includes(secret), secret)
  assert.deepEqual((await page()).films[0], data)
  assert.deepEqual(await statusesOf(id), [200, 200, 200])
  assert.equal(await publish(ann, uuid, { showsName: true }), id)
  assert.equal((await page()).films[0]?.maker, 'Ann')
  const kept = { id, showsName: true, publishedAt, administratorId: null, removedAt: null, removalReason: null }
  assert.deepEqual(await publication(ann, uuid), kept)
})

test('404: film taken back → gone at once; published again → its former place in the list', async () => {
  const { uuid, id } = await publishNew(ann)
  const later = await publishNew(ann)
  for (const _again of [1, 2]) assert.equal((await takeBack(ann, uuid)).data.publication, null)
  assert.deepEqual(await statusesOf(id), [404, 404, 404])
  assert.ok(!(await listed()).includes(id))
  assert.equal(await publish(ann, uuid), id)
  assert.deepEqual((await listed()).slice(0, 2), [later.id, id])
  assert.deepEqual(await statusesOf(id), [200, 200, 200])
})

test('404, 409: another user’s, unknown or malformed uuid, and a film that is not there yet → not published', async () => {
  const bob = await kinora.person()
  const { uuid, id } = await publishNew(ann)
  for (const each of [uuid, NOBODY, 'nonsense']) {
    for (const { status } of [await put(bob, each), await takeBack(bob, each)]) assert.equal(status, 404, each)
    assert.equal((await kinora.call('GET', pathOf(each), { as: bob })).status, 404, each)
  }
  assert.deepEqual(await statusesOf(id), [200, 200, 200])
  const pending = (await kinora.generate(bob)).data.uuid
  const refused = await put(bob, pending)
  assert.deepEqual([refused.status, refused.error?.message], [409, 'Only a completed film can be published.'])
  assert.equal((await put(bob, pending, { name: 'x' })).status, 400)
})

test('401, 403, 404, 400: without a session, for another role, for an unknown id and for a malformed body → refused', async () => {
  const { id } = await publishNew(ann)
  const bob = await kinora.person()
  assert.equal((await kinora.call('POST', `/api/v1/explore/${id}/report`, { body: { reason: 'spam' } })).status, 401)
  for (const each of [NOBODY, 'nonsense']) {
    assert.deepEqual(await statusesOf(each), [404, 404, 404])
    assert.equal((await report(bob, each)).status, 404)
    assert.equal((await decide(each, true)).status, 404)
  }
  assert.equal((await report(bob, id, { reason: 'boring' })).status, 400)
  assert.equal((await decide(id, true, bob)).status, 403)
  assert.equal((await kinora.call('GET', '/api/v1/admin/explore/reports', { as: bob })).status, 403)
  assert.equal((await kinora.call('GET', '/api/v1/explore?cursor=nonsense')).status, 400)
  for (const file of ['film.webm', 'film', '__proto__'])
    assert.equal((await fetch(`${kinora.url}/explore/${id}/${file}`)).status, 404, file)
})

test('200: pages by cursor → every film once, newest first, beside those that are gone', async () => {
  const bob = await kinora.person({ credits: 500 })
  const films: { uuid: string; id: string }[] = []
  for (let i = 0; i < 5; i += 1) films.push(await publishNew(bob))
  const gone = films[3] ?? assert.fail()
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${gone.uuid}`, { as: bob })).status, 200)
  const first = await page('?pageSize=2')
  assert.deepEqual(
    first.films.map(({ id }) => id),
    [films[4]?.id],
  )
  const second = await page(`?pageSize=2&cursor=${first.nextCursor}`)
  assert.deepEqual(
    second.films.map(({ id }) => id),
    [films[2]?.id, films[1]?.id],
  )
  assert.equal((await sql`select from kinora.explore_film where id = ${gone.id}`).length, 0)
})

test('404: video deleted, user locked, film not kept or account deleted → gone at once', async () => {
  const bob = await kinora.person({ credits: 500 })
  const deleted = await publishNew(bob)
  const unkept = await publishNew(bob)
  const kept = await publishNew(bob)
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${deleted.uuid}`, { as: bob })).status, 200)
  await sql`update kinora.video set files_removed_at = now() where user_id = ${bob.userId} and id = ${unkept.uuid}`
  for (const { id } of [deleted, unkept]) assert.deepEqual(await statusesOf(id), [404, 404, 404])
  assert.equal(await publication(bob, unkept.uuid), null)

  const lock = (banned: boolean) => sql`update public."user" set banned = ${banned} where id = ${bob.userId}`
  await lock(true)
  assert.deepEqual(await statusesOf(kept.id), [404, 404, 404])
  assert.ok(!(await listed()).includes(kept.id))
  await lock(false)
  assert.deepEqual(await statusesOf(kept.id), [200, 200, 200])
  await report(bob, (await publishNew(ann)).id, { reason: 'other', note: 'I am Bob' })
  const deletion = { as: root, body: { reason: 'Asked for it by e-mail' } }
  assert.equal((await kinora.call('DELETE', `/api/v1/admin/users/${bob.userId}`, deletion)).status, 200)
  assert.deepEqual(await statusesOf(kept.id), [404, 404, 404])
  assert.equal((await sql`select from kinora.explore_film where user_id = ${bob.userId}`).length, 0)
  assert.deepEqual(
    [...(await sql`select note from kinora.explore_report where user_id = ${bob.userId}`)],
    [{ note: null }],
  )
})

test('publish while the film is deleted: twenty at once → none is shown afterwards', async () => {
  const bob = await kinora.person({ credits: 2000 })
  const uuids: string[] = []
  for (let i = 0; i < 20; i += 1) uuids.push(await completedVideo(kinora, bob))
  const ids = await Promise.all(
    uuids.map(async (uuid) => {
      const [{ data }] = await Promise.all([
        put(bob, uuid),
        kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: bob }),
        put(bob, uuid, { showsName: true }),
      ])
      return data.publication?.id
    }),
  )
  const after = await listed()
  for (const id of ids) {
    assert.ok(!id || !after.includes(id))
    if (id) assert.deepEqual(await statusesOf(id), [404, 404, 404])
  }
  assert.equal((await sql`select from kinora.explore_film where user_id = ${bob.userId}`).length, 0)
})

test('403, 200, 404: film of a team → published by its maker or an owner, under the name of the team; gone while that is locked', async () => {
  const { newTeam, call } = openTeams(kinora)
  const { id: team, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(kinora.app, team, await kinora.person())
  const uuid = await completedVideo(kinora, { ...owner, userId: team })
  const body = { showsName: true }
  assert.equal((await call(ben, team, 'PUT', pathOf(uuid), body)).status, 403)
  assert.equal((await put(owner, uuid)).status, 404)
  assert.equal((await call(owner, team, 'PUT', pathOf(uuid), body)).status, 200)
  const [film] = (await page()).films
  assert.ok(film?.maker === 'North')
  const lock = (at: Date | null) => sql`
    update kinora.team set locked_at = ${at}, lock_reason = ${at && 'Chargebacks'} where id = ${team}
  `
  await lock(kinora.app.now())
  assert.deepEqual([await statusesOf(film.id), (await listed()).includes(film.id)], [[404, 404, 404], false])
  await lock(null)
  assert.deepEqual([await statusesOf(film.id), (await listed()).includes(film.id)], [[200, 200, 200], true])
  assert.equal((await call(ben, team, 'DELETE', pathOf(uuid))).status, 403)
  await sql`update kinora.video set made_by = ${ben.userId} where user_id = ${team} and id = ${uuid}`
  assert.equal((await call(ben, team, 'DELETE', pathOf(uuid))).status, 200)
})

test('200: reports of several users → one each, also at once; an administrator closes them, and a new one is open again', async () => {
  const { id } = await publishNew(ann)
  const users = await Promise.all([1, 2, 3].map(() => kinora.person()))
  await Promise.all(users.flatMap((user) => [report(user, id), report(user, id)]))
  const find = async () => (await reported()).find((film) => film.id === id)
  assert.deepEqual((await find())?.openReports, 3)
  assert.deepEqual((await find())?.reports.length, 3)
  for (const _again of [1, 2]) assert.equal((await decide(id, false)).status, 200)
  assert.equal(await find(), undefined)
  assert.deepEqual(await statusesOf(id), [200, 200, 200])
  assert.equal((await report(users[0] ?? root, id)).status, 200)
  assert.equal(await find(), undefined)
  await report(await kinora.person(), id, { reason: 'other', note: '  My face ' })
  const { reports, ...film } = (await find()) ?? assert.fail()
  assert.deepEqual([film.openReports, film.isPublished, reports[0]?.note], [1, true, 'My face'])
})

test('200: removed by an administrator → gone, audited, mailed with the reason once, and never published again', async () => {
  const { uuid, id } = await publishNew(ann, 'A face')
  await report(await kinora.person(), id)
  await Promise.all([decide(id, true), decide(id, true), takeBack(ann, uuid)])
  await decide(id, false)
  assert.deepEqual(await statusesOf(id), [404, 404, 404])
  const { id: shown, removalReason } = (await publication(ann, uuid)) ?? assert.fail()
  assert.deepEqual([shown, removalReason], [null, 'It shows a person.'])
  const again = await put(ann, uuid)
  assert.deepEqual(
    [again.status, again.error?.message],
    [409, 'An administrator removed this film from Explore; it cannot be published again.'],
  )
  assert.ok(!(await reported()).some((film) => film.id === id))
  const [mail, ...others] = await sql<{ kind: string; recipient: string; data: object }[]>`
    select kind, recipient, data from kinora.mail where user_id = ${ann.userId} and kind = 'explore.removed'
  `
  const data = { videoId: uuid, film: 'A face', removalReason: 'It shows a person.' }
  assert.deepEqual([{ ...mail }, others], [{ kind: 'explore.removed', recipient: ann.email, data }, []])
  const { data: audit } = await kinora.call<{ entries: { action: string; reason: string; subject: string }[] }>(
    'GET',
    `/api/v1/admin/audit?userId=${ann.userId}&action=explore.remove`,
    { as: root },
  )
  assert.deepEqual(
    audit.entries.map(({ reason, subject }) => [reason, subject]),
    [['It shows a person.', uuid]],
  )
})

test('export: a film that was published and one that was reported → both, without whose the reported film is', async () => {
  const [bob, { id }] = [await kinora.person(), await publishNew(ann)]
  const own = await publishNew(bob)
  await report(bob, id, { reason: 'other', note: 'My face' })
  const url = `${kinora.url}/api/v1/account/export`
  const response = await fetch(url, { headers: { authorization: `Bearer ${bob.token}` } })
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  const read = (name: string) => JSON.parse(files.get(`${name}.json`)?.toString() ?? 'null')
  assert.partialDeepStrictEqual(read('publications'), [{ videoId: own.uuid, id: own.id, removedAt: null }])
  assert.partialDeepStrictEqual(read('reports'), [{ filmId: id, reason: 'other', note: 'My face' }])
  assert.ok(![...files.values()].some((content) => content.includes(ann.userId)))
})

test('429: more than twenty films reported by a user in an hour → limited, until the hour is over', async () => {
  const bob = await kinora.person()
  await sql`
    with film as (
      insert into kinora.explore_film (user_id, video_id, id, shows_name)
      select ${ann.userId}::uuid, gen_random_uuid(), gen_random_uuid(), false from generate_series(1, 19)
      returning user_id, video_id
    )
    insert into kinora.explore_report (user_id, maker_id, video_id, id, reason, created_at)
    select ${bob.userId}::uuid, user_id, video_id, gen_random_uuid(), 'spam', ${kinora.app.now()}::timestamptz from film
  `
  const [twentieth, { id }] = [await publishNew(ann), await publishNew(ann)]
  assert.equal((await report(bob, twentieth.id)).status, 200)
  const limited = await report(bob, id)
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '3600'])
  await sql`update kinora.explore_report set created_at = created_at - interval '1 hour' where user_id = ${bob.userId}`
  assert.equal((await report(bob, id)).status, 200)
})

test('404: EXPLORE is off → every operation, and what was published is not shown', async () => {
  const { uuid, id } = await publishNew(ann)
  await kinora.withSettings({ site: { ...kinora.app.config.site, hasExplore: false } }, async (url) => {
    const calls = [
      ['GET', '/api/v1/explore', ann],
      ['GET', `/api/v1/explore/${id}`, ann],
      ['POST', `/api/v1/explore/${id}/report`, ann, { reason: 'spam' }],
      ['GET', pathOf(uuid), ann],
      ['PUT', pathOf(uuid), ann, {}],
      ['DELETE', pathOf(uuid), ann],
      ['GET', `/explore/${id}/film.mp4`, ann],
      ['GET', '/api/v1/admin/explore/reports', root],
      ['POST', `/api/v1/admin/explore/${id}/decide`, root, { removes: true, reason: 'x' }],
    ] as const
    for (const [method, path, { token }, body] of calls) {
      const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      assert.equal((await fetch(`${url}${path}`, init)).status, 404, `${method} ${path}`)
    }
  })
  assert.deepEqual(await statusesOf(id), [200, 200, 200])
})
