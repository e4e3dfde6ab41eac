/** The types of calls: parameters, body and data of each operation, derived from openapi.ts and openapi-operator.ts. */
import type { Result } from './errors.ts'
import type { components, paths } from './openapi.ts'
import type { components as operatorComponents, paths as operatorPaths } from './openapi-operator.ts'

/** The operations of openapi.json and those of openapi-operator.json: sign-in and administration: no API key. */
export type AllPaths = paths & operatorPaths

/** What requests and responses consist of, by the name in the two documents. */
export type Schemas = components['schemas'] & Omit<operatorComponents['schemas'], keyof components['schemas']>

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends { [method in M]: object } ? Path : never
}[keyof Paths]
type OperationOf<M extends Method, Path extends keyof AllPaths> = AllPaths[Path] extends {
  [method in M]: infer Operation
}
  ? Operation
  : never

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
export type CallOptions<M extends Method, Path extends keyof AllPaths> = ParamsOf<OperationOf<M, Path>> &
  BodyOf<OperationOf<M, Path>> & {
    signal?: AbortSignal
    headers?: Record<string, string>
    /** Lets a browser complete the request even when the page is closed meanwhile. */
    keepalive?: boolean
  }

type Unwrapped<Body> = Body extends { success: true; data: infer Data } ? Data : Body

/** The data of a successful response: that of the envelope, or the whole body where there is none (`/api/auth/*`). */
export type DataOf<M extends Method, Path extends keyof AllPaths> =
  OperationOf<M, Path> extends {
    responses: { 200: { content: { 'application/json': infer Body } } }
  }
    ? Unwrapped<Body>
    : unknown

export type Call<Paths, M extends Method> = <Path extends PathsWith<Paths, M> & keyof AllPaths>(
  path: Path,
  ...options: object extends CallOptions<M, Path> ? [options?: CallOptions<M, Path>] : [options: CallOptions<M, Path>]
) => Promise<Result<DataOf<M, Path>>>

/** A list that has pages: its data has the cursor of the next one. */
type Page = { nextCursor: string | null }
type PagedPaths<Paths> = {
  [Path in PathsWith<Paths, 'get'> & keyof AllPaths]: DataOf<'get', Path> extends Page ? Path : never
}[PathsWith<Paths, 'get'> & keyof AllPaths]
/** What a list lists: its only array beside `makers`. */
type ItemOf<Data> = {
  [Key in keyof Data]: Key extends 'makers' ? never : Data[Key] extends readonly (infer Item)[] ? Item : never
}[keyof Data]

/** Every item of a list, over all its pages. `cursor` of the query is where it begins. */
export type Each<Paths = paths> = <Path extends PagedPaths<Paths>>(
  path: Path,
  ...options: object extends CallOptions<'get', Path>
    ? [options?: CallOptions<'get', Path>]
    : [options: CallOptions<'get', Path>]
) => AsyncGenerator<ItemOf<DataOf<'get', Path>>, void, undefined>

export type Calls<Paths = paths> = {
  GET: Call<Paths, 'get'>
  POST: Call<Paths, 'post'>
  PUT: Call<Paths, 'put'>
  PATCH: Call<Paths, 'patch'>
  DELETE: Call<Paths, 'delete'>
}

/** Sends a request to a path of openapi.json; resolves with the plain Response. */
export type Send = (
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: Blob; signal: AbortSignal | undefined },
) => Promise<Response>
