/** The order of the library: folders, favourites, and what is done with several videos at once. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { unzip } from '../support/unzip.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' }, simulator: true })

type Folder = { id: string; name: string; videos: number }
type Bulk = { uuids: string[]; notFound: string[] }
type Item = { uuid: string; favourite: boolean; folderId: string | null }

const FOLDERS = '/api/v1/video/folders'
const makeFolder = (as: Person, name: string) => kinora.call<Folder>('POST', FOLDERS, { as, body: { name } })
const foldersOf = async (as: Person) =>
  (await kinora.call<{ folders: Folder[] }>('GET', FOLDERS, { as })).data.folders.map(({ name, videos }) => [
    name,
    videos,
  ])
const arrange = (as: Person, body: object) => kinora.call<Bulk>('POST', '/api/v1/video/arrange', { as, body })
const listOf = async (as: Person, query: string) =>
  (await kinora.call<{ videos: Item[]; total: number }>('GET', `/api/v1/video/list?${query}`, { as })).data
const uuidsOf = async (as: Person, query: string) => (await listOf(as, query)).videos.map(({ uuid }) => uuid)
const makeVideo = async (as: Person) => {
  kinora.turnClock(1000)
  return (await kinora.generate(as)).data.uuid
}

test('200: folders → made, renamed, listed by name with the number of their videos, deleted ones left out', async () => {
  const ann = await kinora.person()
  const uuid = await makeVideo(ann)
  const { data: boats } = await makeFolder(ann, ' Boats ')
  assert.deepEqual([boats.name, boats.videos], ['Boats', 0])
  await makeFolder(ann, 'ants')
  await arrange(ann, { uuids: [uuid], folderId: boats.id })
  assert.deepEqual(await foldersOf(ann), [
    ['ants', 0],
    ['Boats', 1],
  ])
  const renamed = await kinora.call<Folder>('PATCH', `${FOLDERS}/${boats.id}`, { as: ann, body: { name: 'Ships' } })
  assert.deepEqual([renamed.status, renamed.data.name, renamed.data.videos], [200, 'Ships', 1])
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
  assert.deepEqual(await foldersOf(ann), [
    ['ants', 0],
    ['Ships', 0],
  ])
})

test('409: a folder of a name that is taken, and one beyond the most → nothing is made', async () => {
  const ann = await kinora.person()
  const { data: boats } = await makeFolder(ann, 'Boats')
  assert.equal((await makeFolder(ann, 'Boats')).status, 409)
  const { data: ants } = await makeFolder(ann, 'Ants')
  const rename = (id: string, name: string) => kinora.call('PATCH', `${FOLDERS}/${id}`, { as: ann, body: { name } })
  assert.equal((await rename(ants.id, 'Boats')).status, 409)
  assert.equal((await rename(boats.id, 'Boats')).status, 200)
  assert.equal((await rename(boats.id, '  ')).status, 400)
  await kinora.app.sql`
    insert into kinora.video_folder (user_id, id, name, made_by, created_at)
    select ${ann.userId}, gen_random_uuid(), n::text, ${ann.userId}, now() from generate_series(1, 197) n
  `
  const made = await Promise.all(['a', 'b', 'c'].map((name) => makeFolder(ann, name)))
  assert.deepEqual(made.map(({ status }) => status).sort(), [200, 409, 409])
})

test('200: a folder is deleted → its videos stay, in none', async () => {
  const ann = await kinora.person()
  const uuid = await makeVideo(ann)
  const { data: boats } = await makeFolder(ann, 'Boats')
  await arrange(ann, { uuids: [uuid], folderId: boats.id })
  assert.deepEqual(await uuidsOf(ann, 'folder=none'), [])
  const removed = await kinora.call('DELETE', `${FOLDERS}/${boats.id}`, { as: ann })
  assert.deepEqual([removed.status, removed.data], [200, { id: boats.id, deleted: true }])
  assert.deepEqual([await foldersOf(ann), await uuidsOf(ann, 'folder=none')], [[], [uuid]])
})

test('404: the folder of another user, and one that does not exist → are equally unknown', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const uuid = await makeVideo(ann)
  const { data: boats } = await makeFolder(bob, 'Boats')
  for (const id of [boats.id, randomUUID(), 'x']) {
    for (const [method, path, body] of [
      ['PATCH', `${FOLDERS}/${id}`, { name: 'Mine' }],
      ['DELETE', `${FOLDERS}/${id}`, undefined],
      ['POST', '/api/v1/video/arrange', { uuids: [uuid], folderId: id }],
    ] as const) {
      const { status, error } = await kinora.call(method, path, { as: ann, ...(body && { body }) })
      assert.deepEqual([status, error?.code], [404, 'NOT_FOUND'], `${method} ${path}`)
    }
  }
  assert.deepEqual(await foldersOf(bob), [['Boats', 0]])
  assert.deepEqual(await uuidsOf(ann, `folder=${boats.id}`), [])
})

test('200: videos are marked and moved → what is left out stays; a uuid of another user is not found', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const [first, second, foreign] = [await makeVideo(ann), await makeVideo(ann), await makeVideo(bob)]
  const { data: boats } = await makeFolder(ann, 'Boats')
  const marked = await arrange(ann, { uuids: [first, foreign, first.toUpperCase(), 'x'], favourite: true })
  assert.deepEqual(marked.data, { uuids: [first], notFound: [foreign, 'x'] })
  await arrange(ann, { uuids: [first, second], folderId: boats.id })
  const stateOf = async () => (await listOf(ann, '')).videos.map(({ favourite, folderId }) => [favourite, folderId])
  assert.deepEqual(await stateOf(), [
    [false, boats.id],
    [true, boats.id],
  ])
  assert.deepEqual(await uuidsOf(ann, 'favourite=true'), [first])
  assert.deepEqual(await uuidsOf(ann, `folder=${boats.id}&favourite=false`), [second])
  await arrange(ann, { uuids: [first], favourite: false, folderId: null })
  assert.deepEqual(await stateOf(), [
    [false, boats.id],
    [false, null],
  ])
  assert.deepEqual((await listOf(bob, '')).videos[0]?.favourite, false)
})

test('200: a list by time, the oldest first → from is in it and to is not; pages follow each other', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.push(await makeVideo(ann))
  const times = await Promise.all(
    made.map(
      async (uuid) =>
        (await kinora.call<{ createdAt: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })).data.createdAt,
    ),
  )
  const period = `from=${times[1]}&to=${times[4]}`
  assert.deepEqual(await uuidsOf(ann, `${period}&sort=oldest`), made.slice(1, 4))
  const { videos, total } = await listOf(ann, `${period}&q=boat`)
  assert.deepEqual([videos.map(({ uuid }) => uuid), total], [made.slice(1, 4).toReversed(), 3])
  const first = await kinora.call<{ nextCursor: string }>('GET', '/api/v1/video/list?sort=oldest&pageSize=2', {
    as: ann,
  })
  assert.deepEqual(await uuidsOf(ann, `sort=oldest&pageSize=2&cursor=${first.data.nextCursor}`), made.slice(2, 4))
  for (const query of ['from=yesterday', 'folder=x', 'mode=X', 'sort=x', 'favourite=1']) {
    assert.equal((await kinora.call('GET', `/api/v1/video/list?${query}`, { as: ann })).status, 400, query)
  }
})

test('200: several videos are deleted → those of other users stay', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const [first, second, foreign] = [await makeVideo(ann), await makeVideo(ann), await makeVideo(bob)]
  const remove = (uuids: string[]) => kinora.call<Bulk>('POST', '/api/v1/video/delete', { as: ann, body: { uuids } })
  assert.deepEqual((await remove([first, foreign])).data, { uuids: [first], notFound: [foreign] })
  assert.deepEqual([await uuidsOf(ann, ''), await uuidsOf(bob, '')], [[second], [foreign]])
  assert.deepEqual((await remove([first])).data, { uuids: [], notFound: [first] })
  assert.equal((await remove([])).status, 400)
  assert.equal((await remove(Array.from({ length: 101 }, () => randomUUID()))).status, 400)
})

test('200: an archive → each film by its prompt, without videos that have none', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const films = [await completedVideo(kinora, ann), await completedVideo(kinora, ann)]
  const waiting = await makeVideo(ann)
  const archive = (uuids: string[]) =>
    fetch(`${kinora.url}/api/v1/video/archive?${uuids.map((uuid) => `uuid=${uuid}`).join('&')}`, {
      headers: { authorization: `Bearer ${ann.token}` },
    })
  const response = await archive([...films, waiting])
  assert.equal(response.status, 200)
  assert.match(
    String(response.headers.get('content-disposition')),
    /^attachment; filename="films-\d{4}-\d\d-\d\d\.zip"$/,
  )
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  const { data } = await kinora.call<{ prompt: string; videoUrl: string }>('GET', `/api/v1/video/${films[0]}`, {
    as: ann,
  })
  assert.deepEqual([...files.keys()], [`${data.prompt}.mp4`, `2 ${data.prompt}.mp4`])
  const film = Buffer.from(await (await fetch(data.videoUrl)).arrayBuffer())
  assert.ok(film.equals(files.get(`${data.prompt}.mp4`) ?? Buffer.alloc(0)))
  await kinora.app.sql`update kinora.video set prompt = 'CON' where user_id = ${ann.userId}`
  assert.deepEqual(
    [...unzip(Buffer.from(await (await archive(films)).arrayBuffer())).keys()],
    ['_CON.mp4', '2 CON.mp4'],
  )
  assert.equal((await archive([waiting])).status, 409)
  for (const other of [randomUUID(), 'x']) assert.equal((await archive([...films, other])).status, 404)
})
