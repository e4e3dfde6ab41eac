/**
 * The nightly comparison of the catalogue with what vendors publish by machine. One worker at a time asks for the list
 * of an account, by the SSRF guard, bounded in bytes and time, and by no call that costs anything. Invariant: what is
 * found is stored beside the catalogue, and changes nothing until an administrator takes it (admin/taken.ts).
 */
import { createHash, randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { FetchError } from '../net/fetch-error.ts'
import type { Wanted } from '../provider/published.ts'
import { parseJson } from '../text/json-reader.ts'
import { everyModel, sourceOf } from './catalogue.ts'
import { MARKUP } from './draft.ts'
import { type Finding, findingsOf, namesOf } from './findings.ts'
import type { ModelEntry } from './model-file.ts'
import { modelFileOf, problemsOfFile } from './taken.ts'

/** Longer than a run, which its deadline ends. */
const LEASE_MS = 15 * 60_000
const RUN_MS = 10 * 60_000
const DAY_MS = 86_400_000
const NIGHT_HOUR = 3
/** Older models than this that no route names were left out on purpose, or before there was a comparison. */
const NEW_DAYS = 90
/** Of a draft. */
const PROBLEMS_MAX = 10
const PROBLEM_CHARACTERS = 300
const BUSY = 'Another process compares it now; try again in some minutes.'
/** A list with the schemas of hundreds of models has 5 MB. */
export const DOCUMENT_LIMITS = {
  maxBytes: 20_000_000,
  timeoutMs: 60_000,
  idleTimeoutMs: 20_000,
  accept: ['application/json'],
  refuse: [],
}

/** `problems`: of the draft, with some price where it needs one. */
export type Checked = Finding & { base: string | null; problems: string[] }
/** `findings`: null when the list could not be read, and `problem` says why, or when the vendor publishes none. */
export type Comparison = { account: string; findings: Checked[] | null; problem: string | null }

/** @param options `isNow`: also accounts that are not due; otherwise those alone, for the timer. `only`: an account */
export async function compare(
  app: App,
  options: { isNow?: boolean; only?: string; signal?: AbortSignal } = {},
): Promise<Comparison[]> {
  const found: Comparison[] = []
  for (const account of app.providers.ids) {
    if (options.signal?.aborted) break
    if (account !== (options.only ?? account)) continue
    const comparison = await compareAccount(app, account, options)
    if (comparison) found.push(comparison)
  }
  return found
}

/** Null: it is not due. */
async function compareAccount(
  app: App,
  account: string,
  { isNow = false, signal }: { isNow?: boolean; signal?: AbortSignal },
): Promise<Comparison | null> {
  const provider = await app.providers.open(account)
  if (!provider) return null
  const { readList, url: address } = provider.adapter
  if (!readList) return isNow ? { account, findings: null, problem: null } : null
  const [now, lease] = [app.now(), randomUUID()]
  const until = new Date(now.getTime() + LEASE_MS)
  const nextAt = nextNight(now)
  // A server of one's own is listed at once; a vendor's list is not read at the start of each installation.
  const firstAt = address === null ? now : nextAt
  if (!(await call(app.sql, 'catalogue_claim_comparison', { account, lease, until, firstAt, nextAt, isNow, now })))
    return isNow ? { account, findings: null, problem: BUSY } : null
  let [findings, problem]: [Checked[] | null, string | null] = [null, null]
  try {
    findings = await read(app, account, now, signal)
  } catch (error) {
    if (signal?.aborted) {
      // Another worker begins anew at once.
      await call(app.sql, 'catalogue_return_comparison', { account, lease, now })
      throw error
    }
    problem = (error as Error).message.slice(0, PROBLEM_CHARACTERS)
    if (!(error instanceof FetchError)) app.log.warn({ err: error, account }, 'a list of models could not be compared')
  }
  const stored = (findings ?? []).map((each) => ({ ...each, draft: each.draft && fileText(each.draft) }))
  await call(app.sql, 'catalogue_finish_comparison', { account, lease, findings: stored, problem, now: app.now() })
  return { account, findings, problem }
}

type Price = { usdPerSecond: number } | { creditsPerSecond: number }

/** Whether the price follows from a cost that no list has. */
export const needsPrice = ({ price, routes = [] }: Partial<ModelEntry>): boolean =>
  !price || ('fromCost' in price && routes.some(({ cost }) => !cost))

/** The draft with the cost of its routes that have none, or with a price in credits. */
export function pricedDraft(draft: Partial<ModelEntry>, price: Price, asOf: string): Partial<ModelEntry> {
  if ('creditsPerSecond' in price) return { ...draft, price: { per: 'second', credits: price.creditsPerSecond } }
  const cost = { per: 'second' as const, usd: price.usdPerSecond, asOf, source: 'an administrator' }
  const fromCost = draft.price && 'fromCost' in draft.price ? draft.price : { fromCost: { markup: MARKUP } }
  return {
    ...draft,
    price: fromCost,
    routes: (draft.routes ?? []).map((route) => ({ ...route, cost: route.cost ?? cost })),
  }
}

/** A digest of a model's file as it is in force; null: there is none. */
export function baseOf(id: string): string | null {
  const model = everyModel().get(id)
  const source = model && sourceOf(model)
  return source ? createHash('sha256').update(JSON.stringify(source.entry)).digest('base64url') : null
}

/** The text of a model's file. */
export const fileText = (entry: object): string => `${JSON.stringify(entry, null, 2)}\n`

async function read(app: App, account: string, now: Date, stop: AbortSignal | undefined): Promise<Checked[]> {
  const provider = await app.providers.open(account)
  const settings = app.config.providers[account]
  const { readList, url: address } = provider?.adapter ?? {}
  if (!provider || !settings || !readList) return []
  const signal = AbortSignal.any([AbortSignal.timeout(RUN_MS), ...(stop ? [stop] : [])])
  // A server of one's own may be private; that of a vendor, and where either redirects to, may not.
  const own = provider.url === address ? null : new URL(provider.url)
  const allow = own ? `${own.hostname}:${own.port || (own.protocol === 'https:' ? 443 : 80)}` : undefined
  const models = [...everyModel().values()]
  const routes = models.flatMap((model) =>
    model.routes.flatMap((route) => (route.account === account ? [{ model, route }] : [])),
  )
  const wanted: Wanted = {
    read: (url, headers = {}) => documentAt(app, url, { headers, allow, signal }),
    names: [...new Set(routes.flatMap((each) => [...namesOf(each).keys()]))],
    since: new Date(now.getTime() - NEW_DAYS * DAY_MS),
  }
  const listing = await readList({ ...settings, id: account, url: provider.url }, wanted)
  const asOf = now.toISOString().slice(0, 10)
  const found = findingsOf({ account, models, listing, asOf, since: wanted.since })
  return await Promise.all(
    found.map(async (each) => {
      const draft =
        each.draft && (needsPrice(each.draft) ? pricedDraft(each.draft, { usdPerSecond: 1 }, asOf) : each.draft)
      const problems = draft ? await problemsOfFile(modelFileOf(each.model), fileText(draft)) : []
      const base = baseOf(each.model)
      return {
        ...each,
        base,
        problems: problems.slice(0, PROBLEMS_MAX).map((text) => text.slice(0, PROBLEM_CHARACTERS)),
      }
    }),
  )
}

type DocumentOptions = { headers: Record<string, string>; allow: string | undefined; signal: AbortSignal }

/** Null: 404. @throws FetchError */
async function documentAt({ fetch }: App, url: string, options: DocumentOptions): Promise<unknown> {
  try {
    return await readDocument(fetch, url, options)
  } catch (error) {
    if (error instanceof FetchError && error.status === 404) return null
    throw error
  }
}

/** A JSON document. @throws FetchError */
export async function readDocument(
  fetch: App['fetch'],
  url: string,
  options: Partial<DocumentOptions>,
): Promise<unknown> {
  const { body } = await fetch.get(url, { ...DOCUMENT_LIMITS, ...options })
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return parseJson(Buffer.concat(chunks).toString('utf8'))
}

/** The next time that it is 03:00 UTC. */
function nextNight(now: Date): Date {
  const night = new Date(now)
  night.setUTCHours(NIGHT_HOUR, 0, 0, 0)
  return night > now ? night : new Date(night.getTime() + DAY_MS)
}
