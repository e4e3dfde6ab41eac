/**
 * What happens to the videos reaches every page as it happens. The rule: one event stream a browser, whatever the number
 * of its tabs, because a browser opens six connections to a host and streams would take them all: a tab that is seen
 * takes the lock, reads the stream and passes on what it hears. While no tab is seen none reads; the next one goes on
 * from where the last one was.
 */
import type { VideoEvent } from '@kinora/client'
import { useEffect, useSyncExternalStore } from 'react'
import { kinora, queryClient, refreshVideos, taskQuery } from '../api.ts'
import { announce, forgetAnnouncements } from './announcements.tsx'

type Heard = { event: VideoEvent } | { connection: 'open' | 'lost' }

/** A restart of the service is over sooner; a word about it would only flicker. */
const TOLD_AFTER_MS = 4_000
const MOVED_EVERY_MS = 700
const AFTER_OFFLINE_MS = 1_000

/** @returns whether the service is reached; false once it has been away for some seconds */
export function useEventStream(userId: string): boolean {
  useEffect(() => {
    const ending = new AbortController()
    // By user: a tab that has not noticed yet that somebody else has signed in keeps what it hears to itself.
    const name = `kinora.events.${userId}`
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }: MessageEvent<Heard>) => take(data)
    lastEventId = ''
    forgetAnnouncements()
    const tell = (heard: Heard) => {
      channel.postMessage(heard)
      take(heard)
    }
    whileSeen(ending.signal, (signal) => {
      const read = () => listen(signal, tell)
      // Without https a browser has no locks: then each tab that is seen reads a stream of its own.
      if ('locks' in navigator) navigator.locks.request(name, { signal }, read).catch(() => undefined)
      else void read()
    })
    return () => {
      ending.abort()
      channel.close()
    }
  }, [userId])
  return useSyncExternalStore(connection.subscribe, connection.isOpen)
}

/** A tab in the background may be halted by the browser with the lock in its hand, so only one that is seen reads. */
function whileSeen(signal: AbortSignal, start: (signal: AbortSignal) => void): void {
  let unseen: AbortController | null = null
  const look = () => {
    if (document.visibilityState === 'hidden') {
      unseen?.abort()
      unseen = null
    } else if (!unseen) {
      unseen = new AbortController()
      start(AbortSignal.any([signal, unseen.signal]))
    }
  }
  document.addEventListener('visibilitychange', look, { signal })
  look()
}

/** Of what this tab has heard, from whichever tab: where to go on when it is the one to read. */
let lastEventId = ''

/**
 * A stream over a network that went away hangs without a word. The browser says when that happens and when the network is
 * back; either time the stream is made anew, and whether that succeeds is what counts: a service on this machine is reached
 * without a network. It may say that the network is gone a moment too early, and what is opened in that moment would hang.
 */
async function listen(signal: AbortSignal, tell: (heard: Heard) => void): Promise<void> {
  const onConnection = (state: 'open' | 'lost') => {
    tell({ connection: state })
    // It begins with what comes next; what is shown may have been asked for before.
    if (state === 'open' && !lastEventId) tell({ event: { type: 'reset', id: '' } })
  }
  try {
    while (!signal.aborted) {
      const anew = new AbortController()
      for (const change of ['offline', 'online'])
        window.addEventListener(change, () => anew.abort(change), { signal: anew.signal })
      const either = AbortSignal.any([signal, anew.signal])
      for await (const event of kinora.events({ signal: either, lastEventId, onConnection })) tell({ event })
      if (anew.signal.reason === 'offline') await new Promise((resolve) => setTimeout(resolve, AFTER_OFFLINE_MS))
    }
  } catch {
    // Refused for good, which is the end of the session; the question for the balance says so in the usual way.
    await queryClient.invalidateQueries({ queryKey: ['credit'] })
  }
}

function take(heard: Heard): void {
  if ('connection' in heard) connection.is(heard.connection)
  else {
    lastEventId = heard.event.id || lastEventId
    apply(heard.event)
  }
}

/** A change of status moves lists and credits too; progress alone is only written where it is shown. */
function apply(event: VideoEvent): void {
  if (event.type === 'reset') {
    // Those in progress follow by themselves; of the others only what is shown anew is asked for again.
    queryClient.invalidateQueries({ queryKey: ['task'], refetchType: 'none' })
    queryClient.invalidateQueries({ queryKey: ['video'] })
    moved()
    return
  }
  if (event.type === 'deleted') {
    // What is still on the page goes with the list; removed under its eyes it would be asked for again.
    queryClient.removeQueries({ queryKey: ['task', event.uuid], type: 'inactive' })
    queryClient.invalidateQueries({ queryKey: ['video', event.uuid] })
    moved()
    return
  }
  void announce(event)
  const { uuid, status, progress, error } = event
  const key = taskQuery(uuid).queryKey
  const before = queryClient.getQueryData(key)
  queryClient.setQueryData(key, { uuid, status, progress, error })
  if (before?.status === status) return
  queryClient.invalidateQueries({ queryKey: ['video', uuid] })
  moved()
}

/** Twenty films at once move often, and each time every list is read again: once in a while for all of them. */
let moving: ReturnType<typeof setTimeout> | undefined
function moved(): void {
  if (moving !== undefined) return
  moving = setTimeout(() => {
    moving = undefined
    refreshVideos()
  }, MOVED_EVERY_MS)
}

const connection = openConnection()

/** The same for those who ask beside the stream: seldom while it is open, often while it is not. */
export const isStreamConnected = (): boolean => connection.isOpen()

function openConnection() {
  let open = true
  let telling: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()
  const say = (next: boolean) => {
    open = next
    for (const listener of listeners) listener()
  }
  return {
    isOpen: () => open,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    is: (state: 'open' | 'lost') => {
      clearTimeout(telling)
      if (state === 'lost') {
        telling = setTimeout(say, TOLD_AFTER_MS, false)
        return
      }
      // What was asked while nobody answered has failed or is old.
      if (!open) queryClient.invalidateQueries()
      say(true)
    },
  }
}
