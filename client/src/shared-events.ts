/**
 * One event stream for everybody in the program who waits for a video: a service allows a user ten streams, and a program
 * may wait for a hundred videos. It is opened for the first who listens and closed behind the last.
 */
import type { EventsOptions, VideoEvent } from './events.ts'

export type SharedEvents = {
  /**
   * Tells `listener` every event, and null when the connection came or went, as anything may have happened meanwhile.
   * @returns what ends it
   */
  listen: (listener: (event: VideoEvent | null) => void) => () => void
  /** Whether events arrive at present. */
  isOpen: () => boolean
}

/** @param follow opens a stream, as `kinora.events` does */
export function shareEvents(follow: (options: EventsOptions) => AsyncIterable<VideoEvent>): SharedEvents {
  const listeners = new Set<(event: VideoEvent | null) => void>()
  let current: AbortController | null = null
  let isOpen = false

  const tell = (event: VideoEvent | null) => {
    for (const listener of listeners) listener(event)
  }
  const run = async (controller: AbortController) => {
    const connected = (value: boolean) => {
      // The end of a stream that another has followed says nothing about that one.
      if (controller !== current) return
      isOpen = value
      tell(null)
    }
    try {
      const { signal } = controller
      for await (const event of follow({ signal, onConnection: (state) => connected(state === 'open') })) tell(event)
    } catch {
      // Refused for good, as by a service without the stream. Who waits asks on its own; who comes next tries again.
      connected(false)
      if (controller === current) current = null
    }
  }

  return {
    listen: (listener) => {
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
