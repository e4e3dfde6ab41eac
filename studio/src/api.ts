/**
 * The typed API client, the TanStack Query client, and the queries that more than one page uses. A query of a single
 * page lives in that page's folder. Invariant: a query returns data or throws a KinoraError.
 */
import {
  type AllPaths,
  type DataOf,
  isNewerTask,
  type KinoraError,
  openKinora,
  type Result,
  type Task,
} from '@kinora/client'
import {
  type DataTag,
  hashKey,
  MutationCache,
  notifyManager,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import { chosenTeam, forgetTeam, storeTeam } from './chosen-team.ts'
import { localizeError } from './i18n/service-text.ts'
import { closeGateWhile, dropEarly, fetchThroughGate } from './read-gate.ts'
import { typingPause } from './typing-pause.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: KinoraError
  }
}

export const kinora = openKinora<AllPaths>({ fetch: fetchThroughGate })

/** Unwraps a client response: its data, or throws its error in the user's language, for TanStack Query. */
export async function dataOf<T>(answer: Promise<Result<T>>): Promise<T> {
  const { data, error } = await answer
  if (error) throw localizeError(error)
  return data
}

let handleSessionEnd: () => void = () => {}
/** Registers the session-end handler. main.tsx calls it, because it needs the router, which imports this module. */
export function onSessionEnd(handler: () => void): void {
  handleSessionEnd = handler
}

const isUnauthenticated = ({ code }: KinoraError): boolean => code === 'UNAUTHENTICATED'
/** The key of the list of the user's teams, which team.ts reads. */
export const TEAMS_KEY = 'teams'
const detectEnd = (error: KinoraError): void => {
  if (isUnauthenticated(error)) void confirmSessionEnd()
  // Perhaps not the film is gone, but the membership, or the team is locked: the shell finds that in the list.
  if ((error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN') && chosenTeam())
    void queryClient.invalidateQueries({ queryKey: [TEAMS_KEY] })
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: detectEnd }),
  mutationCache: new MutationCache({ onError: detectEnd }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Retry network failures and 5xx only: a 4xx would fail the same way again.
      retry: (count, error) => count < 3 && (error.code === 'UNREACHABLE' || error.status >= 500),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Shows what a mutation has saved. A read that began before it may be older, and would replace it. */
export async function showSaved<Data>(
  queryKey: DataTag<QueryKey, Data, KinoraError>,
  saved: NoInfer<Data>,
): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, saved)
}

export type Session = NonNullable<Awaited<ReturnType<typeof readSession>>>

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const wasSignedIn = Boolean(queryClient.getQueryData(['session']))
    // Once more, because the first request may have been sent just before its session was replaced (confirmSessionEnd).
    const current = (await readSession()) ?? (wasSignedIn ? await readSession() : null)
    // The endpoint without a session returns 200 with null, so no onError handler runs.
    if (!current) {
      // The session may have ended while no page was open: the next user may be another one.
      forgetTeam()
      handleSessionEnd()
    }
    return current
  },
  staleTime: 60_000,
})

const readSession = () => dataOf(kinora.GET('/api/auth/get-session'))

const MUTATIONS_END_MS = 3_000
let isConfirming = false
/**
 * Asks the service whether the session has ended, before the user is led to the sign-in page. A mutation may replace
 * the session (second factor, password): the old one ends before its response brings the new cookie, and requests that
 * were sent in between get 401. They are sent again once. Without a response the session is left as it is. The form
 * stays while the user types into it: it keeps a draft, and keys that are pressed on the sign-in page would be lost.
 */
async function confirmSessionEnd(): Promise<void> {
  if (isConfirming) return
  isConfirming = true
  try {
    await mutationsEnd()
    await typingPause()
    const current = await readSession()
    const isRefused = ({ state }: Query) => state.error !== null && isUnauthenticated(state.error as KinoraError)
    if (current) await queryClient.refetchQueries({ predicate: isRefused })
    if (!current || queryClient.getQueryCache().getAll().some(isRefused)) handleSessionEnd()
  } catch {
    // The next request that is refused asks again.
  } finally {
    isConfirming = false
  }
}

/** Resolves when no mutation is pending, or after a time in which one that replaces the session has its response. */
function mutationsEnd(): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (queryClient.isMutating() === 0) end()
    }
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
    const timer = setTimeout(end, MUTATIONS_END_MS)
    const unsubscribe = queryClient.getMutationCache().subscribe(check)
    check()
  })
}

/** Sets the session to null, which unmounts the shell, then removes the user's other cached queries and mutations. */
export async function clearSession(): Promise<void> {
  dropEarly()
  forgetTeam()
  queryClient.setQueryData(sessionQuery.queryKey, null)
  // The shell is notified in a later task. A query that is removed before would be fetched again for what the shell
  // still renders.
  await new Promise<void>((resolve) => notifyManager.schedule(resolve))
  const sessionHash = hashKey(sessionQuery.queryKey)
  queryClient.removeQueries({ predicate: ({ queryHash }) => queryHash !== sessionHash })
  queryClient.getMutationCache().clear()
}

/** All tabs of a browser share one session cookie, so a sign-in or sign-out in one tab affects the others. */
const sessionChannel = new BroadcastChannel('kinora.session')
sessionChannel.onmessage = ({ data: userId }: MessageEvent<string | null>) => {
  if (queryClient.getQueryData(sessionQuery.queryKey)?.user.id !== userId) handleSessionEnd()
}
/**
 * Notifies the other tabs that the browser has another session, and forgets the team that was chosen in the one before.
 * @param userId the user who signed in; null after a sign-out
 */
export function broadcastSession(userId: string | null): void {
  void storeTeam(null)
  sessionChannel.postMessage(userId)
}

/** Sends a request that ends this browser's session, such as a sign-out; on success every tab forgets it. */
export const endSession = (request: () => Promise<unknown>): Promise<void> =>
  closeGateWhile(async () => {
    await request()
    broadcastSession(null)
    await clearSession()
  }, true)

/** Sends a request that replaces this browser's session: the old one ends before the new one's cookie comes. */
export function replaceSession<T>(request: () => Promise<T>): Promise<T> {
  return closeGateWhile(request, false)
}

/** What the operator tells all users now. */
export const serviceNoticesQuery = queryOptions({
  queryKey: ['service-notices'],
  queryFn: () => dataOf(kinora.GET('/api/v1/config/notices')),
  refetchInterval: 60_000,
})

export const balanceQuery = queryOptions({
  queryKey: ['credit', 'balance'],
  queryFn: () => dataOf(kinora.GET('/api/v1/credit/balance')),
})

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => dataOf(kinora.GET('/api/v1/config/models')),
  staleTime: 5 * 60_000,
})

export const videoQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['video', uuid],
    queryFn: () => dataOf(kinora.GET('/api/v1/video/{uuid}', { params: { path: { uuid } } })),
  })

export type VideoPage = DataOf<'get', '/api/v1/video/list'>
/** A video as the list returns it: the prompt is truncated and the details are missing. */
export type ListedVideo = VideoPage['videos'][number]

/** A video's status and progress. While it is in progress, the event stream writes to this query (event-stream.ts). */
export const taskQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['task', uuid],
    queryFn: () => dataOf(kinora.GET('/api/v1/video/task', { params: { query: { uuid } } })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A stream event and a poll response may arrive out of order: keep the later status or higher progress. */
queryClient.setQueryDefaults(['task'], {
  structuralSharing: (oldData, newData) => {
    const [cached, received] = [oldData as Task | undefined, newData as Task]
    return cached && isNewerTask(cached, received) ? cached : received
  },
})

/** The last 100 refunds as credits by video uuid. A failed video itself reports `creditsUsed: 0`. */
export const refundsQuery = queryOptions({
  queryKey: ['credit', 'refunds'],
  queryFn: async ({ signal }) => {
    const query = { transType: 'REFUND', pageSize: 100 } as const
    const { transactions } = await dataOf(kinora.GET('/api/v1/credit/history', { params: { query }, signal }))
    return Object.fromEntries(transactions.map(({ videoUuid, credits }) => [videoUuid ?? '', credits]))
  },
})

/**
 * Invalidates every query under a key. Waits for a fetch in flight, whose response may be older than the change,
 * instead of cancelling it: it may be the next page that the user requested, and on a slow connection a list that
 * restarts at every event would never finish loading.
 * @param filter `fetching`: only those with a fetch in flight; `exact`: that of the key alone
 */
export async function refreshQueries(
  queryKey: readonly unknown[],
  filter: { fetchStatus?: 'fetching'; exact?: boolean } = {},
): Promise<void> {
  const refresh = async (query: Query) => {
    // Repeatedly: what waited for the same fetch, such as the request for the next page, may have begun another one.
    while (query.promise) await query.promise.catch(() => undefined)
    await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
  }
  await Promise.all(
    queryClient
      .getQueryCache()
      .findAll({ ...filter, queryKey })
      .map(refresh),
  )
}

/** Invalidates every query that shows videos or credits; a project shows its takes. */
export const refreshVideos = (): Promise<unknown> =>
  Promise.all([refreshQueries(['videos']), refreshQueries(['project']), refreshQueries(['credit'])])
