/**
 * The number of open streams of each user, of this process alone or over all processes of `kinora api --processes`, whose
 * primary counts them.
 */
import type { Channel } from '../cluster/channel.ts'

export const STREAMS_PER_USER = 10

export type Slots = {
  /** Acquires one of the user's slots; false when none is free. */
  acquire: (userId: string) => Promise<boolean>
  /** Whether a slot is free, without acquiring it. */
  hasFree: (userId: string) => Promise<boolean>
  release: (userId: string) => void
}

type Message = { acquire: string } | { hasFree: string } | { release: string }

/** @param channel to the primary; null: this process is alone */
export function openSlots(channel: Channel | null): Slots {
  const own = newCounts()
  if (!channel) {
    return {
      acquire: async (userId) => own.acquire(userId),
      hasFree: async (userId) => own.hasFree(userId),
      release: own.release,
    }
  }
  /** How many of a user's streams the primary does not know of, because it did not reply. */
  const uncounted = newCounts()
  return {
    acquire: async (userId) => {
      try {
        return (await channel.ask('streams', { acquire: userId } satisfies Message)) === true
      } catch {
        return uncounted.acquire(userId)
      }
    },
    hasFree: async (userId) => {
      try {
        return (await channel.ask('streams', { hasFree: userId } satisfies Message)) === true
      } catch {
        return uncounted.hasFree(userId)
      }
    },
    release: (userId) => {
      if (!uncounted.release(userId))
        channel.ask('streams', { release: userId } satisfies Message).catch(() => undefined)
    },
  }
}

/** In the primary. @returns a function that adds a child; it returns the function to call when that child has ended */
export function openSharedSlots(): (channel: Channel) => () => void {
  const all = newCounts()
  return (channel) => {
    const ofChild = newCounts()
    channel.handle('streams', (body) => {
      const message = body as Message
      if ('release' in message) {
        if (ofChild.release(message.release)) all.release(message.release)
        return null
      }
      if ('hasFree' in message) return all.hasFree(message.hasFree)
      if (!all.acquire(message.acquire)) return false
      ofChild.acquire(message.acquire)
      return true
    })
    return () => {
      for (const [userId, count] of ofChild.entries()) for (let n = 0; n < count; n++) all.release(userId)
    }
  }
}

/** Bounded by the open streams: a user without one has no entry. */
function newCounts() {
  const counts = new Map<string, number>()
  return {
    entries: () => [...counts],
    hasFree: (userId: string): boolean => (counts.get(userId) ?? 0) < STREAMS_PER_USER,
    acquire: (userId: string): boolean => {
      const count = counts.get(userId) ?? 0
      if (count >= STREAMS_PER_USER) return false
      counts.set(userId, count + 1)
      return true
    },
    /** false: the user has no slot here. */
    release: (userId: string): boolean => {
      const count = counts.get(userId) ?? 0
      if (count > 1) counts.set(userId, count - 1)
      else counts.delete(userId)
      return count > 0
    },
  }
}
