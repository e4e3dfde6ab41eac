/** What an adapter offers, in words: for docs/providers.md and `kinora providers`. */
import type { OpenProvider } from './open.ts'

const words = {
  callback: { signed: 'signed', hint: 'yes, then polled', trusted: 'yes' },
  cost: { submit: 'at the submit', poll: 'with the result' },
}
const lostSubmit = ({ find, readCallback }: OpenProvider): string =>
  find ? 'found again' : readCallback ? 'reported by the callback' : 'given up at the deadline'
const yes = (call: unknown): string => (call ? 'yes' : 'no')

/** By the heading of its column. */
export function offeredBy(provider: OpenProvider): Record<string, string> {
  const { capabilities } = provider.adapter
  return {
    callback: capabilities.callback ? words.callback[capabilities.callback] : 'no',
    poll: provider.poll ? 'yes' : 'no: the submit returns the film',
    progress: capabilities.progress ?? 'no',
    cancel: yes(provider.cancel),
    'lost submit': lostSubmit(provider),
    cost: capabilities.cost ? words.cost[capabilities.cost] : 'no',
    'start image': provider.upload ? 'uploaded' : 'link',
    film: capabilities.result,
    'key check': provider.readBalance ? 'yes, balance' : yes(provider.checkKey),
    'tested client': capabilities.client ?? 'none',
  }
}
