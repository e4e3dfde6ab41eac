/**
 * The studio's one way to the service: the typed client, and the questions that more than one page asks. The rule: an
 * answer is data or a thrown KinoraError; what belongs to one page only stands in that page's folder.
 */
import { type KinoraError, openKinora, type Result, type Task } from '@kinora/client'
import { hashKey, MutationCache, type Query, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: KinoraError
  }
}

export const kinora = openKinora()

/** The data of an answer; its error is thrown, which is how TanStack Query learns of it. */
export async function dataOf<T>(answer: Promise<Result<T>>): Promise<T> {
  const { data, error } = await answer
  if (error) throw error
  return data
}

/** Called by main.tsx: where to go when the session has ended is the router's matter. */
let onSignedOut: () => void = () => {}
export function whenSignedOut(act: () => void): void {
  onSignedOut = act
}

const noticed = (error: KinoraError): void => {
  if (error.code === 'UNAUTHENTICATED') onSignedOut()
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticed }),
  mutationCache: new MutationCache({ onError: noticed }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the service refuses it will refuse again; only an answer that never came is worth another try.
      retry: (count, error) => count < 3 && (error.code === 'UNREACHABLE' || error.status >= 500),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

export const session = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const known = await dataOf(kinora.GET('/api/auth/get-session'))
    // Nobody is an answer here, and no refusal; where somebody was, it is the end of their session.
    if (!known) onSignedOut()
    return known
  },
  staleTime: 60_000,
})

/** Nothing that was asked for by whoever was signed in is kept; the shell hears of it and takes their page away. */
export function forgetSession(): void {
  queries.setQueryData(session.queryKey, null)
  const kept = hashKey(session.queryKey)
  queries.removeQueries({ predicate: ({ queryHash }) => queryHash !== kept })
  queries.getMutationCache().clear()
}

/** The tabs of a browser have one cookie: what one of them does to the session it has done to all. */
const tabs = new BroadcastChannel('kinora.session')
tabs.onmessage = ({ data: userId }: MessageEvent<string | null>) => {
  if (queries.getQueryData(session.queryKey)?.user.id !== userId) onSignedOut()
}
/** To be called with whoever has signed in, and with null after signing out. */
export const tellTabs = (userId: string | null): void => tabs.postMessage(userId)

export const balance = queryOptions({
  queryKey: ['credit', 'balance'],
  queryFn: () => dataOf(kinora.GET('/api/v1/credit/balance')),
})

export const models = queryOptions({
  queryKey: ['models'],
  queryFn: () => dataOf(kinora.GET('/api/v1/config/models')),
  staleTime: 5 * 60_000,
})

export const video = (uuid: string) =>
  queryOptions({
    queryKey: ['video', uuid],
    queryFn: () => dataOf(kinora.GET('/api/v1/video/{uuid}', { params: { path: { uuid } } })),
  })

/** Where a video stands; while it is made, the event stream keeps this current (shell/live.ts). */
export const task = (uuid: string) =>
  queryOptions({
    queryKey: ['task', uuid],
    queryFn: () => dataOf(kinora.GET('/api/v1/video/task', { params: { query: { uuid } } })),
    staleTime: Number.POSITIVE_INFINITY,
  })

const ORDER = ['PENDING', 'GENERATING', 'UPLOADING', 'COMPLETED', 'FAILED'] as const

/** What the stream tells and what was asked for may cross: of two answers the one that is further on is the newer. */
queries.setQueryDefaults(['task'], {
  structuralSharing: (before, next) => {
    const [known, told] = [before as Task | undefined, next as Task]
    if (!known) return told
    const steps = ORDER.indexOf(told.status) - ORDER.indexOf(known.status)
    return steps > 0 || (steps === 0 && told.progress >= known.progress) ? told : known
  },
})

/** The latest credits that came back, by the uuid of their film: a failed film itself no longer knows its price. */
export const refunds = queryOptions({
  queryKey: ['credit', 'refunds'],
  queryFn: async ({ signal }) => {
    const query = { transType: 'REFUND', pageSize: 100 } as const
    const { transactions } = await dataOf(kinora.GET('/api/v1/credit/history', { params: { query }, signal }))
    return Object.fromEntries(transactions.map(({ videoUuid, credits }) => [videoUuid ?? '', credits]))
  },
})

/**
 * Has everything under this key asked again. What is just being read is read to its end first: it may be the next page that
 * somebody asked for, and over a slow line a list that begins anew at every word would never come.
 */
export async function readAgain(queryKey: readonly string[]): Promise<void> {
  const readAnew = async (query: Query) => {
    if (query.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined)
    await queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
  }
  await Promise.all(queries.getQueryCache().findAll({ queryKey }).map(readAnew))
}

/** After money or videos have moved: everything that shows them is asked again. */
export const videosChanged = (): Promise<unknown> => Promise.all([readAgain(['videos']), readAgain(['credit'])])
