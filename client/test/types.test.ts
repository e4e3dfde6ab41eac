/**
 * The types of the calls, asserted by the compiler in the check "types" of `npm test`. At run time these tests pass
 * trivially.
 */
import { test } from 'node:test'
import type {
  AllPaths,
  CallOptions,
  DataOf,
  ErrorCode,
  Kinora,
  KinoraError,
  operations,
  Schemas,
  Video,
} from '../src/index.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Whether a call accepts these options. */
type Takes<Options, Given extends Options | unknown> = Given extends Options ? true : false
function assertTrue<_Condition extends true>(): void {}

type Methods = 'get' | 'post' | 'delete'
/** Every operation of both documents, such as `get /api/v1/config/models`. */
type Calls = {
  [Path in keyof AllPaths]: {
    [Method in Methods]: AllPaths[Path] extends { [method in Method]: object } ? `${Method} ${Path}` : never
  }[Methods]
}[keyof AllPaths]
/** The operations without a response type. */
type Untyped = {
  [Call in Calls]: Call extends `${infer Method extends Methods} ${infer Path extends keyof AllPaths}`
    ? unknown extends DataOf<Method, Path>
      ? Call
      : never
    : never
}[Calls]
/** Not JSON: `kinora.events` reads the event stream, and exports are archives and CSV. */
type Streams =
  | `get /api/v1/video/events`
  | `get /api/v1/project/{id}/archive`
  | `get /api/v1/video/archive`
  | `get /api/v1/account/export`
  | `get /api/v1/subject/{subject}/export`
  | `get /api/v1/team/export`
  | `get /api/v1/admin/costs.csv`
  | `get /api/v1/admin/books/movements.csv`
  | `get /api/v1/admin/takedowns.csv`
  | `get /api/v1/credit/usage.csv`
  | `get /api/v1/project/{id}/shots.csv`
  | `get /api/v1/team/log.csv`

test('types: every operation → a path of GET, POST, PUT, PATCH or DELETE, with a typed response', () => {
  assertTrue<Same<Exclude<Untyped, Streams>, never>>()
  assertTrue<Takes<Calls, 'post /api/v1/video/generate'>>()
  assertTrue<Same<Takes<Calls, 'get /api/v1/video/generate'>, false>>()
  assertTrue<Same<Takes<Parameters<Kinora['GET']>[0], '/api/v1/video/generate'>, false>>()
  assertTrue<Takes<Parameters<Kinora['DELETE']>[0], '/api/v1/video/{uuid}'>>()
})

test('types: operations of openapi-operator.json → only of a client that is opened for all paths', () => {
  assertTrue<Same<Takes<Parameters<Kinora['GET']>[0], '/api/v1/admin/users' | '/api/auth/get-session'>, false>>()
  assertTrue<Takes<Parameters<Kinora<AllPaths>['GET']>[0], '/api/v1/admin/users' | '/api/auth/get-session'>>()
  assertTrue<Takes<Parameters<Kinora<AllPaths>['POST']>[0], '/api/v1/video/generate'>>()
})

test('types: response → the data without the envelope', () => {
  assertTrue<Same<DataOf<'get', '/api/v1/credit/balance'>['available'], number>>()
  assertTrue<Same<DataOf<'post', '/api/v1/video/generate'>['uuid'], string>>()
  assertTrue<Same<DataOf<'get', '/api/v1/video/{uuid}'>, Video>>()
  assertTrue<Same<Video['status'], 'PENDING' | 'GENERATING' | 'UPLOADING' | 'COMPLETED' | 'FAILED'>>()
  // `/api/auth/*` has no envelope.
  assertTrue<Same<Exclude<DataOf<'get', '/api/auth/get-session'>, null>['user'], Schemas['User']>>()
})

type Generate = CallOptions<'post', '/api/v1/video/generate'>
type Film = { prompt: string; model: string; duration: number; aspectRatio: '16:9' }

test('types: options → required ones are required, wrong ones are rejected', () => {
  assertTrue<Takes<Generate, { body: Film }>>()
  assertTrue<Takes<Generate, { body: Film; params: { header: { 'idempotency-key': string } }; signal: AbortSignal }>>()
  assertTrue<Same<Takes<Generate, { body: Omit<Film, 'prompt'> }>, false>>()
  assertTrue<Same<Takes<Generate, { body: Omit<Film, 'duration'> & { duration: string } }>, false>>()
  assertTrue<Same<Takes<Generate, object>, false>>()
  assertTrue<Same<Takes<CallOptions<'get', '/api/v1/video/{uuid}'>, object>, false>>()
  // Parameters with a default are optional.
  assertTrue<Takes<CallOptions<'get', '/api/v1/video/list'>, object>>()
  assertTrue<Takes<CallOptions<'get', '/api/v1/video/list'>, { params: { query: { page: number } } }>>()
  assertTrue<Same<Takes<CallOptions<'get', '/api/v1/video/list'>, { params: { query: { page: string } } }>, false>>()
})

type CodeOf<Operation extends keyof operations> = operations[Operation]['responses'] extends {
  '4XX': { content: { 'application/json': { error: { code: infer Code } } } }
}
  ? Code
  : never

test('types: error response → the codes that the operation may have', () => {
  assertTrue<Takes<CodeOf<'generateVideo'>, 'INSUFFICIENT_CREDITS' | 'UNSUPPORTED_MODEL'>>()
  assertTrue<Same<Takes<CodeOf<'getBalance'>, 'INSUFFICIENT_CREDITS'>, false>>()
})

type ErrorOf<Code extends ErrorCode> = Extract<KinoraError, { code: Code }>

test('types: error code → the type of details', () => {
  assertTrue<Same<ErrorOf<'INSUFFICIENT_CREDITS'>['details'], { required: number; available: number }>>()
  assertTrue<Same<ErrorOf<'VIDEO_FAILED'>['details'], { uuid: string }>>()
  assertTrue<Takes<ErrorCode, 'UNREACHABLE' | 'UNAUTHENTICATED' | 'RATE_LIMITED'>>()
  assertTrue<Same<Takes<ErrorCode, 'NO_SUCH_CODE'>, false>>()
})
