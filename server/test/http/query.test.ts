/** Queries of every operation of both documents: an unknown parameter is named, with the one that may be meant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, pathsOf } from '../support/harness.ts'
import { readDocuments } from '../support/served-document.ts'

type Parameter = { name: string; in: string; schema?: { enum?: string[]; type?: string; format?: string } }
type Operation = {
  operationId: string
  requestBody?: object
  parameters?: (Parameter | { $ref: string })[]
  'x-team-role'?: string
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

const kinora = await openKinora({ env: { EXPLORE: 'on' } })
const { paths, components } = await readDocuments<Document>(kinora)
const root = await kinora.person({ role: 'admin' })
const { data: team } = await kinora.call<{ id: string }>('POST', '/api/v1/team', { as: root, body: { name: 'North' } })

/** AI providers and mail programs send these, with parameters of their own. */
const ofOthers = ['receiveCallback', 'unsubscribe']
const operations = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, methods]) =>
    // A body is looked at first.
    Object.entries(methods)
      .filter(([, { requestBody }]) => !requestBody)
      .map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path: path.replace('{item}', 'mail').replaceAll(/\{\w+\}/g, '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'),
        isOfTeam: path.startsWith('/api/v1/team') && operation['x-team-role'] !== 'none',
        query: (operation.parameters ?? [])
          .map((each) => ('$ref' in each ? components.parameters[each.$ref.split('/').at(-1) ?? ''] : each))
          .flatMap((each) => (each?.in === 'query' ? [each.name] : [])),
      })),
  )
  .filter(({ id }) => !ofOthers.includes(id))

for (const { id, method, path, isOfTeam, query } of operations) {
  const call = (parameters: string) =>
    kinora.call(method, `${path}?${parameters}`, { as: root, headers: isOfTeam ? { 'x-team': team.id } : {} })

  test(`400: ${id} with an unknown parameter → named`, async () => {
    const response = await call('surplus=1')
    assert.deepEqual([response.status, response.error?.code], [400, 'INVALID_REQUEST'], response.text)
    assert.ok(pathsOf(response).includes('surplus'), response.text)
  })

  if (method === 'GET' && query.includes('pageSize')) {
    test(`400: ${id}?limit=5 → pageSize is meant`, async () => {
      const { error } = await call('limit=5')
      assert.equal(error?.message, 'The query is not valid: limit is not a known field (did you mean pageSize?).')
    })
  }
}

const misspelt = [
  ['page_size=5', 'page_size is not a known field (did you mean pageSize?)'],
  ['pagesize=5', 'pagesize is not a known field (did you mean pageSize?)'],
  ['starting_after=x', 'starting_after is not a known field (did you mean cursor?)'],
  ['stauts=COMPLETED', 'stauts is not a known field (did you mean status?)'],
  ['metdata[order]=1', 'metdata[order] is not a known field'],
  ['__proto__=1', '__proto__ is not a known field'],
  ['pageSize=5&pageSize=6', 'pageSize must be integer'],
] as const
for (const [query, problem] of misspelt) {
  test(`400: GET /api/v1/video/list?${query} → ${problem}`, async () => {
    const { status, error } = await kinora.call('GET', `/api/v1/video/list?${query}`, { as: root })
    assert.deepEqual([status, error?.message], [400, `The query is not valid: ${problem}.`])
  })
}

test('400: a body with a misspelt field → the one that is meant', async () => {
  const { error } = await kinora.generate(root, { promt: 'A boat', aspect_ratio: '16:9' })
  assert.deepEqual(error?.details, [
    { path: 'promt', message: 'is not a known field (did you mean prompt?)' },
    { path: 'aspect_ratio', message: 'is not a known field (did you mean aspectRatio?)' },
  ])
})

test('200: list by metadata, and a list of a format with unknown parameters → taken', async () => {
  for (const path of ['/api/v1/video/list?metadata[order]=1', '/v1/videos?limit=5&surplus=1']) {
    assert.equal((await kinora.call('GET', path, { as: root })).status, 200)
  }
})
