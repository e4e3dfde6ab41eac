/** A film without a prompt, of a portrait and a sound: what a person reads in its place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customer } from '../compatible/clients.ts'
import { openKinora } from '../support/harness.ts'
import { addStage, STAGE, stageRequests, stageSources } from '../support/stage.ts'

test('prompt: film of a portrait and a sound without one → its model and mode in mails and MCP; null where a format or view allows it', async () => {
  const kinora = await openKinora({ simulator: true })
  addStage()
  const ann = await customer(kinora, 100)
  const body = stageRequests(await stageSources(kinora, ann)).find(({ mode }) => mode === 'avatar')
  await kinora.app.sql`update public."user" set "emailVerified" = true where id = ${ann.userId}`
  await kinora.app.sql`
    insert into kinora.mail_setting values (${ann.userId}, 'video.done', true, ${kinora.app.now()})
  `
  const { data } = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body })
  const { uuid } = data
  assert.equal((await kinora.finish(ann, uuid)).status, 'COMPLETED')
  const read = async <Data>(path: string) => (await kinora.call<Data>('GET', path, { as: ann })).data
  const { videos } = await read<{ videos: { prompt: string; model: string; mode: string }[] }>(
    '/api/v1/video/list?mode=avatar',
  )
  assert.deepEqual(
    videos.map(({ prompt, model, mode }) => [prompt, model, mode]),
    [['', STAGE, 'avatar']],
  )
  const { transactions } = await read<{ transactions: { prompt: string | null }[] }>(
    '/api/v1/credit/history?prompts=true&transType=VIDEO_CONSUME',
  )
  assert.equal(transactions[0]?.prompt, null)
  const [notice] = await kinora.app.sql<{ data: { film: string } }[]>`
    select data from kinora.mail where user_id = ${ann.userId} and kind = 'video.done'
  `
  assert.equal(notice?.data.film, `${STAGE}, avatar`)

  const call = { name: 'get_video', arguments: { uuid } }
  const { text } = await kinora.call('POST', '/mcp', {
    as: ann,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  })
  assert.match(text, /"description":"Stage, avatar"/)
  const get = async (path: string) => JSON.parse((await kinora.call('GET', path, { as: ann })).text)
  assert.equal((await get(`/v1/videos/${uuid}`)).prompt, null)
  assert.ok(!('prompt' in (await get(`/replicate/v1/predictions/${uuid}`)).input))
})
