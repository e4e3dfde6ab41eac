/**
 * Moderation: a service of the operator decides about the prompt and the images of a request before its credits are
 * frozen. Its URL is a setting and therefore trusted, as that of an AI provider is. docs/moderation.md has the
 * contract. Invariant: only an answer as documented allows or refuses a request; any other one is a failure, about
 * which MODERATION_FAIL decides.
 */
import type { Logger } from 'pino'
import type { Config, ModerationSettings } from '../config/config.ts'
import type { Sql } from '../db/db.ts'
import type { Kind } from '../film/inputs.ts'
import { type CallResult, type HttpClient, openHttpClient } from '../net/http-client.ts'

/** Links that the service can read, or data URLs of pictures. `films`, `sounds`: of Kinora's own contract alone. */
export type Content = {
  prompt: string
  model: string
  images: readonly string[]
  films?: readonly string[]
  sounds?: readonly string[]
}
export type Verdict =
  | { kind: 'allowed' }
  | { kind: 'refused'; categories: string[] }
  | { kind: 'failed'; reason: string }

export type Moderation = {
  /** Asks about a request, and counts the verdict. Never throws. */
  check: (content: Content) => Promise<Verdict>
  /** How many requests this process has asked about, by outcome. */
  totals: () => Readonly<Record<Verdict['kind'], number>>
  /** Counts an input that the service was not shown, as it takes none of its kind. */
  noteUnseen: (kind: Kind) => void
  /** How many inputs this process has counted so, by kind. */
  unseen: () => Readonly<Record<Kind, number>>
  close: () => Promise<void>
}

const GATHER_MS = 1000
/** The category of the row that counts all requests of an outcome. */
export const OF_ALL = ''
const CATEGORIES_MAX = 20
const CATEGORY = /^[A-Za-z0-9][\w/ .-]{0,49}$/

/** @returns null: no service decides */
export function openModeration(
  { moderation: settings }: Pick<Config, 'moderation'>,
  context: { sql: Sql; log: Logger; now: () => Date },
): Moderation | null {
  if (!settings) return null
  const client = openHttpClient(settings.timeoutS)
  const counts = openCounts(context)
  const unseen: Record<Kind, number> = { image: 0, film: 0, sound: 0 }
  const ask = { kinora: askOwn, openai: askOpenAi }[settings.format]
  return {
    check: async (content) => {
      const verdict = await ask(client, settings, content)
      if (verdict.kind === 'failed') context.log.warn({ reason: verdict.reason }, 'moderation gave no verdict')
      counts.add(verdict)
      return verdict
    },
    totals: () => counts.totals,
    noteUnseen: (kind) => {
      unseen[kind] += 1
    },
    unseen: () => unseen,
    close: async () => {
      await client.close()
      await counts.close()
    },
  }
}

async function askOwn(client: HttpClient, settings: ModerationSettings, content: Content): Promise<Verdict> {
  return readVerdict(await post(client, settings, content), (body) => {
    const { allowed, categories = [] } = body
    if (typeof allowed !== 'boolean') return null
    return allowed ? { kind: 'allowed' } : { kind: 'refused', categories: namesOf(categories) }
  })
}

/** OpenAI's endpoint takes one image a request; the first request has the prompt too. */
async function askOpenAi(client: HttpClient, settings: ModerationSettings, content: Content): Promise<Verdict> {
  const text = { type: 'text', text: content.prompt }
  const images = content.images.map((url) => ({ type: 'image_url', image_url: { url } }))
  const inputs = images.length === 0 ? [[text]] : images.map((image, i) => (i === 0 ? [text, image] : [image]))
  const verdicts = await Promise.all(
    inputs.map(async (input) =>
      readVerdict(await post(client, settings, { model: OPENAI_MODEL, input }), ({ results }) => {
        const [result] = (Array.isArray(results) ? results : []) as Record<string, unknown>[]
        if (typeof result?.flagged !== 'boolean') return null
        const categories = Object.entries(Object(result.categories)).flatMap(([name, is]) =>
          is === true ? [name] : [],
        )
        return result.flagged ? { kind: 'refused', categories: namesOf(categories) } : { kind: 'allowed' }
      }),
    ),
  )
  const refused = verdicts.flatMap((verdict) => (verdict.kind === 'refused' ? [verdict.categories] : []))
  if (refused.length > 0) return { kind: 'refused', categories: namesOf(refused.flat()) }
  return verdicts.find(({ kind }) => kind === 'failed') ?? { kind: 'allowed' }
}
const OPENAI_MODEL = 'omni-moderation-latest'

const post = (client: HttpClient, { url, apiKey }: ModerationSettings, body: object): Promise<CallResult> =>
  client.call('POST', url, {
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  })

/** @param read null: the body is not as documented */
function readVerdict(result: CallResult, read: (body: Record<string, unknown>) => Verdict | null): Verdict {
  if (result.kind !== 'response') return { kind: 'failed', reason: result.reason }
  if (result.status !== 200) return { kind: 'failed', reason: `status ${result.status}` }
  return read(Object(result.body)) ?? { kind: 'failed', reason: 'the answer is not as documented' }
}

const namesOf = (categories: unknown): string[] =>
  [...new Set(Array.isArray(categories) ? categories : [])]
    .filter((name): name is string => typeof name === 'string' && CATEGORY.test(name))
    .slice(0, CATEGORIES_MAX)

type Count = { day: string; outcome: Verdict['kind']; category: string; requests: number }

/**
 * How many requests moderation has allowed, refused and failed to decide, by day in UTC, and the refused ones by
 * category: never what they contained. A process gathers its counts for a second and adds them in one statement, so
 * that no request waits for a row that all share.
 */
function openCounts({ sql, log, now }: { sql: Sql; log: Logger; now: () => Date }) {
  const totals: Record<Verdict['kind'], number> = { allowed: 0, refused: 0, failed: 0 }
  let gathered = new Map<string, Count>()
  let timer: NodeJS.Timeout | null = null

  const add = (verdict: Verdict): void => {
    totals[verdict.kind] += 1
    const day = now().toISOString().slice(0, 10)
    const categories = verdict.kind === 'refused' ? verdict.categories : []
    for (const category of [OF_ALL, ...categories]) {
      const key = `${day} ${verdict.kind} ${category}`
      const known = gathered.get(key) ?? { day, outcome: verdict.kind, category, requests: 0 }
      gathered.set(key, { ...known, requests: known.requests + 1 })
    }
    timer ??= setTimeout(() => void store(), GATHER_MS).unref()
  }

  const store = async (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    const counts = [...gathered.values()]
    gathered = new Map()
    if (counts.length === 0) return
    try {
      // In one sequence of keys, so that two processes wait for each other and do not deadlock.
      await sql`
        insert into kinora.moderation_count as c (day, outcome, category, requests)
        select day, outcome, category, requests
        from jsonb_to_recordset(${JSON.stringify(counts)}::text::jsonb)
             as n (day date, outcome text, category text, requests bigint)
        order by day, outcome, category
        on conflict (day, outcome, category) do update set requests = c.requests + excluded.requests
      `
    } catch (err) {
      log.warn({ err }, 'counts of moderation could not be stored')
    }
  }
  return { add, totals, close: store }
}
