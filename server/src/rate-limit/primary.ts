/** Counters of `kinora api --processes`: in the memory of the primary, which its children ask over their IPC channels. */
import type { Channel } from '../cluster/channel.ts'
import type { MemoryCounters } from './memory.ts'
import type { LimitName, Outcome } from './policies.ts'
import type { SharedCounters } from './shared.ts'

/** Arrays instead of objects: half the bytes to parse. */
type Message = { consume: [LimitName, string][] } | { reward: [LimitName, string] }

/** In a child. */
export function primaryCounters(channel: Channel): SharedCounters {
  const ask = (message: Message) => channel.ask('rate-limit', message)
  return {
    consume: async (attempts) => (await ask({ consume: attempts.map(({ name, key }) => [name, key]) })) as Outcome[],
    reward: ({ name, key }) => ask({ reward: [name, key] }),
    close: () => undefined,
  }
}

/** In the primary: replies to one child. */
export function countFor(channel: Channel, counters: MemoryCounters): void {
  channel.handle('rate-limit', (body) => {
    const message = body as Message
    if ('consume' in message) return message.consume.map(([name, key]) => counters.consume(name, key))
    counters.reward(...message.reward)
    return null
  })
}
