/** Edits in turns: each stays at the account that keeps the film before it, and goes on from that by its task. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { switchOff } from '../../src/catalogue/catalogue.ts'
import type { ModelEntry, Route } from '../../src/catalogue/model-file.ts'
import { accounts, replaceAccounts } from '../../src/provider/accounts.ts'
import type { OpenProvider } from '../../src/provider/open.ts'
import { addModel } from '../support/changed-models.ts'
import { generateBody, noCredits, openKinora, type Person } from '../support/harness.ts'
import { type SimulatedTask, sharedSimulator } from '../support/simulator.ts'
import { runNextStep } from '../support/video-row.ts'

const simulator = await sharedSimulator()
const own = accounts()
replaceAccounts([...own, ...['google-1', 'google-2'].map((id) => ({ id, adapter: 'google' }))])
const kinora = await openKinora({
  env: {
    ...Object.fromEntries(
      ['1', '2'].flatMap((n) => [
        [`PROVIDER_GOOGLE_${n}_URL`, `${simulator.url}/google`],
        [`PROVIDER_GOOGLE_${n}_API_KEY`, `key-${n}`],
      ]),
    ),
    FETCH_ALLOW: simulator.hostAndPort,
  },
})
replaceAccounts(own)

const OMNI = 'gemini-omni-1.2-flash'
const text = { prompt: "[{ 'type': 'text', 'text': prompt }]", film: "film ? { 'type': 'video', 'uri': film }" }
const format = { resolution: 'quality' }
const made = (account: string): Route => ({
  account,
  model: { 'text-to-video': OMNI },
  input: { input: text.prompt, response_format: { ...format, duration: "$string(duration) & 's'" } },
})
const edited = (account: string, film: string): Route => ({
  account,
  model: { edit: OMNI },
  input: {
    previous_interaction_id: 'filmTask',
    input: `[{ 'type': 'text', 'text': prompt }${film && `, ${film}`}]`,
    response_format: format,
    generation_config: { video_config: { task: "'edit'" } },
  },
  keeps: { models: ['turns', 'own-turns'], days: 55 },
})
const modes: ModelEntry['modes'] = {
  'text-to-video': { duration: [3, 4], quality: ['360p'], aspectRatio: ['16:9'] },
  edit: { duration: { follows: 'film', from: 1, to: 10 }, aspectRatio: 'follows the image' },
}
const price: ModelEntry['price'] = { per: 'second', credits: 2 }
/** The first film is of the account that comes second. */
addModel('turns', {
  ...{ name: 'Turns', modes, price, options: {} },
  routes: [made('google-2'), edited('google-1', text.film), edited('google-2', text.film)],
})
addModel('own-turns', {
  ...{ name: 'Own turns', modes, price, options: {} },
  routes: [made('google-2'), edited('google-1', ''), edited('google-2', '')],
})

const send = (as: Person, body: object) =>
  kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as, body: { ...generateBody, ...body } })
async function film(as: Person, model = 'turns'): Promise<string> {
  const { data, text: why } = await send(as, { model, duration: 3, quality: '360p' })
  assert.ok(data?.uuid, why)
  assert.equal((await kinora.finish(as, data.uuid)).error, null)
  return data.uuid
}
const edit = (as: Person, video: string, change: object = {}) =>
  send(as, {
    ...{ model: 'turns', duration: undefined, quality: '360p', mode: 'edit', prompt: 'More light' },
    ...{ inputs: [{ role: 'film', video }] },
    ...change,
  })
async function editedFilm(as: Person, video: string): Promise<string> {
  const { data, text: why } = await edit(as, video)
  assert.ok(data?.uuid, why)
  assert.equal((await kinora.finish(as, data.uuid)).error, null)
  return data.uuid
}
/** The account and the task of a video, and what its task had of a film. */
async function madeOf(uuid: string) {
  const [row] = await kinora.app.sql<{ account: string; task: string }[]>`
    select providers[provider_index] as account, provider_task_id as task from kinora.video where id = ${uuid}
  `
  const task = (await simulator.tasks()).find(({ taskId }) => taskId === row?.task)
  return { ...row, films: (task?.inputs ?? []).map(filmIn) }
}
/** The task whose film went in, or that its bytes did. */
const filmIn = ({ url }: SimulatedTask['inputs'][number]): string =>
  url.startsWith('data:') ? 'bytes' : (/films\/(.+)\.mp4$/.exec(url)?.[1] ?? url)

/** The account of the first film, with other calls until the test ends. */
function changeAccount(t: TestContext, calls: Partial<OpenProvider>): void {
  const { providers } = kinora.app
  t.after(() => {
    kinora.app.providers = providers
  })
  const open = async (id: string) => {
    const provider = await providers.open(id)
    return provider && id === 'google-2' ? { ...provider, ...calls } : provider
  }
  kinora.app.providers = { ...providers, open }
}

test('edit: of a film, of its edit, and of that → each at the account of the first, by the task before', async () => {
  const ann = await kinora.person({ credits: 100 })
  const turns = [await film(ann)]
  for (let turn = 1; turn <= 3; turn += 1) turns.push(await editedFilm(ann, turns.at(-1) ?? ''))
  const all = await Promise.all(turns.map(madeOf))
  assert.deepEqual(
    all.map(({ account }) => account),
    turns.map(() => 'google-2'),
  )
  assert.deepEqual(
    all.map(({ films }) => films),
    [[], ...all.slice(0, -1).map(({ task }) => [task])],
  )
})

test('edit: account of the film switched off → the film itself at the other one; where that takes none, refused before credits are frozen', async (t) => {
  const ann = await kinora.person({ credits: 100 })
  const [first, ownFirst] = [await film(ann), await film(ann, 'own-turns')]
  switchOff(({ account }) => account !== 'google-2')
  t.after(() => switchOff(null))
  const second = await madeOf(await editedFilm(ann, first))
  assert.deepEqual([second.account, second.films], ['google-1', ['bytes']])
  const before = await kinora.balance(ann)
  const refused = await edit(ann, ownFirst, { model: 'own-turns' })
  assert.deepEqual([refused.status, refused.error?.code], [400, 'UNSUPPORTED_MODE'])
  assert.match(refused.error?.message ?? '', /only films that the same provider has made in the last 55 days/)
  assert.deepEqual(await kinora.balance(ann), before)
})

test('edit: account of the film at fault → the film itself at the other one', async (t) => {
  const ann = await kinora.person({ credits: 100 })
  const first = await film(ann)
  changeAccount(t, { submit: async () => ({ kind: 'not_accepted', reason: 'No balance.', retryable: false }) })
  const second = await madeOf(await editedFilm(ann, first))
  assert.deepEqual([second.account, second.films], ['google-1', ['bytes']])
})

test('edit: film older than the vendor keeps it → the film itself; where that is taken by none, refused', async () => {
  const ann = await kinora.person({ credits: 100 })
  const [first, ownFirst] = [await film(ann), await film(ann, 'own-turns')]
  for (const uuid of [first, ownFirst])
    await kinora.app.sql`update kinora.video set created_at = created_at - interval '56 days' where id = ${uuid}`
  assert.deepEqual((await madeOf(await editedFilm(ann, first))).films, ['bytes'])
  assert.equal((await edit(ann, ownFirst, { model: 'own-turns' })).status, 400)
})

test('edit: film that the vendor has lost → the film itself, at the same account; where that is taken by none, INPUT_REFUSED and refunded', async () => {
  const ann = await kinora.person({ credits: 100 })
  const [first, ownFirst] = [await film(ann), await film(ann, 'own-turns')]
  for (const uuid of [first, ownFirst])
    await kinora.app.sql`update kinora.video set provider_task_id = ${`lost-${uuid}`} where id = ${uuid}`
  const second = await madeOf(await editedFilm(ann, first))
  assert.deepEqual([second.account, second.films], ['google-2', ['bytes']])
  const before = await kinora.balance(ann)
  const { data } = await edit(ann, ownFirst, { model: 'own-turns' })
  const failed = await kinora.finish(ann, data.uuid)
  assert.deepEqual(
    [failed.status, failed.error],
    ['FAILED', 'The provider does not keep the film any more; choose one that it made lately.'],
  )
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, ...before })
})

test('edit: account of the film without room → waits for it, and after half of its time goes to the other one', async (t) => {
  const ann = await kinora.person({ credits: 100 })
  const first = await film(ann)
  changeAccount(t, { limits: { concurrency: 1 } })
  const busy = (await edit(ann, first, { prompt: '[slow: 600s]' })).data.uuid
  assert.equal((await runNextStep(kinora, busy)).status, 'GENERATING')
  const { data } = await edit(ann, first)
  const waiting = await runNextStep(kinora, data.uuid)
  assert.deepEqual([waiting.status, waiting.submittedAt], ['PENDING', null])
  const { data: unfinished } = await kinora.call<{ videos: { uuid: string; why: string }[] }>(
    'GET',
    `/api/v1/admin/videos?userId=${ann.userId}`,
    { as: await kinora.person({ role: 'admin' }) },
  )
  const why = unfinished.videos.find(({ uuid }) => uuid === data.uuid)?.why ?? ''
  assert.match(why, /^It waits for room: google-2 is full \(1 of 1 tasks\)\. A worker looks at /)
  const { deadlineAt } = waiting
  kinora.turnClock((deadlineAt.getTime() - kinora.app.now().getTime()) * 0.6)
  await runNextStep(kinora, data.uuid)
  const { account, films } = await madeOf(data.uuid)
  assert.deepEqual([account, films], ['google-1', ['bytes']])
})
