/** What each vendor documents as its refusals: the code and the text that the user's film has then. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Route } from '../../src/catalogue/model-file.ts'
import { accounts } from '../../src/provider/accounts.ts'
import { readRoutes } from '../../src/video/route-health.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { modelOf, setModel } from '../support/changed-models.ts'
import { openKinora } from '../support/harness.ts'
import { readRow } from '../support/video-row.ts'

/** The account, the response to a submit, and the failure. `input`: where the vendor has several protocols. */
type Row = [account: string, status: number, body: object, code: string, text: string, input?: Record<string, unknown>]

const predictions = { instances: [{ prompt: 'A boat' }] }
const google = (message: string, reason?: string) => ({
  error: { code: 400, message, status: 'INVALID_ARGUMENT', ...(reason && { details: [{ reason }] }) },
})
const detail = (...errors: [loc: (string | number)[], msg: string, type: string][]) => ({
  detail: errors.map(([loc, msg, type]) => ({ loc, msg, type, input: 'x' })),
})
const comfy = {
  error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation', details: '' },
  node_errors: {
    50: {
      errors: [
        {
          type: 'value_bigger_than_max',
          message: 'Value 900 bigger than max of 300',
          details: 'length',
          extra_info: { input_name: 'length' },
        },
      ],
    },
  },
}

const refusals: Row[] = [
  [
    'ark',
    400,
    {
      error: {
        code: 'InputTextSensitiveContentDetected',
        message: 'The input text may contain sensitive information. Request id: 0217',
        type: 'BadRequest',
      },
    },
    'CONTENT_REFUSED',
    'The input text may contain sensitive information.',
  ],
  [
    'comfyui',
    400,
    comfy,
    'PARAMETERS_REFUSED',
    'length: Value 900 bigger than max of 300',
    { prompt: { 50: { class_type: 'Latent', inputs: {} } }, set: { 50: { length: 900 } } },
  ],
  [
    'dashscope',
    400,
    { code: 'InvalidParameter', message: 'duration must be one of 5, 10', request_id: 'r1' },
    'PARAMETERS_REFUSED',
    'duration must be one of 5, 10',
  ],
  [
    'dashscope',
    400,
    { code: 'DataInspectionFailed', message: 'Input text data may contain inappropriate content.' },
    'CONTENT_REFUSED',
    'Input text data may contain inappropriate content.',
  ],
  [
    'evolink',
    400,
    { error: { code: 'content_policy_violation', message: 'A celebrity', type: 'invalid_request_error' } },
    'CONTENT_REFUSED',
    'A celebrity',
  ],
  [
    'evolink',
    413,
    { error: { code: 'request_too_large', message: 'The body is too large', type: 'invalid_request_error' } },
    'PARAMETERS_REFUSED',
    'The body is too large',
  ],
  [
    'fal',
    422,
    detail([['body', 'duration'], "Input should be '5' or '10'", 'literal_error']),
    'PARAMETERS_REFUSED',
    "duration: Input should be '5' or '10'",
  ],
  [
    'fal',
    422,
    detail([['body', 'prompt'], 'The content could not be processed: it was flagged', 'content_policy_violation']),
    'CONTENT_REFUSED',
    'prompt: The content could not be processed: it was flagged',
  ],
  [
    'fal',
    422,
    detail([['body', 'image_url'], 'Failed to load it', 'image_load_error']),
    'INPUT_REFUSED',
    'image_url: Failed to load it',
  ],
  ['google', 400, google('Duration 7s is not supported.'), 'PARAMETERS_REFUSED', 'Duration 7s is not supported.'],
  ['google', 400, google('It was blocked', 'PROHIBITED_CONTENT'), 'CONTENT_REFUSED', 'It was blocked'],
  ['google', 400, [google('A list of one')], 'PARAMETERS_REFUSED', 'A list of one', predictions],
  [
    'vertex',
    400,
    google('Unsupported output video duration 7'),
    'PARAMETERS_REFUSED',
    'Unsupported output video duration 7',
    predictions,
  ],
  [
    'kie',
    200,
    { code: 422, msg: 'The resolution is not allowed' },
    'PARAMETERS_REFUSED',
    'The resolution is not allowed',
  ],
  ['kie', 200, { code: 451, msg: 'Failed to fetch the link' }, 'INPUT_REFUSED', 'Failed to fetch the link'],
  ['kling', 400, { code: 1201, message: 'duration is invalid' }, 'PARAMETERS_REFUSED', 'duration is invalid'],
  ['kling', 400, { code: 1301, message: 'A risk of content' }, 'CONTENT_REFUSED', 'A risk of content'],
  [
    'localai',
    400,
    { error: { message: 'invalid start_image: too big', code: 400 } },
    'INPUT_REFUSED',
    'invalid start_image: too big',
  ],
  ['luma', 400, { detail: 'Prompt failed moderation' }, 'CONTENT_REFUSED', 'Prompt failed moderation'],
  [
    'luma',
    422,
    detail([['body', 'video', 'duration'], 'It is too long', 'value_error']),
    'PARAMETERS_REFUSED',
    'video.duration: It is too long',
  ],
  [
    'minimax',
    200,
    { task_id: '', base_resp: { status_code: 2013, status_msg: 'invalid params: duration' } },
    'PARAMETERS_REFUSED',
    'invalid params: duration',
  ],
  [
    'minimax',
    422,
    { type: 'error', error: { type: 'unprocessable_entity_error', message: 'input new_sensitive (1026)' } },
    'CONTENT_REFUSED',
    'input new_sensitive (1026)',
    { content: [] },
  ],
  [
    'minimax',
    422,
    { type: 'error', error: { type: 'unprocessable_entity_error', message: 'ratio is wrong (2099)' } },
    'PARAMETERS_REFUSED',
    'ratio is wrong (2099)',
    { content: [] },
  ],
  [
    'openai',
    400,
    { error: { message: 'It was blocked', type: 'user_error', param: null, code: 'moderation_blocked' } },
    'CONTENT_REFUSED',
    'It was blocked',
  ],
  ['openai', 400, { detail: 'prompt is required' }, 'PARAMETERS_REFUSED', 'prompt is required'],
  [
    'openai',
    422,
    detail([['body', 'seconds'], 'String should match', 'string_pattern_mismatch']),
    'PARAMETERS_REFUSED',
    'seconds: String should match',
  ],
  [
    'openrouter',
    400,
    { error: { code: 400, message: 'Unsupported duration: 7' } },
    'PARAMETERS_REFUSED',
    'Unsupported duration: 7',
  ],
  [
    'openrouter',
    400,
    {
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: { provider_name: 'Seed', raw: '{"error":{"code":"InvalidParameter","message":"7 s are too many"}}' },
      },
    },
    'PARAMETERS_REFUSED',
    'Provider returned error: 7 s are too many',
  ],
  [
    'openrouter',
    403,
    {
      error: {
        code: 403,
        message: 'Your input was flagged',
        metadata: { reasons: ['violence'], flagged_input: 'A b…' },
      },
    },
    'CONTENT_REFUSED',
    'Your input was flagged: violence',
  ],
  ['pixverse', 200, { ErrCode: 400017, ErrMsg: 'invalid param', Resp: {} }, 'PARAMETERS_REFUSED', 'invalid param'],
  ['pixverse', 200, { ErrCode: 500063, ErrMsg: 'Moderation failed', Resp: {} }, 'CONTENT_REFUSED', 'Moderation failed'],
  ['pixverse', 400, { ErrMsg: 'The body is no JSON' }, 'PARAMETERS_REFUSED', 'The body is no JSON'],
  [
    'provider-a',
    400,
    { error: { code: 'invalid_request', message: 'duration: 5 or 10' } },
    'PARAMETERS_REFUSED',
    'duration: 5 or 10',
  ],
  ['provider-b', 200, { code: 422, msg: 'duration: 5 or 10' }, 'PARAMETERS_REFUSED', 'duration: 5 or 10'],
  [
    'replicate',
    422,
    {
      title: 'Input validation failed',
      detail: '- input.duration: duration must be one of 4, 6, 8',
      status: 422,
      invalid_fields: [{ type: 'enum', field: 'input.duration', description: 'duration must be one of 4, 6, 8' }],
    },
    'PARAMETERS_REFUSED',
    '- input.duration: duration must be one of 4, 6, 8',
  ],
  [
    'runway',
    400,
    {
      error: 'Validation of body failed',
      issues: [{ code: 'too_big', path: ['duration'], message: 'Number must be less than or equal to 10' }],
      docUrl: 'https://docs.dev.runwayml.com/api',
    },
    'PARAMETERS_REFUSED',
    'Validation of body failed: duration: Number must be less than or equal to 10',
  ],
  [
    'vercel',
    400,
    { error: { message: 'No such size for team_a1', type: 'invalid_request_error', param: null } },
    'PARAMETERS_REFUSED',
    'No such size for …',
  ],
  [
    'vidu',
    400,
    { code: 400, reason: 'FieldInvalid', message: 'duration is wrong', metadata: { trace_id: 't' } },
    'PARAMETERS_REFUSED',
    'duration is wrong',
  ],
  [
    'vidu',
    400,
    { code: 400, reason: 'TaskPromptPolicyViolation', message: '', metadata: {} },
    'CONTENT_REFUSED',
    'TaskPromptPolicyViolation',
  ],
  [
    'xai',
    400,
    { code: 'invalid-argument', error: 'Duration 15s exceeds 10s' },
    'PARAMETERS_REFUSED',
    'Duration 15s exceeds 10s',
  ],
  ['xai', 400, { code: 'imagine:content-moderated', error: 'It was rejected' }, 'CONTENT_REFUSED', 'It was rejected'],
  [
    'xai',
    403,
    {
      code: 'The caller does not have permission to execute the specified operation',
      error:
        'Content violates usage guidelines. Team: 0f4, API key ID: 9a1, Model: grok-imagine-video, Failed check: SAFETY_CHECK_TYPE_BIO',
    },
    'CONTENT_REFUSED',
    'Content violates usage guidelines. Model: grok-imagine-video, Failed check: SAFETY_CHECK_TYPE_BIO',
  ],
]

/** A model that a vendor has not, or no more. Luma, MiniMax and PixVerse tell it no differently from parameters. */
const unknownModels: [account: string, status: number, body: object, text: string, input?: Record<string, unknown>][] =
  [
    [
      'ark',
      404,
      { error: { code: 'InvalidEndpointOrModel.NotFound', message: 'The model x does not exist. Request id: 1' } },
      'The model x does not exist.',
    ],
    ['dashscope', 404, { code: 'ModelNotFound', message: 'Model can not be found.' }, 'Model can not be found.'],
    [
      'evolink',
      404,
      { error: { message: 'It is offline', type: 'model_unavailable', code: 'invalid_request' } },
      'It is offline',
    ],
    ['fal', 404, { detail: "Application 'x' not found" }, "Application 'x' not found"],
    [
      'google',
      404,
      { error: { code: 404, message: 'models/x is no longer available', status: 'NOT_FOUND' } },
      'models/x is no longer available',
      predictions,
    ],
    [
      'vertex',
      404,
      { error: { code: 404, message: 'Publisher Model `x` was not found', status: 'NOT_FOUND' } },
      'Publisher Model `x` was not found',
      predictions,
    ],
    [
      'kie',
      200,
      { code: 422, msg: 'This page does not exist or is not published' },
      'This page does not exist or is not published',
    ],
    ['kling', 404, { code: 1203, message: 'The model does not exist' }, 'The model does not exist'],
    ['localai', 404, { error: { message: 'model "x" not found', code: 404 } }, 'model "x" not found'],
    [
      'openai',
      404,
      { error: { message: 'The model `x` does not exist', code: 'model_not_found' } },
      'The model `x` does not exist',
    ],
    ['openrouter', 404, { error: { code: 404, message: 'No endpoints found for x' } }, 'No endpoints found for x'],
    [
      'replicate',
      404,
      { title: 'Not found', detail: 'The requested resource could not be found.' },
      'The requested resource could not be found.',
    ],
    [
      'runway',
      400,
      { error: 'Validation of body failed', issues: [{ path: ['model'], message: 'Invalid discriminator value' }] },
      'Validation of body failed: model: Invalid discriminator value',
    ],
    [
      'vercel',
      404,
      { error: { message: 'Model x not found', type: 'model_not_found', param: { modelId: 'x' } } },
      'Model x not found',
    ],
    ['vidu', 400, { code: 400, reason: 'ModelUnavailable', message: 'It is closed' }, 'It is closed'],
    ['xai', 404, { code: 'not-found', error: 'The model x does not exist' }, 'The model x does not exist'],
  ]

/** What every vendor answers but the one at `taker`. */
let answer: { status: number; body: object } = { status: 500, body: {} }
let taker = ''
const vendor = createServer((request, response) => {
  request.resume()
  const isTaken = request.url?.split('/')[1] === taker
  response.writeHead(isTaken ? 200 : answer.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isTaken ? { id: `task ${films}`, status: 'pending' } : answer.body))
}).listen(0, '127.0.0.1')
await once(vendor, 'listening')
after(() => vendor.close())
const address = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
const env = accounts().flatMap(({ id }) => {
  const name = id
    .toUpperCase()
    .replaceAll('-', '_')
    .replace(/^PROVIDER_/, '')
  return [
    [`PROVIDER_${name}_URL`, `${address}/${id}`],
    [`PROVIDER_${name}_API_KEY`, 'key'],
  ]
})
const kinora = await openKinora({ env: Object.fromEntries(env) })
const ann = await kinora.person({ credits: 100_000 })
let films = 0

/** A film by a route to the account, and then by the others, after as many submits. */
async function filmBy(
  account: string,
  input: Record<string, unknown>,
  submits: number,
  others: Route[] = [],
  as = ann,
) {
  const constants = Object.entries({ prompt: 'A boat', ...input }).map(([name, value]) => [name, JSON.stringify(value)])
  const route: Route = { account, model: 'model', input: Object.fromEntries(constants) }
  setModel({ ...modelOf('delta-1-5'), routes: [route, ...others] })
  films += 1
  const { data } = await kinora.generate(as)
  for (let submit = 0; submit < submits; submit += 1) await workOnce(kinora.app, ['PENDING'])
  return data.uuid
}
const shown = async (uuid: string) => (await kinora.call('GET', `/api/v1/video/task?uuid=${uuid}`, { as: ann })).data

for (const [account, rows] of Map.groupBy(refusals, ([id]) => id)) {
  test(`${account}: each documented refusal → FAILED with the vendor's text, cleaned`, async () => {
    for (const [, status, body, code, message, input = {}] of rows) {
      answer = { status, body }
      const film = await shown(await filmBy(account, input, 1))
      assert.deepEqual(
        [film.status, film.error, film.failure],
        ['FAILED', message, { code, message, retryable: false }],
        JSON.stringify(body),
      )
    }
  })
}

const byA: Route = { account: 'provider-a', model: 'x' }
for (const [account, status, body, text, input = {}] of unknownModels) {
  test(`${account}: the vendor does not know the model → the next route at once, the text for the operator`, async () => {
    await kinora.app.sql`truncate kinora.route_health`
    answer = { status, body }
    taker = byA.account
    const uuid = await filmBy(account, input, 2, [byA])
    const row = await readRow(kinora, uuid)
    assert.deepEqual([row.status, row.provider], ['GENERATING', 'provider-a'])
    assert.deepEqual(
      (await readRoutes(kinora.app)).map((route) => [route.account, route.unknownModel]),
      [[account, text]],
    )
  })
}

/** What gateways and frameworks say of an address that they do not have. */
const wrongAddresses = [
  { detail: 'Not Found' },
  { message: 'no Route matched with those values' },
  { message: 'Route POST:/v1/model/generate not found', error: 'Not Found', statusCode: 404 },
  { error: { message: 'The requested endpoint does not exist' } },
  { error: { message: 'Unknown request URL: POST /v1/models/generations' } },
]
// The addresses of Replicate's models are all that its 404 is about.
for (const account of new Set(unknownModels.map(([id]) => id).filter((id) => id !== 'replicate'))) {
  test(`${account}: 404 of a wrong address → no model is called unknown, and the film is not failed`, async () => {
    await kinora.app.sql`truncate kinora.route_health`
    taker = ''
    const input = unknownModels.find(([id]) => id === account)?.[4] ?? {}
    for (const body of wrongAddresses) {
      answer = { status: 404, body }
      // Films in progress have a cap.
      const person = await kinora.person({ credits: 1000 })
      const row = await readRow(kinora, await filmBy(account, input, 1, [], person))
      assert.equal(row.status, 'PENDING', JSON.stringify(body))
      assert.deepEqual(await readRoutes(kinora.app), [])
    }
  })
}

test('unknown model: no other route → FAILED with the text, credits back; shown to administrators until a film succeeds', async () => {
  await kinora.app.sql`truncate kinora.route_health`
  const before = await kinora.balance(ann)
  answer = { status: 404, body: { detail: "Application 'x' not found" } }
  const message = "The provider does not know this model: Application 'x' not found"
  const film = await shown(await filmBy('fal', {}, 1))
  assert.deepEqual([film.status, film.failure], ['FAILED', { code: 'ACCOUNT', message, retryable: false }])
  assert.deepEqual(await kinora.balance(ann), before)
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const routes = async () => {
    const { data } = await kinora.call<{ models: { id: string; routes: object[] }[] }>('GET', '/api/v1/admin/models', {
      as: root,
    })
    return data.models.find(({ id }) => id === 'delta-1-5')?.routes as { state: string; unknownModel: string | null }[]
  }
  assert.deepEqual(
    (await routes()).map(({ state, unknownModel }) => [state, unknownModel]),
    [['failing', "Application 'x' not found"]],
  )
})
