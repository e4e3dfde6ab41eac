// slow
/**
 * Clients that openapi-typescript, hey-api and orval make from openapi.json: they compile under strict settings, and
 * have the events of streams and webhooks, the details of errors, the codes and X-Team as types. openapi-typescript's
 * output is src/openapi.ts, which openapi.test.ts keeps current.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { createClient } from '@hey-api/openapi-ts'
import { generate } from 'orval'

const root = path.join(import.meta.dirname, '../..')
const document = path.join(root, 'openapi.json')

/** What a program does with the types; each generator has its own names for them. */
const program = (imports: string) => `${imports}
const never = (value: never): never => value

export function ofEvent(event: StreamEvent): string | number | null {
  switch (event.type) {
    case 'video': return event.status === 'FAILED' ? (event.failure?.code ?? null) : event.progress
    case 'deleted': return event.uuid
    case 'reset': case 'mark': return null
    default: return never(event)
  }
}

export function ofWebhook(event: WebhookEvent): string | number {
  switch (event.type) {
    case 'video.completed': case 'video.failed': case 'video.cancelled': case 'video.deleted': return event.data.uuid
    case 'credit.low': return event.data.threshold
    default: return event.type
  }
}

export function ofError({ error }: ErrorBody): string | number {
  switch (error.code) {
    case 'INSUFFICIENT_CREDITS': return error.details.required - error.details.available
    case 'CONTENT_REFUSED': return error.details.categories.join()
    case 'INVALID_REQUEST': return error.details?.map(({ path, message }) => path + message).join() ?? error.message
    case 'INSUFFICIENT_SCOPE': return error.details.scope
    default: return error.requestId
  }
}

/** A text of any kind is no code. */
type IsText<T> = string extends T ? true : false
export const codeIsText: IsText<ErrorBody['error']['code']> = false
export const eventIsText: IsText<StreamEvent> = false
`

const programs = {
  'openapi-typescript': `${program(`import type { components, operations } from '${root}/client/src/openapi.ts'
import type { components as operator } from '${root}/client/src/openapi-operator.ts'
type StreamEvent = components['schemas']['StreamEvent']
type WebhookEvent = components['schemas']['WebhookEvent']
type ErrorBody = components['schemas']['Error']`)}
export const headers: operations['generateVideo']['parameters']['header'] = { 'X-Team': 'id' }
export const stream: operations['streamVideoEvents']['responses'][200]['content']['text/event-stream'] = { type: 'mark' }
export const signIn: operator['schemas']['SignInError']['error']['code'] = 'INVALID_EMAIL_OR_PASSWORD'
export const signInIsText: IsText<operator['schemas']['SignInCode']> = false
`,
  'hey-api': `${program(`import { generateVideo, streamVideoEvents } from './hey-api/index.ts'
import type { Error as ErrorBody, StreamEvent, WebhookEvent } from './hey-api/index.ts'`)}
export async function run(): Promise<void> {
  const body = { prompt: 'A paper boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' } as const
  const { data, error } = await generateVideo({ body, headers: { 'X-Team': 'id' } })
  if (error) ofError(error)
  else data?.data.uuid.trim()
  const { stream } = await streamVideoEvents()
  for await (const event of stream) ofEvent(event)
}
`,
  orval: `${program(`import { generateVideo } from './orval/api.ts'
import type { Error as ErrorBody, StreamEvent, WebhookEvent } from './orval/api.ts'`)}
export async function run(): Promise<void> {
  const body = { prompt: 'A paper boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' } as const
  const response = await generateVideo(body, { 'X-Team': 'id' })
  if (response.status !== 200) ofError(response.data)
}
`,
}

const compilerOptions = {
  ...{ strict: true, exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: true, noEmit: true },
  ...{ target: 'es2024', module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
  ...{ lib: ['es2024', 'dom', 'dom.iterable'], types: [], skipLibCheck: false },
}

test('generated clients: openapi-typescript, hey-api, orval → compile, with events, details, codes and X-Team typed', async (context) => {
  await mkdir(path.join(root, 'tmp'), { recursive: true })
  const folder = await mkdtemp(path.join(root, 'tmp/generated-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  await mkdir(path.join(folder, 'orval'))
  await createClient({
    input: document,
    output: { path: path.join(folder, 'hey-api'), module: { extension: '.ts' } },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent', file: false },
  })
  // orval makes one kind of body of each operation: that of uploadAsset is the link, as docs/api.md has it.
  const override = { contentType: { exclude: ['*/*'] } }
  const target = path.join(folder, 'orval/api.ts')
  await generate(
    { input: { target: document }, output: { target, client: 'fetch', headers: true, override } },
    folder,
    {
      logLevel: 'error',
    },
  )
  for (const [name, text] of Object.entries(programs)) await writeFile(path.join(folder, `${name}.ts`), text)
  const files = Object.keys(programs).map((name) => `${name}.ts`)
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  assert.equal(status, 0, stdout.slice(0, 4000))
})
