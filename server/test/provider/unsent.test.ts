/** What is no vendor's business: the metadata of a request, and the subject of its token. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { catalogue } from '../../src/catalogue/catalogue.ts'
import { openModel } from '../../src/catalogue/model.ts'
import { withModelValues } from '../../src/catalogue/request.ts'
import { settingsPart } from '../../src/config/config.ts'
import { accounts } from '../../src/provider/accounts.ts'
import { models, setModel } from '../support/changed-models.ts'
import { openKinora } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { sharedSimulator } from '../support/simulator.ts'
import { workOn } from '../support/work-until.ts'

const simulator = await sharedSimulator()
/** What each account was sent, before the simulator answers it. */
const sent = new Map<string, string[]>(accounts().map(({ id }) => [id, []]))
const recorder = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const { method = '', url: path = '', headers } = request
  const [, account = ''] = path.split('/')
  sent.get(account)?.push(`${method} ${path}\n${JSON.stringify(headers)}\n${body.toString('utf8')}`)
  const { host, connection, 'content-length': length, 'transfer-encoding': coding, ...passed } = headers
  const answer = await fetch(simulator.url + path, {
    method,
    headers: passed as Record<string, string>,
    ...(body.length > 0 ? { body } : {}),
  })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
  response.end(Buffer.from(await answer.arrayBuffer()))
}).listen(0, '127.0.0.1')
await once(recorder, 'listening')
after(() => {
  recorder.close()
  recorder.closeAllConnections()
})
const url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const serviceAccount = JSON.stringify({
  type: 'service_account',
  project_id: 'films',
  client_email: 'kinora@films.iam.gserviceaccount.com',
  private_key: privateKey,
})
const keys: Record<string, string> = { 'provider-a': 'key-a', 'provider-b': 'key-b', vertex: serviceAccount }
const settings = accounts().map(({ id }) => {
  const name = `PROVIDER_${settingsPart(id)}`
  return { [`${name}_URL`]: `${url}/${id}`, [`${name}_API_KEY`]: keys[id] ?? 'key' }
})
const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0', ...Object.assign({}, ...settings) } })

const MODES = ['text-to-video', 'image-to-video'] as const
type Mode = (typeof MODES)[number]

/** The release's models with the mode, at this account alone; a stand-in where an operator brings the models. */
function modelsAt(account: string, mode: Mode): string[] {
  const all = [...models().values()].filter(({ id, summary }) => !id.startsWith('at-') && summary.modes.includes(mode))
  const routed = all.flatMap((model) => {
    const route = model.routes.find((each) => each.account === account)
    return route ? [{ model, route }] : []
  })
  const own = { model: models().get('delta-1-5') ?? assert.fail(), route: { account, input: { prompt: 'prompt' } } }
  return (routed.length > 0 ? routed : [own]).map(({ model, route }) => {
    const id = `at-${account}-${model.id}`
    setModel(openModel({ ...model, id, routes: [route] }))
    return id
  })
}

test('every vendor: film with metadata, of a token with a subject → sent with its prompt, without either', async () => {
  const ann = await kinora.person({ credits: 100_000 })
  const made = await kinora.call('POST', '/api/auth/api-key/create', { as: ann, body: { name: 'shop' } })
  const callWith = (credential: string, path: string, body: object | Buffer, type = 'application/json') =>
    kinora.call<{ token: string; uuid: string; url: string }>('POST', path, {
      body,
      headers: { authorization: `Bearer ${credential}`, 'content-type': type },
    })
  const limits = { subject: 'visitor-zebulon', scopes: ['generate'], budget: 100_000 }
  const newToken = async () => (await callWith(JSON.parse(made.text).key, '/api/v1/key/token', limits)).data.token
  const image = (await callWith(await newToken(), '/api/v1/video/image', await plain(640, 360), 'image/png')).data.url
  assert.ok(image)
  const metadata = { 'order-tourmaline': 'value-tourmaline' }
  /** @returns whether a model of the account makes a film of the mode */
  const make = async (account: string, mode: Mode): Promise<boolean> => {
    // The clock that turns ends the one before.
    const token = await newToken()
    for (const model of modelsAt(account, mode)) {
      const prompt = `[fail] A prompt of sapphire ${mode}`
      const wanted = { model, prompt, ...(mode === 'image-to-video' && { startImageUrl: image }) }
      const request = withModelValues(catalogue(kinora.app.config), wanted, { aspectRatio: '16:9' })
      const { status, data } = await callWith(token, '/api/v1/video/generate', { ...request, metadata })
      if (status !== 200) continue
      // A provider may take the image first; a poll follows.
      for (let step = 0; step < 4; step += 1) {
        await workOn(kinora.app, ann.userId, data.uuid)
        kinora.turnClock(5_000)
      }
      return true
    }
    return false
  }
  for (const account of sent.keys()) {
    for (const mode of MODES) {
      const isMade = await make(account, mode)
      assert.ok(isMade || mode === 'image-to-video', `${account} makes no film`)
      const texts = sent.get(account) ?? []
      if (isMade)
        assert.ok(
          texts.some((text) => text.includes(`sapphire ${mode}`)),
          `${account}: ${texts.join('\n')}`,
        )
    }
  }
  for (const [account, texts] of sent) {
    for (const text of texts) assert.doesNotMatch(text, /zebulon|tourmaline/i, `${account}: ${text}`)
  }
})
