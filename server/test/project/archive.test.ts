/** The chosen takes of a project as a ZIP, with their cuts; and what a project keeps of the user's assets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepAssets } from '../../src/asset/asset.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { openProjects, PROJECTS, settingsOf } from '../support/projects.ts'
import { sound } from '../support/sounds.ts'
import { unzip } from '../support/unzip.ts'

const kinora = await openKinora({ simulator: true })
const { make, change, changeShot } = openProjects(kinora)

const archive = (as: Person, id: string) =>
  fetch(`${kinora.url}${PROJECTS}/${id}/archive`, { headers: { authorization: `Bearer ${as.token}` } })
const upload = async (as: Person, body: Buffer, type: string) =>
  (await kinora.call<{ id: string }>('POST', '/api/v1/asset', { as, body, headers: { 'content-type': type } })).data.id

test('200: an archive → the chosen takes in order, the sound, and an EDL with the cuts', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: project } = await make(ann, ['1', '2', '3'])
  assert.equal((await archive(ann, project.id)).status, 409)
  const films = [await completedVideo(kinora, ann), await completedVideo(kinora, ann)]
  const [one, , three] = project.shots
  assert.ok(one && three)
  await changeShot(ann, project.id, one, { takeId: films[1], inMs: 500, outMs: 1750 })
  await changeShot(ann, project.id, three, { takeId: films[0], outMs: 1000 })
  const asset = await upload(ann, await sound('pcm-s16', 1), 'audio/wav')
  const track = { asset, volume: 0.5, fadeInS: 0, fadeOutS: 2 }
  assert.equal((await change(ann, project.id, { version: project.version, sound: track })).status, 200)
  const response = await archive(ann, project.id)
  assert.equal(response.headers.get('content-type'), 'application/zip')
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  const names = [...files.keys()]
  assert.match(names.join(), /^01 [^,]+\.mp4,03 [^,]+\.mp4,sound\.\w+,cut\.edl$/)
  assert.deepEqual(files.get('cut.edl')?.toString().split('\r\n').filter(Boolean), [
    ...['TITLE: The lighthouse', 'FCM: NON-DROP FRAME'],
    '001  AX       AA/V  C        00:00:00:12 00:00:01:18 01:00:00:00 01:00:01:06',
    `* FROM CLIP NAME: ${names[0]}`,
    '002  AX       AA/V  C        00:00:00:00 00:00:01:00 01:00:01:06 01:00:02:06',
    `* FROM CLIP NAME: ${names[1]}`,
  ])
  assert.equal((await archive(await kinora.person(), project.id)).status, 404)
})

test('assets: the sound of a project and an input of a shot → kept while they are, whichever time passes', async () => {
  const ann = await kinora.person()
  const [picture, track, other] = [
    await upload(ann, await plain(640, 360), 'image/png'),
    await upload(ann, await sound('pcm-s16', 1), 'audio/wav'),
    await upload(ann, await plain(320, 180), 'image/png'),
  ]
  const fields = { sound: { asset: track, volume: 1, fadeInS: 0, fadeOutS: 0 } }
  const shot = settingsOf('1', { inputs: [{ role: 'start', asset: picture }] })
  const { data: project } = await make(ann, [shot], fields)
  const sweep = async () => {
    await kinora.app.sql`update kinora.asset set due_at = ${kinora.app.now()} where user_id = ${ann.userId}`
    await sweepAssets(kinora.app)
    const { data } = await kinora.call<{ assets: { id: string }[] }>('GET', '/api/v1/asset', { as: ann })
    return data.assets.map(({ id }) => id)
  }
  assert.deepEqual(await sweep(), [track, picture])
  assert.ok(other)
  await kinora.call('DELETE', `${PROJECTS}/${project.id}`, { as: ann })
  assert.deepEqual(await sweep(), [])
})
