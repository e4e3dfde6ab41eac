/** Takedown: what a link leads to, a film that is hidden or removed everywhere, objections, and the statements. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { eraseDeletedAccounts } from '../../src/account-data/erase.ts'
import { call } from '../../src/db/call.ts'
import { readCsv } from '../../src/text/csv.ts'
import { sweepOrphans } from '../../src/video/film-files.ts'
import { readSamples } from '../../src/video/model-samples.ts'
import { applyTakedowns } from '../../src/video/takedown.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { openProjects } from '../support/projects.ts'
import { addMember, openTeams } from '../support/teams.ts'

const DAY_MS = 86_400_000
const kinora = await openKinora({ env: { EXPLORE: 'on', RENDER_CREDITS: '0' } })
const { app } = kinora
const { sql } = app
const root = await kinora.person({ role: 'admin' })
const { make, changeShot, read: readProject } = openProjects(kinora)

type Statement = { id: string; uuid: string; state: string; objection: string | null; objectsUntil: string | null }
type Takedown = Statement & { userId: string; email: string | null; team: string | null; cutIds: string[] }
type Found = {
  uuid: string
  email: string | null
  isShared: boolean
  isPublished: boolean
  isSample: boolean
  isOwnerLocked: boolean
  videoUrl: string | null
  thumbnailUrl: string | null
  others: { uuid: string; isCut: boolean }[]
  takedown: Takedown | null
}
const decision = {
  ...{ removes: false, ground: 'terms', rule: 'Terms, section 4', source: 'notice' },
  reason: 'It shows a real person.',
}
const takeDown = (uuid: string, change: object = {}, as = root) =>
  kinora.call<Takedown>('PUT', `/api/v1/admin/videos/${uuid}/takedown`, { as, body: { ...decision, ...change } })
const answer = (id: string, lifts: boolean) =>
  kinora.call<Takedown>('PUT', `/api/v1/admin/takedowns/${id}/answer`, {
    as: root,
    body: { lifts, reason: 'We erred.' },
  })
const find = (link: string, as = root) =>
  kinora.call<Found>('GET', `/api/v1/admin/takedowns/film?link=${encodeURIComponent(link)}`, { as })
const statusOf = async (url: string) => {
  const response = await fetch(url)
  await response.body?.cancel()
  return response.status
}
async function ann(): Promise<Person> {
  const person = await kinora.person({ credits: 500 })
  await sql`update public."user" set "emailVerified" = true where id = ${person.userId}`
  return person
}
const detail = async (as: Person, uuid: string) =>
  (await kinora.call<{ videoUrl: string; thumbnailUrl: string }>('GET', `/api/v1/video/${uuid}`, { as })).data
/** A response without an envelope. */
async function download(path: string, as: Person) {
  const response = await fetch(kinora.url + path, { headers: { authorization: `Bearer ${as.token}` } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
/** A film that is shared, on Explore, and the sample of its model; all its links. */
async function shownEverywhere(as: Person) {
  const uuid = await completedVideo(kinora, as, { prompt: 'A face' })
  const share = await kinora.call<{ share: { url: string } }>('PUT', `/api/v1/video/${uuid}/share`, { as, body: {} })
  const path = `/api/v1/video/${uuid}/publication`
  const { publication } = (await kinora.call<{ publication: { id: string } }>('PUT', path, { as, body: {} })).data
  await sql`insert into kinora.model_sample (user_id, video_id, model) values (${as.userId}, ${uuid}, 'delta-1-5')`
  const { videoUrl, thumbnailUrl } = await detail(as, uuid)
  const explore = `${kinora.url}/explore/${publication.id}`
  const links = {
    ...{ videoUrl, thumbnailUrl, share: `${share.data.share.url}/film.mp4`, explore: `${explore}/film.mp4` },
    ...{ sample: `${kinora.url}/sample/${uuid}/film.mp4`, published: `${kinora.url}/api/v1/explore/${publication.id}` },
  }
  return { uuid, links, shareUrl: share.data.share.url, exploreId: publication.id }
}
const statuses = async (links: Record<string, string>) =>
  Object.fromEntries(await Promise.all(Object.entries(links).map(async ([name, url]) => [name, await statusOf(url)])))
const all = (links: Record<string, string>, status: number) =>
  Object.fromEntries(Object.keys(links).map((name) => [name, status]))
const mails = async (as: Person) =>
  sql<{ kind: string; data: { takedownId: string } }[]>`
    select kind, data from kinora.mail where user_id = ${as.userId} and kind in ('film.taken-down', 'takedown.answered') order by id
  `
async function tokenOf(as: Person, uuid: string): Promise<string> {
  const { data } = await kinora.call<{ objectionUrl: string }>('GET', `/api/v1/video/${uuid}/takedown`, { as })
  return data.objectionUrl.split('#token=')[1] ?? assert.fail(data.objectionUrl)
}
const object = (token: string, objection = 'The person is me.') =>
  kinora.call<Statement>('PUT', `/api/v1/takedown/${token}`, { body: { objection } })

test('200: link of any kind → the film without its prompt, also of a locked account and with a revoked share', async () => {
  const maker = await ann()
  const { uuid, links, shareUrl, exploreId } = await shownEverywhere(maker)
  const found = (await find(uuid)).data
  assert.deepEqual(
    [found.email, found.isShared, found.isPublished, found.isSample, found.isOwnerLocked, found.takedown],
    [maker.email, true, true, true, false, null],
  )
  await kinora.call('DELETE', `/api/v1/video/${uuid}/share`, { as: maker })
  await sql`update public."user" set banned = true where id = ${maker.userId}`
  for (const link of [
    ...[shareUrl, `${shareUrl}/film.mp4`, links.videoUrl, links.sample, uuid.toUpperCase()],
    ...[`${kinora.url}/explore?film=${exploreId}`, links.published, `${kinora.url}/library/${uuid}`],
  ]) {
    const { data, text } = await find(link)
    assert.deepEqual([data.uuid, data.isShared, data.isOwnerLocked], [uuid, false, true], link)
    assert.ok(!text.includes('A face'), link)
  }
  for (const link of ['nonsense', '01890000-0000-7000-8000-000000000000', shareUrl.replace(/.{8}$/, 'AAAAAAAA')])
    assert.equal((await find(link)).status, 404, link)
  assert.equal((await find(uuid, await ann())).status, 403)
})

test('200: prompt read → shown, with an entry of the audit log', async () => {
  const uuid = await completedVideo(kinora, await ann(), { prompt: 'A face' })
  const url = `/api/v1/admin/videos/${uuid}/prompt`
  const { data } = await kinora.call('PUT', url, { as: root, body: { reason: 'Notice 1' } })
  assert.deepEqual(data, { prompt: 'A face', negativePrompt: null })
  const entries =
    await sql`select actor_id, reason from kinora.audit where action = 'video.read-prompt' and subject = ${uuid}`
  assert.deepEqual([...entries], [{ actorId: root.userId, reason: 'Notice 1' }])
  assert.equal((await kinora.call('PUT', url, { as: root, body: {} })).status, 400)
  assert.equal((await kinora.call('PUT', url, { as: await ann(), body: { reason: 'x' } })).status, 403)
})

test('200: film hidden → gone at once from share, Explore, samples, links and ZIP, mailed once; lifted → back there', async () => {
  const maker = await ann()
  const { uuid, links } = await shownEverywhere(maker)
  const zip = () => download(`/api/v1/video/archive?uuid=${uuid}`, maker)
  const before = { links: await statuses(links), zip: (await zip()).status }
  assert.deepEqual(before, { links: all(links, 200), zip: 200 })
  const answers = await Promise.all([takeDown(uuid), takeDown(uuid)])
  for (const { status, text } of answers) assert.equal(status, 200, text)
  const id = answers[0].data.id
  assert.equal(answers[1].data.id, id)
  const hidden = { ...all(links, 404), sample: 404 }
  assert.deepEqual(await statuses(links), hidden)
  assert.equal((await zip()).status, 409)
  assert.deepEqual(await detail(maker, uuid).then((film) => [film.videoUrl, film.thumbnailUrl]), [null, null])
  assert.equal((await readSamples(app)).get('delta-1-5')?.videoId === uuid, false)
  // An administrator still sees it, to answer an objection.
  const { videoUrl, takedown } = (await find(uuid)).data
  assert.deepEqual([takedown?.id, takedown?.state, await statusOf(videoUrl ?? '')], [id, 'hidden', 200])
  // A page of Explore forgets what is gone for ever, and not what is hidden.
  await kinora.call('GET', '/api/v1/explore')
  while ((await sweepOrphans(app)) > 0);
  for (const _again of [1, 2]) assert.equal((await answer(id, true)).data.state, 'lifted')
  assert.deepEqual(await statuses(links), all(links, 200))
  assert.deepEqual(
    (await mails(maker)).map(({ kind, data }) => [kind, data.takedownId]),
    [
      ['film.taken-down', id],
      ['takedown.answered', id],
    ],
  )
  const actions = await sql<{ action: string }[]>`
    select action from kinora.audit where subject = ${uuid} and action like 'takedown.%' order by id
  `
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['takedown.decide', 'takedown.answer'],
  )
  // It may be taken down again: that is another statement.
  assert.notEqual((await takeDown(uuid)).data.id, id)
})

test('200: film removed → its files are deleted by the sweep, and a hidden one can be removed but not the other way', async () => {
  const maker = await ann()
  const uuid = await completedVideo(kinora, maker)
  const [row] = await sql<
    { keys: string[] }[]
  >`select array[video_key, thumbnail_key] as keys from kinora.video where id = ${uuid}`
  const keys = row?.keys ?? assert.fail()
  const hidden = (await takeDown(uuid)).data
  const removed = (await takeDown(uuid, { removes: true, reason: 'A court has decided.' })).data
  assert.deepEqual([removed.id, removed.state], [hidden.id, 'removed'])
  assert.equal((await takeDown(uuid)).data.state, 'removed')
  while ((await sweepOrphans(app)) > 0);
  assert.deepEqual(await Promise.all(keys.map((key) => app.storage.size(key))), [null, null])
  assert.deepEqual([(await find(uuid)).data.videoUrl, (await mails(maker)).length], [null, 2])
  assert.equal((await answer(removed.id, true)).data.state, 'lifted')
  assert.equal((await detail(maker, uuid)).videoUrl, null)
})

test('200: cuts that contain the film → taken down with it, one in progress cancelled, other films stay', async () => {
  const maker = await ann()
  const { data: project } = await make(maker, ['Shot 1'])
  const take = await completedVideo(kinora, maker)
  const [shot = assert.fail()] = project.shots
  await changeShot(maker, project.id, shot, { takeId: take })
  const render = async () =>
    (await kinora.call<{ uuid: string }>('POST', `/api/v1/project/${project.id}/render`, { as: maker })).data.uuid
  const done = await render()
  await kinora.finish(maker, done)
  const running = await render()
  assert.deepEqual((await find(take)).data.others, [
    { uuid: running, isCut: true },
    { uuid: done, isCut: true },
  ])
  const link = (await detail(maker, done)).videoUrl
  const { data } = await takeDown(take)
  assert.deepEqual(data.cutIds, [done])
  assert.equal(await statusOf(link), 404)
  const { data: task } = await kinora.call<{ status: string }>('GET', `/api/v1/video/task?uuid=${running}`, {
    as: maker,
  })
  assert.equal(task.status, 'FAILED')
  const again = await kinora.call('POST', `/api/v1/project/${project.id}/render`, { as: maker })
  assert.equal(again.status, 409)
  assert.ok((await readProject(maker, project.id)).shots.length > 0)
  await answer(data.id, true)
  assert.equal(await statusOf(link), 200)
})

test('400: bytes of a film or poster that was taken down → refused as an upload of any user, until it is lifted', async () => {
  // The films of the tests before have the same bytes.
  await sql`update kinora.takedown set state = 'lifted'`
  const maker = await ann()
  const uuid = await completedVideo(kinora, maker)
  const { videoUrl, thumbnailUrl } = await detail(maker, uuid)
  const bytesOf = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer())
  const [film, poster] = [await bytesOf(videoUrl), await bytesOf(thumbnailUrl)]
  const { id } = (await takeDown(uuid)).data
  const [row] = await sql<{ hashes: Buffer[] }[]>`select hashes from kinora.takedown where id = ${id}`
  const hashes = [film, poster].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  assert.deepEqual(row?.hashes.map((hash) => hash.toString('hex')).sort(), hashes.sort())
  const other = await ann()
  const send = (body: Uint8Array, type: string) =>
    kinora.call('POST', '/api/v1/asset', { as: other, body, headers: { 'content-type': type } })
  for (const [bytes, type] of [
    [film, 'video/mp4'],
    [poster, 'image/jpeg'],
  ] as const) {
    const { status, error } = await send(bytes, type)
    assert.deepEqual([status, error?.code, error?.details], [400, 'CONTENT_REFUSED', { categories: ['taken_down'] }])
  }
  await answer(id, true)
  assert.equal((await send(poster, 'image/jpeg')).status, 200)
})

test('200: objection by the link of the mail → recorded once, also of a locked account; answered → mailed; late → 409', async () => {
  const maker = await ann()
  const [uuid, late] = [await completedVideo(kinora, maker), await completedVideo(kinora, maker)]
  const { id } = (await takeDown(uuid)).data
  await takeDown(late)
  const [token, lateToken] = [await tokenOf(maker, uuid), await tokenOf(maker, late)]
  await sql`update public."user" set banned = true where id = ${maker.userId}`
  const read = await kinora.call<Statement>('GET', `/api/v1/takedown/${token}`)
  assert.deepEqual([read.data.id, read.data.uuid, read.data.objection], [id, uuid, null])
  for (const secret of [maker.userId, maker.email, root.userId]) assert.ok(!read.text.includes(secret))
  const open = async () =>
    (await kinora.call<{ takedowns: Takedown[] }>('GET', '/api/v1/admin/takedowns?open=true', { as: root })).data
      .takedowns
  assert.equal(
    (await open()).some((each) => each.id === id),
    false,
  )
  for (const text of ['The person is me.', 'Another word']) {
    const { status, data } = await object(token, text)
    assert.deepEqual([status, data.objection, data.objectsUntil], [200, 'The person is me.', null])
  }
  assert.deepEqual((await open()).find((each) => each.id === id)?.email, maker.email)
  await answer(id, false)
  assert.equal(
    (await open()).some((each) => each.id === id),
    false,
  )
  assert.deepEqual(
    (await mails(maker)).map(({ kind }) => kind),
    ['film.taken-down', 'film.taken-down', 'takedown.answered'],
  )
  for (const forged of [token.replace(/.$/, (c) => (c === 'A' ? 'B' : 'A')), `${id}.`, 'nonsense'])
    assert.equal((await object(forged)).status, 404, forged)
  kinora.turnClock(184 * DAY_MS)
  assert.equal((await object(lateToken)).status, 409)
})

test('200: film of a team → mailed to the member who made it; storage away → the sweep applies the decision', async () => {
  const { newTeam } = openTeams(kinora)
  const team = await newTeam({ credits: 100 })
  const member = await addMember(app, team.id, await ann())
  const uuid = await completedVideo(kinora, { ...member, userId: team.id })
  await sql`update kinora.video set made_by = ${member.userId} where id = ${uuid}`
  const { read } = app.storage
  app.storage.read = async () => assert.fail('the storage is away')
  const { status, data } = await takeDown(uuid)
  app.storage.read = read
  assert.deepEqual([status, data.team, data.email], [200, 'North', null])
  const applied = async () =>
    (
      await sql<{ isApplied: boolean }[]>`
      select applied_at is not null and cardinality(hashes) = 2 as is_applied from kinora.takedown where id = ${data.id}
    `
    )[0]?.isApplied
  assert.equal(await applied(), false)
  await applyTakedowns(app)
  assert.equal(await applied(), true)
  assert.equal((await mails(member)).length, 1)
})

test('200: CSV of the statements → one line each, in the words of the database of the EU, and no user', async () => {
  const maker = await ann()
  const { id } = (await takeDown(await completedVideo(kinora, maker), { ground: 'law', isAutomated: true })).data
  const { text, headers } = await download('/api/v1/admin/takedowns.csv', root)
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  const [head = [], ...rows] = readCsv(text)
  const row = Object.fromEntries(head.map((name, i) => [name, rows.find(([puid]) => puid === id)?.[i]]))
  assert.deepEqual(
    [row.decision_ground, row.automated_detection, row.automated_decision, row.source_type, row.decision_facts],
    [
      'DECISION_GROUND_ILLEGAL_CONTENT',
      'Yes',
      'AUTOMATED_DECISION_NOT_AUTOMATED',
      'SOURCE_TYPE_OTHER_NOTIFICATION',
      decision.reason,
    ],
  )
  assert.ok(!text.includes(maker.userId) && !text.includes(maker.email))
})

test('200: account deleted → hidden files go at once, the statement stays without the maker’s words; the export has it', async () => {
  const maker = await ann()
  const uuid = await completedVideo(kinora, maker)
  const { id } = (await takeDown(uuid)).data
  await object(await tokenOf(maker, uuid))
  await call(sql, 'account_delete', {
    ...{ userId: maker.userId, actorId: maker.userId, emailHash: Buffer.alloc(32), cancelError: 'Deleted.' },
    ...{ grace: '0', requestId: '', owed: 0, now: app.now() },
  })
  for (let i = 0; i < 3; i++) {
    kinora.turnClock(20 * 60_000)
    await eraseDeletedAccounts(app)
    while ((await sweepOrphans(app)) > 0);
  }
  const [row] = await sql<{ objection: string | null; files: number; erased: boolean }[]>`
    select objection, (select count(*)::integer from kinora.video_file f where f.video_id = ${uuid}) as files,
           (select d.erased_at is not null from kinora.deleted_account d where d.user_id = t.user_id) as erased
    from kinora.takedown t where id = ${id}
  `
  assert.deepEqual({ ...row }, { objection: null, files: 0, erased: true })
})
