/**
 * The types of the calls. What is asserted here is asserted by the compiler, in the check "types" of `npm test`; the tests
 * only hold the places.
 */
import { test } from 'node:test'
import type { CallOptions, components, DataOf, ErrorCode, Kinora, KinoraError, paths, Video } from '../src/index.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Whether a call takes these options. */
type Takes<Options, Given extends Options | unknown> = Given extends Options ? true : false
function holds<_Claim extends true>(): void {}

type Methods = 'get' | 'post' | 'delete'
/** Every call of openapi.json by its name, such as `get /api/v1/config/models`. */
type Calls = {
  [Path in keyof paths]: {
    [Method in Methods]: paths[Path] extends { [method in Method]: object } ? `${Method} ${Path}` : never
  }[Methods]
}[keyof paths]
/** The calls whose answer is not known. */
type Untyped = {
  [Call in Calls]: Call extends `${infer Method extends Methods} ${infer Path extends keyof paths}`
    ? unknown extends DataOf<Method, Path>
      ? Call
      : never
    : never
}[Calls]
/** A stream has no one answer; `kinora.events` reads it. */
type Streams = `get /api/v1/video/events`

test('every call has its path in one of the three methods, and a typed answer', () => {
  holds<Same<Exclude<Untyped, Streams>, never>>()
  holds<Takes<Calls, 'post /api/v1/video/generate'>>()
  holds<Same<Takes<Calls, 'get /api/v1/video/generate'>, false>>()
  holds<Same<Takes<Parameters<Kinora['GET']>[0], '/api/v1/video/generate'>, false>>()
  holds<Takes<Parameters<Kinora['DELETE']>[0], '/api/v1/video/{uuid}'>>()
})

test('the envelope is off', () => {
  holds<Same<DataOf<'get', '/api/v1/credit/balance'>['available'], number>>()
  holds<Same<DataOf<'post', '/api/v1/video/generate'>['uuid'], string>>()
  holds<Same<DataOf<'get', '/api/v1/video/{uuid}'>, Video>>()
  holds<Same<Video['status'], 'PENDING' | 'GENERATING' | 'UPLOADING' | 'COMPLETED' | 'FAILED'>>()
  // The sign-in has none.
  holds<Same<Exclude<DataOf<'get', '/api/auth/get-session'>, null>['user'], components['schemas']['User']>>()
})

type Generate = CallOptions<'post', '/api/v1/video/generate'>
type Film = { prompt: string; model: string; duration: number; aspectRatio: '16:9' }

test('what a call needs it asks for, and takes nothing else', () => {
  holds<Takes<Generate, { body: Film }>>()
  holds<Takes<Generate, { body: Film; params: { header: { 'idempotency-key': string } }; signal: AbortSignal }>>()
  holds<Same<Takes<Generate, { body: Omit<Film, 'prompt'> }>, false>>()
  holds<Same<Takes<Generate, { body: Omit<Film, 'duration'> & { duration: string } }>, false>>()
  holds<Same<Takes<Generate, object>, false>>()
  holds<Same<Takes<CallOptions<'get', '/api/v1/video/{uuid}'>, object>, false>>()
  // What has a default may be left out.
  holds<Takes<CallOptions<'get', '/api/v1/video/list'>, object>>()
  holds<Takes<CallOptions<'get', '/api/v1/video/list'>, { params: { query: { page: number } } }>>()
  holds<Same<Takes<CallOptions<'get', '/api/v1/video/list'>, { params: { query: { page: string } } }>, false>>()
})

type ErrorOf<Code extends ErrorCode> = Extract<KinoraError, { code: Code }>

test('the code of an error gives its details a type', () => {
  holds<Same<ErrorOf<'INSUFFICIENT_CREDITS'>['details'], { required: number; available: number }>>()
  holds<Same<ErrorOf<'VIDEO_FAILED'>['details'], { uuid: string }>>()
  holds<Takes<ErrorCode, 'UNREACHABLE' | 'UNAUTHENTICATED' | 'RATE_LIMITED'>>()
  holds<Same<Takes<ErrorCode, 'NO_SUCH_CODE'>, false>>()
})
