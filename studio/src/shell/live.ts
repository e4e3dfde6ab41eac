/**
 * What happens to the videos reaches every page as it happens. The rule: one event stream a browser, whatever the number
 * of its tabs, because a browser opens six connections to a host and streams would take them all: the tab that holds
 * the lock reads the stream and passes on what it hears.
 */
import type { VideoEvent } from '@kinora/client'
import { useEffect, useSyncExternalStore } from 'react'
import { kinora, queries, task, videosChanged } from '../api.ts'

type Heard = { event: VideoEvent } | { connection: 'open' | 'lost' }

const NAME = 'kinora.events'
/** A restart of the service is over sooner; a word about it would only flicker. */
const TOLD_AFTER_MS = 4_000
const MOVED_EVERY_MS = 700

/** @returns whether the service is reached; false once it has been away for some seconds */
export function useLive(): boolean {
  useEffect(() => {
    const ending = new AbortController()
    const channel = new BroadcastChannel(NAME)
    channel.onmessage = ({ data }: MessageEvent<Heard>) => take(data)
    window.addEventListener('offline', () => connection.is('lost'), { signal: ending.signal })
    const read = () =>
      listen(ending.signal, (heard) => {
        channel.postMessage(heard)
        take(heard)
      })
    // Without https a browser has no locks: then each tab reads a stream of its own.
    if ('locks' in navigator) navigator.locks.request(NAME, { signal: ending.signal }, read).catch(() => undefined)
    else read()
    return () => {
      ending.abort()
      channel.close()
    }
  }, [])
  return useSyncExternalStore(connection.subscribe, connection.isOpen)
}

/** A stream over a network that went away hangs without a word; the browser says when it is back, and it is made anew. */
async function listen(signal: AbortSignal, tell: (heard: Heard) => void): Promise<void> {
  const onConnection = (state: 'open' | 'lost') => tell({ connection: state })
  let lastEventId = ''
  try {
    while (!signal.aborted) {
      const anew = new AbortController()
      window.addEventListener('online', () => anew.abort(), { signal: anew.signal })
      const either = AbortSignal.any([signal, anew.signal])
      for await (const event of kinora.events({ signal: either, lastEventId, onConnection })) {
        lastEventId = event.id
        tell({ event })
      }
    }
  } catch {
    // Refused for good, which is the end of the session; the question for the balance says so in the usual way.
    await queries.invalidateQueries({ queryKey: ['credit'] })
  }
}

function take(heard: Heard): void {
  if ('connection' in heard) connection.is(heard.connection)
  else apply(heard.event)
}

/** A change of status moves lists and credits too; progress alone is only written where it is shown. */
function apply(event: VideoEvent): void {
  if (event.type === 'reset') {
    queries.invalidateQueries({ queryKey: ['task'] })
    queries.invalidateQueries({ queryKey: ['video'] })
    moved()
    return
  }
  if (event.type === 'deleted') {
    queries.removeQueries({ queryKey: ['task', event.uuid] })
    queries.invalidateQueries({ queryKey: ['video', event.uuid] })
    moved()
    return
  }
  const { uuid, status, progress, error } = event
  const key = task(uuid).queryKey
  const before = queries.getQueryData(key)
  queries.setQueryData(key, { uuid, status, progress, error })
  if (before?.status === status) return
  queries.invalidateQueries({ queryKey: ['video', uuid] })
  moved()
}

/** Twenty films at once move often, and each time every list is read again: once in a while for all of them. */
let moving: ReturnType<typeof setTimeout> | undefined
function moved(): void {
  if (moving !== undefined) return
  moving = setTimeout(() => {
    moving = undefined
    videosChanged()
  }, MOVED_EVERY_MS)
}

const connection = openConnection()

/** The same for those who ask beside the stream: seldom while it is open, often while it is not. */
export const isReached = (): boolean => connection.isOpen()

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
      if (!open) queries.invalidateQueries()
      say(true)
    },
  }
}
