/** The effects of an event as sentences, for the administrator who decides whether to apply it and to which user. */
import type { Effect } from './effect.ts'

/** One sentence for each effect on credits or a subscription; links have none. */
export const summarise = (effects: Effect[]): string[] => effects.map(sentence).filter((text) => text !== null)

export const grantSentence = ({
  credits,
  remark,
  expiresAt,
}: {
  credits: number
  remark?: string
  expiresAt: Date
}): string => `Gives ${credits} credits${remark === undefined ? '' : ` (${remark})`}, good until ${day(expiresAt)}.`

function sentence(effect: Effect): string | null {
  switch (effect.do) {
    case 'grant':
      return grantSentence(effect)
    case 'charge':
      return `Gives up to ${effect.credits} credits (${effect.remark}) for the transaction ${effect.transaction}, good until ${day(effect.expiresAt)}.`
    case 'claw_back':
      if (effect.state === 'given_back') return `Gives back what was taken of ${payment(effect)}.`
      return `Takes back ${share(effect)} of ${payment(effect)}.`
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
const share = ({ part, amount }: Extract<Effect, { do: 'claw_back' }>): string => {
  if (amount !== undefined) return `the credits of ${Math.round(amount * (part ?? 1)) / 100} in money`
  return part === undefined ? 'all credits' : `${percent(part)} of the credits`
}
const percent = (part: number): string => `${Math.round(part * 1000) / 10} %`
