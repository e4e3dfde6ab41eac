/** null in bodies: absent in every POST, for each field that may be left out; a change has it as the document says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'
import { readDocuments, readOpenApi } from '../support/served-document.ts'

type Schema = { properties?: Record<string, Schema>; required?: string[]; type?: string | string[]; anyOf?: Schema[] }
type Content = { schema: Schema; example?: Record<string, unknown> }
type Operation = {
  operationId: string
  'x-team-role'?: string
  requestBody?: { content: { 'application/json'?: Content } }
}
type Document = { paths: Record<string, Record<string, Operation>> }

const kinora = await openKinora({ env: { EXPLORE: 'on', MAX_IN_PROGRESS: '0' } })
const { paths } = readOpenApi<Document>(JSON.stringify(await readDocuments<Document>(kinora)))
const operations = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, { post }]) => {
    const content = post?.requestBody?.content['application/json']
    return post && content ? [{ ...post, ...content, path }] : []
  })

const takesNull = ({ type, anyOf = [] }: Schema): boolean => [type].flat().includes('null') || anyOf.some(takesNull)
/** What a null means beside "absent": the operations say so. */
const MEANT: Record<string, string[]> = { arrangeVideos: ['folderId'] }

async function newTeam(as: Person): Promise<Record<string, string>> {
  const { data } = await kinora.call<{ id: string }>('POST', '/api/v1/team', { as, body: { name: 'North' } })
  return { 'x-team': data.id }
}

for (const { operationId, path, schema, example = {}, ...operation } of operations) {
  const shapes = schema.anyOf ?? [schema]
  for (const [n, { properties = {}, required = [] }] of shapes.entries()) {
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    const which = shapes.length > 1 ? `, body ${n + 1}` : ''
    if (optional.length === 0) continue

    test(`${operationId}${which}: each field that may be left out with null → as without it, and said in the document`, async () => {
      assert.deepEqual(
        optional.filter((name) => !takesNull(properties[name] ?? {})),
        [],
      )
      const as = await kinora.person({ role: 'admin' })
      const id = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
      const isOfTeam = path.startsWith('/api/v1/team') && operation['x-team-role'] !== 'none'
      const without = Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name)))
      const send = async (body: object) => {
        // An operation may be once for a team or a text.
        const own = 'code' in body || !('name' in body) ? body : { ...body, name: `North ${Math.random()}` }
        const headers = isOfTeam ? await newTeam(as) : {}
        const { status, error } = await kinora.call('POST', path.replaceAll(/\{\w+\}/g, id), { as, headers, body: own })
        return { status, code: error?.code, details: error?.details }
      }
      const meant = MEANT[operationId] ?? []
      const nulls = Object.fromEntries(optional.filter((name) => !meant.includes(name)).map((name) => [name, null]))
      assert.deepEqual(await send({ ...without, ...nulls }), await send(without))
    })
  }
}

test('200: generate with null in fields → the film of the request without them', async () => {
  const ann = await kinora.person()
  const key = { 'idempotency-key': 'k' }
  const first = await kinora.generate(ann, { seed: null, options: null, metadata: null, n: null }, key)
  assert.equal(first.status, 200, first.text)
  const { data, headers } = await kinora.generate(ann, {}, key)
  assert.deepEqual([data.uuid, headers.get('idempotent-replayed')], [first.data.uuid, 'true'])
})

test('400: null in a required field and in an unknown one → named', async () => {
  const ann = await kinora.person()
  const answer = await kinora.generate(ann, { model: null, surplus: null })
  assert.deepEqual([answer.status, pathsOf(answer).sort()], [400, ['model', 'surplus']])
})

test('PATCH: null → removes where the document has it, else 400', async () => {
  const ann = await kinora.person()
  const shots = [{ settings: { prompt: 'A boat', model: null }, notes: null }]
  const { data, status } = await kinora.call<{ id: string; version: number; shots: { settings: object }[] }>(
    'POST',
    '/api/v1/project',
    { as: ann, body: { name: 'North', sound: null, shots } },
  )
  assert.deepEqual([status, data.shots[0]?.settings], [200, { prompt: 'A boat' }])
  const change = (body: object) => kinora.call('PATCH', `/api/v1/project/${data.id}`, { as: ann, body })
  const refused = await change({ version: data.version, name: null })
  assert.deepEqual([refused.status, pathsOf(refused)], [400, ['name']])
  assert.equal((await change({ version: data.version, sound: null })).status, 200)
})
