/** The interface of a dialect: how one vendor spells requests, responses and callbacks. One file in dialect/ each. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Context as Call, Hono } from 'hono'
import type { Message } from './deliveries.ts'
import type { FilmRequest, Wanted } from './film-request.ts'
import type { Published } from './published.ts'

export type Callback = Message & { kind: 'result' | 'opposite' | 'garbage' }
/** Times are milliseconds since 1970. */
export type Task = {
  id: string
  provider: string
  /** The client's name for the video, the same at all providers. */
  video: string
  idempotencyKey: string | null
  /** The client's own name for the task, where the vendor takes one. */
  reference: string | null
  /** What else its dialect needs of the request. */
  extra: Record<string, string>
  request: FilmRequest
  callbackUrl: string | null
  createdAt: number
  startsAt: number
  finishesAt: number
  endedAt: number | null
  error: string | null
  isCancelled: boolean
  /** Removed by the client, so that it is not there any more. */
  isRemoved: boolean
  /** How often it was polled. */
  polls: number
  outbox: Callback[]
}

export function stateOf({ startsAt, endedAt, error }: Task): 'waiting' | 'generating' | 'completed' | 'failed' {
  if (endedAt !== null) return error === null ? 'completed' : 'failed'
  return Date.now() < startsAt ? 'waiting' : 'generating'
}

/** Whole per cent, rising with the clock; 100 only at the end. */
export function progressOf(task: Task): number {
  if (stateOf(task) === 'completed') return 100
  const share = ((task.endedAt ?? Date.now()) - task.startsAt) / Math.max(1, task.finishesAt - task.startsAt)
  return Math.max(0, Math.min(99, Math.round(share * 100)))
}

/** What a dialect's routes do with the tasks of their provider. */
export type Tasks = {
  /** Validates a submit, rejects or refuses it by a sentinel, or stores it as a task before the response. */
  submit: (c: Call, wanted: Wanted, respond: (task: Task) => object | Response) => Promise<Response>
  /** Responds to a poll; refuses with 404 a task that is not there. */
  poll: (
    c: Call,
    id: string | undefined,
    respond: (task: Task) => object | Response | Promise<object | Response>,
  ) => Promise<Response>
  find: (id: string | undefined) => Task | null
  list: () => Task[]
  /** What its list of models names. */
  models: () => Published[]
  /** False: it has ended. */
  cancel: (task: Task) => boolean
  remove: (task: Task) => void
  /** The public link to the film. With `[expired-link]` the link that the first poll shows has expired. */
  filmUrl: (task: Task) => string
  filmBytes: (task: Task) => Promise<Buffer<ArrayBuffer>>
  /** The address of this dialect, without a slash at the end. */
  address: () => string
}

/** 400: parameters; 401: key; 402: balance; 404: no such task; 422: content; 429: rate; 500: internal; 503: down. */
export type Refusal = 400 | 401 | 402 | 404 | 422 | 429 | 500 | 503

export type Dialect = {
  /** The API key of a request; by default a bearer token. */
  keyOf?: (c: Call) => string | undefined
  /** @param path the field of a body that is refused, from the outside in */
  refuse: (c: Call, refusal: Refusal, message: string, path?: string[]) => Response
  /** `open`: routes that need no key. */
  routes: (app: Hono, tasks: Tasks, open: Hono) => void
  /** The body of a callback. `error`: the reason of a failure, null for a film. Without it none is sent. */
  callback?: (task: Task, error: string | null, filmUrl: string) => object
  /** Headers that sign a callback. `key`: of the settings, null without one. */
  sign?: (body: string, task: Task, key: string | null) => Record<string, string>
  /** Whether a callback URL may be used, at a vendor that asks it first. */
  challenge?: (callbackUrl: string) => Promise<boolean>
}

/** The dialect in dialect/<name>.ts, loaded when it is first spoken; null when there is none. */
export async function loadDialect(name: string): Promise<Dialect | null> {
  // Beside this file, which a release has as JavaScript.
  const file = new URL(`./dialect/${name}${path.extname(import.meta.url)}`, import.meta.url)
  if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) return null
  const { dialect }: { dialect: Dialect } = await import(file.href)
  return dialect
}
