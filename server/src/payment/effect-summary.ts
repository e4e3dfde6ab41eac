/** The effects of an event as sentences, for the administrator who decides whether to apply it and to which user. */
import type { Effect, Return } from './effect.ts'

/** One sentence for each effect on credits or a subscription; links have none. */
export const summarise = (effects: Effect[]): string[] => effects.map(sentence).filter((text) => text !== null)

export const grantSentence = (credits: number, expiresAt: Date, remark = ''): string =>
  `Gives ${credits.toLocaleString('en')} ${credits === 1 ? 'credit' : 'credits'}${remark && ` (${remark})`}, good until ${day(expiresAt)}.`

function sentence(effect: Effect): string | null {
  switch (effect.do) {
    case 'payment':
      return effect.value > 0 ? grantSentence(Math.round(effect.credits), effect.expiresAt, effect.remark) : null
    case 'return':
      if (effect.state !== 'taken') return `Gives back what was taken of ${payment(effect)}.`
      return `Takes back ${share(effect)} of ${payment(effect)}.`
    case 'subscription':
      return subscription(effect)
    case 'card':
    case 'link':
    case 'price':
      return null
  }
}

function subscription(effect: Extract<Effect, { do: 'subscription' }>): string {
  const plan = effect.plan ? ` of ${effect.plan}` : ''
  const status = effect.status ? `, ${effect.status}` : ''
  const until = effect.plan !== undefined && effect.periodEnd ? `, until ${day(effect.periodEnd)}` : ''
  return `Records the subscription ${effect.externalId}${plan}${status}${until}.`
}

const payment = ({ ids, key }: Return): string => `the payment that ${ids[0] ?? key} belongs to`

const day = (date: Date): string =>
  Number.isNaN(date.getTime()) ? 'an unreadable date' : date.toISOString().slice(0, 10)
const share = ({ amounts, share: part }: Return): string => {
  const [amount] = Object.entries(amounts)
  if (amount) return `the credits of ${amount[1] / 100} ${amount[0]}`.trimEnd()
  return part === 1 ? 'all credits' : `${Math.round(part * 1000) / 10} % of the credits`
}
