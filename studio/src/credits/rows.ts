/**
 * Reading a history that may be thousands of rows long, page by page. The rule: a reader may stop at any page, waits when
 * the service asks for patience, and what it hands on as one whole is of one moment.
 */
import type { DataOf, Kinora, Result } from '@kinora/client'
import type { Books, Row } from './books.ts'

type Page = DataOf<'get', '/api/v1/credit/history'>

const PAGE_SIZE = 100
/** An answer that did not come is asked for this often again. */
const TRIES = 4
/** How often the end is read again while credits keep moving. */
const ROUNDS = 20

/**
 * All pages of a history, newest rows first. Rows that come while it reads are not among them.
 * @throws KinoraError; AbortError when the signal is aborted
 */
export async function* pagesOf(kinora: Pick<Kinora, 'GET'>, signal: AbortSignal): AsyncGenerator<Page> {
  let cursor: string | null = null
  do {
    const query: { pageSize: number; cursor?: string } = { pageSize: PAGE_SIZE, ...(cursor ? { cursor } : {}) }
    const page: Page = await patiently(
      () => kinora.GET('/api/v1/credit/history', { params: { query }, signal }),
      signal,
    )
    yield page
    cursor = page.nextCursor
  } while (cursor)
}

/**
 * Balance, packages and all rows of one moment, however much happens meanwhile: the newest rows, and those whose film was
 * in progress, are read again between two balances until nothing has moved from the one to the other.
 * @param onProgress rows read so far, and how many there are
 * @returns null when there was no still moment to be had
 * @throws KinoraError; AbortError when the signal is aborted
 */
export async function readBooks(
  kinora: Pick<Kinora, 'GET'>,
  signal: AbortSignal,
  onProgress: (read: number, of: number) => void,
): Promise<Books | null> {
  let rows: Row[] = []
  for await (const page of pagesOf(kinora, signal)) {
    rows.push(...page.transactions)
    onProgress(rows.length, Math.max(rows.length, page.total))
  }
  const balanceNow = () => patiently(() => kinora.GET('/api/v1/credit/balance', { signal }), signal)
  for (let round = 1; ; round += 1) {
    const before = await balanceNow()
    const newest = await readAgain(kinora, signal, rows)
    rows = newest.rows
    const { packages } = await patiently(() => kinora.GET('/api/v1/credit/packages', { signal }), signal)
    const { total: counted } = await patiently(
      () => kinora.GET('/api/v1/credit/history', { params: { query: { pageSize: 1 } }, signal }),
      signal,
    )
    const balance = await balanceNow()
    onProgress(rows.length, counted)
    // Every freeze, release, addition and expiry is a row, and every settlement changes Used.
    const still = newest.counted === counted && before.used === balance.used && before.available === balance.available
    if (still) return { rows, counted, balance, packages }
    if (round === ROUNDS) return null
  }
}

/**
 * The rows from now back to `sinceMs` and one before them, at most `most` of them, newest first.
 * @param known rows of an earlier reading, without gaps from the newest on: only what is newer is read again
 * @returns `cut`: there are older ones within the period, which were not read
 */
export async function readSince(
  kinora: Pick<Kinora, 'GET'>,
  signal: AbortSignal,
  { sinceMs, most, known }: { sinceMs: number; most: number; known: Row[] },
): Promise<{ rows: Row[]; cut: boolean }> {
  const rows: Row[] = []
  const newestKnown = known[0]?.id
  for await (const page of pagesOf(kinora, signal)) {
    const end = newestKnown ? page.transactions.findIndex(({ id }) => id === newestKnown) : -1
    rows.push(...(end < 0 ? page.transactions : [...page.transactions.slice(0, end), ...known]))
    const isFarEnough = Date.parse(rows.at(-1)?.createdAt ?? '') < sinceMs
    if (end >= 0 || isFarEnough || rows.length >= most || page.nextCursor === null) {
      const isWhole = isFarEnough || rows.length >= page.total
      return { rows: rows.slice(0, most), cut: !isWhole || rows.length > most }
    }
  }
  return { rows, cut: false }
}

/** The rows again from the newest down to the oldest whose state can still change; a row before that is final. */
async function readAgain(kinora: Pick<Kinora, 'GET'>, signal: AbortSignal, rows: Row[]) {
  const from = Math.max(
    0,
    rows.findLastIndex(({ state }) => state === 'frozen'),
  )
  const known = rows[from]
  const fresh: Row[] = []
  let counted = 0
  for await (const page of pagesOf(kinora, signal)) {
    counted ||= page.total
    const end = known ? page.transactions.findIndex(({ id }) => id === known.id) : -1
    if (end >= 0) {
      fresh.push(...page.transactions.slice(0, end + 1))
      return { rows: [...fresh, ...rows.slice(from + 1)], counted }
    }
    fresh.push(...page.transactions)
  }
  return { rows: fresh, counted }
}

/** Asks again after the time that the service names, or when no answer came. */
async function patiently<T>(ask: () => Promise<Result<T>>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const { data, error } = await ask()
    if (!error) return data
    const isLimit = error.code === 'RATE_LIMITED'
    const mayHelp = isLimit || error.code === 'UNREACHABLE' || error.status >= 500
    if (!mayHelp || (!isLimit && tries === TRIES)) throw error
    await pause((error.retryAfterSeconds ?? tries) * 1000, signal)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
