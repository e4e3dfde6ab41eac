/**
 * Applies the API's event stream (server-sent events) to the query cache of every tab. One tab is the leader: it holds
 * a Web Lock, reads the stream and forwards each message over a BroadcastChannel. A stream for each tab would exhaust
 * the browser's limit of six HTTP/1.1 connections to a host. While all tabs are hidden no tab reads, and the next
 * leader resumes from the last event id; unless notifications are on: then a hidden tab leads too, until one is
 * visible.
 */
import type { VideoEvent } from '@kinora/client'
import type { InfiniteData } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { kinora, queryClient, refreshQueries, refreshVideos, taskQuery, type VideoPage } from '../api.ts'
import { ownerKey } from '../chosen-team.ts'
import { dropEarlyStream, holdReads, takeDocumentTime } from '../read-gate.ts'
import { announce, resetAnnouncements } from './announcements.tsx'
import { areNotificationsOn } from './notice-settings.ts'

type Reading = { event: VideoEvent } | { connection: 'open' | 'lost' }
/**
 * `visible`: a tab has become visible, to which a hidden leader gives way. `since`: the reads of a tab's document are
 * of that time (epoch ms), and its channel is younger: the leader repeats what came in between.
 */
type StreamMessage = Reading | { visible: true } | { since: number }

/** A restart of the service takes less time; a shorter delay would make the offline notice flicker. */
const OFFLINE_NOTICE_AFTER_MS = 4_000
const REFRESH_EVERY_MS = 700
const OFFLINE_RETRY_MS = 1_000

let following: { userId: string; end: () => void } | null = null

/**
 * Follows the user's events until `unfollowEvents`. Called before the first read of a page (shell/parent-routes.ts),
 * which waits for the stream: data that is newer than the stream's start is not read again.
 */
export function followEvents(userId: string): void {
  if (following?.userId === userId) return
  unfollowEvents()
  const ending = new AbortController()
  // The name contains the owner: a tab with an outdated session, or of another team, must not forward its events to
  // these tabs.
  const name = `kinora.events.${ownerKey(userId)}`
  const channel = new BroadcastChannel(name)
  lastEventId = takeDocumentTime()
  documentMs = Number(lastEventId)
  recent.clear()
  recentSinceMs = documentMs || Number.POSITIVE_INFINITY
  startStates = lastEventId ? new Map() : null
  resetAnnouncements()
  const releaseReads = lastEventId ? () => false : holdReads()
  const publish = (message: Reading, isKnown = false) => {
    channel.postMessage(message)
    if (!isKnown) receive(message, true)
  }
  let isLeader = false
  const start = (signal: AbortSignal) => {
    const lead = async () => {
      isLeader = true
      await readStream(signal, publish, releaseReads)
      isLeader = false
    }
    // Web Locks need a secure context. Without them every visible tab reads a stream of its own.
    if (!('locks' in navigator)) return void lead()
    navigator.locks.request(name, { signal }, lead).catch(() => undefined)
    // Another tab leads: its stream is open.
    navigator.locks.query().then(({ pending }) => {
      if (!pending?.some((request) => request.name === name)) return
      dropEarlyStream()
      releaseReads()
      if (documentMs > 0) channel.postMessage({ since: documentMs })
    })
  }
  const giveWay = whileFollowing(ending.signal, start, () => channel.postMessage({ visible: true }))
  channel.onmessage = ({ data }: MessageEvent<StreamMessage>) => {
    if ('visible' in data) giveWay()
    else if (!('since' in data)) receive(data, false)
    else if (isLeader) for (const event of eventsSince(data.since)) channel.postMessage({ event })
  }
  following = {
    userId,
    end: () => {
      ending.abort()
      channel.close()
      releaseReads()
    },
  }
}

function unfollowEvents(): void {
  following?.end()
  following = null
}

/** @returns whether the service is reachable; false after OFFLINE_NOTICE_AFTER_MS without a connection */
export function useEventStream(userId: string): boolean {
  useEffect(() => {
    followEvents(userId)
    return unfollowEvents
  }, [userId])
  return useSyncExternalStore(connection.subscribe, connection.isOpen, connection.isOpen)
}

/**
 * Runs `start` while the tab is visible, or may notify. A browser may freeze another hidden tab, which would then keep
 * the lock without reading.
 * @returns a function that starts a hidden tab again, behind the tabs that wait for the lock
 */
function whileFollowing(signal: AbortSignal, start: (signal: AbortSignal) => void, onVisible: () => void): () => void {
  let stopping: AbortController | null = null
  const isHidden = () => document.visibilityState === 'hidden'
  const begin = () => {
    stopping = new AbortController()
    start(AbortSignal.any([signal, stopping.signal]))
  }
  const stop = () => {
    stopping?.abort()
    stopping = null
  }
  const update = () => {
    if (isHidden() && !areNotificationsOn()) return stop()
    if (!stopping) begin()
    if (!isHidden()) onVisible()
  }
  document.addEventListener('visibilitychange', update, { signal })
  update()
  return () => {
    if (!stopping || !isHidden()) return
    stop()
    begin()
  }
}

/** The last event id that this tab received, from its own stream or the leader's; a new leader resumes after it. */
let lastEventId = ''

/**
 * Reads the event stream until the signal aborts. Reconnects on the browser's `offline` and `online` events, because a
 * stream over a lost network hangs without an error. An `offline` event does not stop the reading: a service on the
 * same machine stays reachable without a network. It may arrive before the network is gone, and a connection opened in
 * that moment would hang too, hence the delay before the reconnect.
 */
async function readStream(
  signal: AbortSignal,
  publish: (message: Reading, isKnown?: boolean) => void,
  releaseReads: () => boolean,
): Promise<void> {
  const onConnection = (state: 'open' | 'lost') => {
    publish({ connection: state })
    const areReadsNewer = releaseReads()
    if (state === 'lost' || lastEventId) return
    // A stream without a last event id starts at the present: data cached before may be stale. What this tab reads has
    // waited for it.
    publish({ event: { type: 'reset', id: '' } }, areReadsNewer)
    if (areReadsNewer) startStates = new Map()
  }
  try {
    while (!signal.aborted) {
      const networkChange = new AbortController()
      for (const change of ['offline', 'online'])
        window.addEventListener(change, () => networkChange.abort(change), { signal: networkChange.signal })
      const either = AbortSignal.any([signal, networkChange.signal])
      for await (const event of kinora.events({ signal: either, lastEventId, onConnection })) publish({ event })
      if (networkChange.signal.reason === 'offline')
        await new Promise((resolve) => setTimeout(resolve, OFFLINE_RETRY_MS))
    }
  } catch {
    // The API refused the stream for good: the session has ended. Refetching the credit queries detects that (api.ts).
    await queryClient.invalidateQueries({ queryKey: ['credit'] })
  }
}

/** @param isLeader whether this tab has read it from the stream */
function receive(message: Reading, isLeader: boolean): void {
  if ('connection' in message) connection.update(message.connection)
  else {
    lastEventId = message.event.id || lastEventId
    remember(message.event)
    applyEvent(message.event, isLeader)
  }
}

/** The last event of each of the last films, oldest first: all since `recentSinceMs`. */
const recent = new Map<string, Exclude<VideoEvent, { type: 'reset' }>>()
const RECENT_MAX = 200
let recentSinceMs = Number.POSITIVE_INFINITY

function remember(event: VideoEvent): void {
  if (event.type === 'reset') {
    recent.clear()
    recentSinceMs = Number(event.id) || Number.POSITIVE_INFINITY
    return
  }
  recent.delete(event.uuid)
  recent.set(event.uuid, event)
  recentSinceMs = Math.min(recentSinceMs, Number(event.id))
  const [oldest] = recent.values()
  if (recent.size <= RECENT_MAX || !oldest) return
  recent.delete(oldest.uuid)
  recentSinceMs = Number(oldest.id)
}

const eventsSince = (sinceMs: number): VideoEvent[] =>
  sinceMs < recentSinceMs
    ? [{ type: 'reset', id: '' }]
    : [...recent.values()].filter(({ id }) => Number(id) > sinceMs - LATE_MS)

/** Writes an event to the query cache. A status change also refreshes lists and credits; progress does not. */
function applyEvent(event: VideoEvent, isLeader: boolean): void {
  if (event.type === 'reset') {
    // Later events and polls update the tasks in progress; the others refetch when they are next shown (refetchType
    // none).
    queryClient.invalidateQueries({ queryKey: ['task'], refetchType: 'none' })
    // But a response on its way may be older than a change that this stream has missed.
    startStates = null
    refreshQueries(['task'], { fetchStatus: 'fetching' })
    refreshQueries(['video'])
    refreshVideosThrottled()
    return
  }
  if (event.type === 'deleted') {
    startStates = null
    // Remove inactive queries only: a mounted card would refetch a removed query before the list drops the card.
    queryClient.removeQueries({ queryKey: ['task', event.uuid], type: 'inactive' })
    refreshQueries(['video', event.uuid])
    refreshVideosThrottled()
    return
  }
  const endedMs = event.endedAt ? Date.parse(event.endedAt) : Number.POSITIVE_INFINITY
  if (endedMs < documentMs - LATE_MS) return
  if (endedMs > documentMs) void announce(event, isLeader)
  const { uuid, status, progress, error, failure, estimatedSeconds, queuePosition } = event
  const key = taskQuery(uuid).queryKey
  const previous = queryClient.getQueryData(key)
  queryClient.setQueryData(key, { uuid, status, progress, error, failure, estimatedSeconds, queuePosition })
  if (previous?.status === status) return
  refreshQueries(['video', uuid], startStates ? { fetchStatus: 'fetching' } : {})
  startStates?.set(uuid, status)
  refreshVideosThrottled()
}

/**
 * When the service made the reads that came with the document; 0: there were none. A stream that resumes from there
 * repeats the last two minutes, of which the page has the films that had ended.
 */
let documentMs = 0
/** A change may become visible later than its time. */
const LATE_MS = 10_000

/**
 * A stream that began before this tab's first reads begins with the films in progress. The page may have read those
 * states already: they are collected until the first refresh, which they alone do not cause.
 */
let startStates: Map<string, string> | null = null

function areListed(states: Map<string, string>): boolean {
  const lists = queryClient.getQueriesData<VideoPage | InfiniteData<VideoPage>>({ queryKey: ['videos'] })
  const pages = lists.flatMap(([, list]) => (list ? ('pages' in list ? list.pages : [list]) : []))
  const listed = new Map(pages.flatMap(({ videos }) => videos.map(({ uuid, status }) => [uuid, status])))
  return [...states].every(([uuid, status]) => listed.get(uuid) === status)
}

/** Throttle: with twenty videos in progress, each status change would otherwise refetch every list. */
let refreshTimer: ReturnType<typeof setTimeout> | undefined
function refreshVideosThrottled(): void {
  if (refreshTimer !== undefined) return
  refreshTimer = setTimeout(() => {
    refreshTimer = undefined
    const isKnown = startStates && startStates.size > 0 && areListed(startStates)
    startStates = null
    if (!isKnown) refreshVideos()
  }, REFRESH_EVERY_MS)
}

const connection = createConnectionStore()

/** Pollers ask: they poll seldom while the stream is connected and often while it is not. */
export const isStreamConnected = (): boolean => connection.isOpen()

/** A store for useSyncExternalStore. Reports a lost connection only after OFFLINE_NOTICE_AFTER_MS. */
function createConnectionStore() {
  let isOpen = true
  let lostTimer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()
  const set = (next: boolean) => {
    isOpen = next
    for (const listener of listeners) listener()
  }
  return {
    isOpen: () => isOpen,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    update: (state: 'open' | 'lost') => {
      clearTimeout(lostTimer)
      if (state === 'lost') {
        lostTimer = setTimeout(set, OFFLINE_NOTICE_AFTER_MS, false)
        return
      }
      // Queries of the offline time have failed or are stale.
      if (!isOpen) queryClient.invalidateQueries()
      set(true)
    },
  }
}
