/**
 * The number of open streams of each user, of this process alone or over all processes of `kinora api --processes`,
 * whose primary counts them.
 */
import type { Channel } from '../cluster/channel.ts'

export const STREAMS_PER_USER = 10

export type Slots = {
  /** Acquires one of the user's slots. @returns the function that releases it; null when none is free */
  acquire: (userId: string) => Promise<(() => void) | null>
  /** Whether a slot is free, without acquiring it. */
  hasFree: (userId: string) => Promise<boolean>
}

/** `slot`: its number in the child. */
type Message = { acquire: string; slot: number } | { hasFree: string } | { release: number }

/** @param channel to the primary; null: this process is alone */
export function openSlots(channel: Channel | null): Slots {
  /** The streams of a child that the primary does not count, because it did not reply. */
  const own = newCounts()
  if (!channel)
    return { acquire: async (userId) => own.acquire(userId), hasFree: async (userId) => own.hasFree(userId) }
  const ask = (message: Message) => channel.ask('streams', message)
  let lastSlot = 0
  return {
    acquire: async (userId) => {
      lastSlot += 1
      const slot = lastSlot
      const release = () => void ask({ release: slot }).catch(() => undefined)
      try {
        return (await ask({ acquire: userId, slot })) === true ? release : null
      } catch {
        // A primary that reads the first message late reads this one after it, and has the slot free again.
        release()
        return own.acquire(userId)
      }
    },
    hasFree: async (userId) => {
      try {
        return (await ask({ hasFree: userId })) === true
      } catch {
        return own.hasFree(userId)
      }
    },
  }
}

/** Counts in the primary. @returns a function that adds a child, which returns the one to call at its end */
export function openSharedSlots(): (channel: Channel) => () => void {
  const all = newCounts()
  return (channel) => {
    /** The child's open streams, by number. */
    const releases = new Map<number, () => void>()
    channel.handle('streams', (body) => {
      const message = body as Message
      if ('hasFree' in message) return all.hasFree(message.hasFree)
      if ('release' in message) {
        releases.get(message.release)?.()
        releases.delete(message.release)
        return null
      }
      const release = all.acquire(message.acquire)
      if (release) releases.set(message.slot, release)
      return release !== null
    })
    return () => {
      for (const release of releases.values()) release()
    }
  }
}

/** Bounded by the open streams: a user without one has no entry. */
function newCounts() {
  const counts = new Map<string, number>()
  const countOf = (userId: string): number => counts.get(userId) ?? 0
  return {
    hasFree: (userId: string): boolean => countOf(userId) < STREAMS_PER_USER,
    /** @returns the function that releases the slot, to be called once; null when none is free */
    acquire: (userId: string): (() => void) | null => {
      if (countOf(userId) >= STREAMS_PER_USER) return null
      counts.set(userId, countOf(userId) + 1)
      return () => {
        if (countOf(userId) > 1) counts.set(userId, countOf(userId) - 1)
        else counts.delete(userId)
      }
    },
  }
}
