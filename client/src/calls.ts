/** The types of calls: parameters, body and data of each operation, derived from openapi.ts. */
import type { Result } from './errors.ts'
import type { components, paths } from './openapi.ts'

/** What requests and responses consist of, by the name in openapi.json. */
export type Schemas = components['schemas']

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { [method in M]: object } ? Path : never
}[keyof paths]
type OperationOf<M extends Method, Path extends keyof paths> = paths[Path][M]

type ParamsOf<Operation> = Operation extends { parameters: infer Params }
  ? object extends Params
    ? { params?: Params }
    : { params: Params }
  : { params?: never }
type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { body: Content[keyof Content] }
  : Operation extends { requestBody?: { content: infer Content } }
    ? { body?: Content[keyof Content] }
    : { body?: never }

/** The options of a call: `params: { path, query, header }` and `body` of the operation, and request options. */
export type CallOptions<M extends Method, Path extends keyof paths> = ParamsOf<OperationOf<M, Path>> &
  BodyOf<OperationOf<M, Path>> & {
    signal?: AbortSignal
    headers?: Record<string, string>
    /** Lets a browser complete the request even when the page is closed meanwhile. */
    keepalive?: boolean
  }

type Unwrapped<Body> = Body extends { success: true; data: infer Data } ? Data : Body

/** The data of a successful response: that of the envelope, or the whole body where there is none (`/api/auth/*`). */
export type DataOf<M extends Method, Path extends keyof paths> =
  OperationOf<M, Path> extends {
    responses: { 200: { content: { 'application/json': infer Body } } }
  }
    ? Unwrapped<Body>
    : unknown

export type Call<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...options: object extends CallOptions<M, Path> ? [options?: CallOptions<M, Path>] : [options: CallOptions<M, Path>]
) => Promise<Result<DataOf<M, Path>>>

export type Calls = {
  GET: Call<'get'>
  POST: Call<'post'>
  PUT: Call<'put'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
}

/** Sends a request to a path of openapi.json; resolves with the plain Response. */
export type Send = (path: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>
