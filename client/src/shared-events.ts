/**
 * One event stream, fanned out to every `generateAndWait` of a client: the service allows a user ten streams, and a
 * program may wait for a hundred videos. The stream opens with the first subscriber and closes with the last.
 */
import type { EventsOptions, VideoEvent } from './events.ts'

export type SharedEvents = {
  /**
   * Calls `listener` with every event, and with null when the connection opens or is lost: events may have been missed.
   * @returns unsubscribes
   */
  subscribe: (listener: (event: VideoEvent | null) => void) => () => void
  /** Whether the stream is connected. */
  isOpen: () => boolean
}

/** @param follow opens a stream, as `kinora.events` does */
export function shareEvents(follow: (options: EventsOptions) => AsyncIterable<VideoEvent>): SharedEvents {
  const listeners = new Set<(event: VideoEvent | null) => void>()
  let current: AbortController | null = null
  let isOpen = false

  const publish = (event: VideoEvent | null) => {
    for (const listener of listeners) listener(event)
  }
  const run = async (controller: AbortController) => {
    const setOpen = (value: boolean) => {
      // A stream that a newer one has replaced does not change the state.
      if (controller !== current) return
      isOpen = value
      publish(null)
    }
    try {
      const { signal } = controller
      for await (const event of follow({ signal, onConnection: (state) => setOpen(state === 'open') })) publish(event)
    } catch {
      // A permanent error, as from a service without the stream: subscribers poll, and the next subscriber reconnects.
      setOpen(false)
      if (controller === current) current = null
    }
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      if (!current) {
        current = new AbortController()
        void run(current)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        current?.abort()
        current = null
        isOpen = false
      }
    },
    isOpen: () => isOpen,
  }
}
