/** The effects of an event as sentences, for the administrator who decides whether to apply it and to which user. */
import type { Effect } from './effect.ts'

/** One sentence for each effect on credits or a subscription; links have none. */
export const summarise = (effects: Effect[]): string[] => effects.map(sentence).filter((text) => text !== null)

function sentence(effect: Effect): string | null {
  switch (effect.do) {
    case 'grant':
      return `Gives ${effect.credits} credits (${effect.remark}), good until ${day(effect.expiresAt)}.`
    case 'claw_back':
      return `Takes back ${percent(effect.part)} of the credits of ${payment(effect)}.`
    case 'subscription':
      return subscription(effect)
    case 'link':
      return null
  }
}

function subscription(effect: Extract<Effect, { do: 'subscription' }>): string {
  const plan = effect.plan ? ` of ${effect.plan}` : ''
  const status = effect.status ? `, ${effect.status}` : ''
  const until = effect.plan !== undefined && effect.periodEnd ? `, until ${day(effect.periodEnd)}` : ''
  return `Records the subscription ${effect.externalId}${plan}${status}${until}.`
}

const payment = ({ source, ids }: Extract<Effect, { do: 'claw_back' }>): string =>
  source ?? `the payment that ${ids[0] ?? 'it'} belongs to`

const day = (date: Date): string =>
  Number.isNaN(date.getTime()) ? 'an unreadable date' : date.toISOString().slice(0, 10)
const percent = (part: number): string => `${Math.round(part * 1000) / 10} %`
