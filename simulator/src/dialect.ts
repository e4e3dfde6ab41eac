/** The interface of a dialect: how one vendor spells requests, responses and callbacks. One file in dialect/ each. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Context as Call, Hono } from 'hono'
import type { Task, Tasks } from './tasks.ts'

/** 400: parameters; 401: key; 402: balance; 404: no such task; 422: refused for its content; 429: rate; 500: internal; 503: down. */
export type Refusal = 400 | 401 | 402 | 404 | 422 | 429 | 500 | 503

export type Dialect = {
  /** The API key of a request; by default a bearer token. */
  keyOf?: (c: Call) => string | undefined
  refuse: (c: Call, refusal: Refusal, message: string) => Response
  /** `open`: routes that need no key. */
  routes: (app: Hono, tasks: Tasks, open: Hono) => void
  /** The body of a callback. `error`: the reason of a failure, null for a film. Without it nobody is called. */
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
