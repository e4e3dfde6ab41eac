/** Counters of `kinora api --processes`: in the memory of the primary, which its children ask over their IPC channels. */
import type { Channel } from '../cluster/channel.ts'
import type { MemoryCounters } from './memory.ts'
import type { LimitName, Outcome } from './policies.ts'
import type { SharedCounters } from './shared.ts'

/** Arrays instead of objects: half the bytes to parse. */
type Message = { take: [LimitName, string][] } | { give: [LimitName, string] }

/** In a child. */
export function primaryCounters(channel: Channel): SharedCounters {
  const ask = (message: Message) => channel.ask('rate-limit', message)
  return {
    take: async (attempts) => (await ask({ take: attempts.map(({ name, key }) => [name, key]) })) as Outcome[],
    give: ({ name, key }) => ask({ give: [name, key] }),
    close: () => undefined,
  }
}

/** In the primary: replies to one child. */
export function countFor(channel: Channel, counters: MemoryCounters): void {
  channel.handle('rate-limit', (body) => {
    const message = body as Message
    if ('take' in message) return message.take.map(([name, key]) => counters.take(name, key))
    counters.give(...message.give)
    return null
  })
}
