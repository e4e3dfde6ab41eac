/**
 * Reads a credit history of thousands of transactions page by page (keyset pagination), with an AbortSignal, and with
 * retries after rate limits and outages. A ledger snapshot is consistent: all of its parts are of one moment.
 */
import type { Kinora, Result, Schemas } from '@kinora/client'
import { delay } from '../delay.ts'
import { localizeError } from '../i18n/service-text.ts'
import type { LedgerSnapshot } from './ledger-check.ts'
import type { CreditTransaction } from './transaction-types.ts'

type Page = Schemas['CreditHistory']

const PAGE_SIZE = 100
/** Attempts for a request that fails with anything but a rate limit, which is retried without a limit. */
const MAX_ATTEMPTS = 4
/** Attempts to read a consistent snapshot while credits keep moving. */
const MAX_SNAPSHOT_ROUNDS = 20

/**
 * All pages of the history, newest transactions first. Transactions created while it reads are not included.
 * @throws KinoraError; AbortError when the signal is aborted
 */
export async function* transactionPages(kinora: Pick<Kinora, 'GET'>, signal: AbortSignal): AsyncGenerator<Page> {
  let cursor: string | null = null
  do {
    const query: { pageSize: number; cursor?: string } = { pageSize: PAGE_SIZE, ...(cursor ? { cursor } : {}) }
    const page: Page = await withRetry(
      () => kinora.GET('/api/v1/credit/history', { params: { query }, signal }),
      signal,
    )
    yield page
    cursor = page.nextCursor
  } while (cursor)
}

/**
 * A consistent snapshot of balance, packages and all transactions. Optimistic: each round rereads the newest
 * transactions and those whose state can still change between two reads of the balance, and is repeated when anything
 * moved in between.
 * @param onProgress transactions read so far, and their total number
 * @returns null when credits moved in each of 20 rounds
 * @throws KinoraError; AbortError when the signal is aborted
 */
export async function readLedgerSnapshot(
  kinora: Pick<Kinora, 'GET'>,
  signal: AbortSignal,
  onProgress: (read: number, total: number) => void,
): Promise<LedgerSnapshot | null> {
  let transactions: CreditTransaction[] = []
  for await (const page of transactionPages(kinora, signal)) {
    transactions.push(...page.transactions)
    onProgress(transactions.length, Math.max(transactions.length, page.total))
  }
  const readBalance = () => withRetry(() => kinora.GET('/api/v1/credit/balance', { signal }), signal)
  for (let round = 1; ; round += 1) {
    const before = await readBalance()
    const refreshed = await rereadUnsettled(kinora, signal, transactions)
    transactions = refreshed.transactions
    const packages = await readPackages(kinora, signal)
    const { total } = await withRetry(
      () => kinora.GET('/api/v1/credit/history', { params: { query: { pageSize: 1 } }, signal }),
      signal,
    )
    const balance = await readBalance()
    onProgress(transactions.length, total)
    // A freeze, release, addition or expiry adds a transaction; a settlement adds none, but changes Used.
    const isConsistent =
      refreshed.total === total && before.used === balance.used && before.available === balance.available
    if (isConsistent) return { transactions, total, balance, packages }
    if (round === MAX_SNAPSHOT_ROUNDS) return null
  }
}

/**
 * The transactions since `sinceMs` and the last one before it, at most `max`, newest first.
 * @param known a previous result, without gaps from its newest transaction on: only newer transactions are requested
 * @returns `truncated`: the period has older transactions that were not read
 */
export async function readTransactionsSince(
  kinora: Pick<Kinora, 'GET'>,
  signal: AbortSignal,
  { sinceMs, max, known }: { sinceMs: number; max: number; known: CreditTransaction[] },
): Promise<{ transactions: CreditTransaction[]; truncated: boolean }> {
  const transactions: CreditTransaction[] = []
  const newestKnown = known[0]?.id
  for await (const page of transactionPages(kinora, signal)) {
    const end = newestKnown ? page.transactions.findIndex(({ id }) => id === newestKnown) : -1
    transactions.push(...(end < 0 ? page.transactions : [...page.transactions.slice(0, end), ...known]))
    const reachesStart = Date.parse(transactions.at(-1)?.createdAt ?? '') < sinceMs
    if (end >= 0 || reachesStart || transactions.length >= max || page.nextCursor === null) {
      const isComplete = reachesStart || transactions.length >= page.total
      return { transactions: transactions.slice(0, max), truncated: !isComplete || transactions.length > max }
    }
  }
  return { transactions, truncated: false }
}

async function readPackages(kinora: Pick<Kinora, 'GET'>, signal: AbortSignal): Promise<Schemas['CreditPackage'][]> {
  const packages: Schemas['CreditPackage'][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: { pageSize: number; cursor?: string } = { pageSize: PAGE_SIZE, ...(cursor ? { cursor } : {}) }
    const page: { packages: Schemas['CreditPackage'][]; nextCursor: string | null } = await withRetry(
      () => kinora.GET('/api/v1/credit/packages', { params: { query }, signal }),
      signal,
    )
    packages.push(...page.packages)
    cursor = page.nextCursor
  }
  return packages
}

/** Rereads from the newest transaction down to the oldest frozen one; the state of all older transactions is final. */
async function rereadUnsettled(kinora: Pick<Kinora, 'GET'>, signal: AbortSignal, transactions: CreditTransaction[]) {
  const lastIndex = Math.max(
    0,
    transactions.findLastIndex(({ state }) => state === 'frozen'),
  )
  const last = transactions[lastIndex]
  const fresh: CreditTransaction[] = []
  let total = 0
  for await (const page of transactionPages(kinora, signal)) {
    total ||= page.total
    const end = last ? page.transactions.findIndex(({ id }) => id === last.id) : -1
    if (end >= 0) {
      fresh.push(...page.transactions.slice(0, end + 1))
      return { transactions: [...fresh, ...transactions.slice(lastIndex + 1)], total }
    }
    fresh.push(...page.transactions)
  }
  return { transactions: fresh, total }
}

/** Retries after the response's `Retry-After`, or with linear backoff (1 s, 2 s, 3 s) without one. */
async function withRetry<T>(request: () => Promise<Result<T>>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const { data, error } = await request()
    if (!error) return data
    const isRateLimit = error.code === 'RATE_LIMITED'
    const isTransient = isRateLimit || error.code === 'UNREACHABLE' || error.status >= 500
    if (!isTransient || (!isRateLimit && attempt === MAX_ATTEMPTS)) throw localizeError(error)
    await delay((error.retryAfterSeconds ?? attempt) * 1000, signal)
  }
}
