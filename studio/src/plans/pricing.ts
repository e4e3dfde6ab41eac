/** What a product costs and what one gets for it, in figures that can be compared. Money in cents, films whole. */
import type { DataOf } from '@kinora/client'

export type Product = DataOf<'get', '/api/v1/config/plans'>['products'][number]
export type Model = DataOf<'get', '/api/v1/config/models'>['models'][number]
/** A film by which packs and plans are measured: its price in credits, and what it is. */
export type Example = { credits: number; film: string }

const SECONDS = 5
const RESOLUTION = '720p'

/** 1490, USD → "$14.90"; whole amounts without cents */
export function money(cents: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
  return format.format(cents / 100)
}

/** The price of 100 credits, in cents, to the nearest one. */
export const centsPer100 = ({ price, credits }: Product): number => Math.round((price.cents * 100) / credits)

/** The first film that can be made: five seconds, or what the model can do nearest to it, in 720p where there is that. */
export function exampleOf(models: Model[]): Example | null {
  for (const { name, enabled, pricing, minDuration, maxDuration } of models) {
    const [resolution, price] = pricing
      ? (Object.entries(pricing.credits).find(([size]) => size === RESOLUTION) ??
        Object.entries(pricing.credits)[0] ??
        [])
      : []
    if (!enabled || !pricing || !resolution || price === undefined) continue
    const seconds = Math.min(Math.max(SECONDS, minDuration), maxDuration)
    const credits = pricing.per === 'second' ? price * seconds : price
    return { credits, film: `${seconds} seconds of ${name} at ${resolution}` }
  }
  return null
}

/** How many films of that price there are in the credits. */
export const filmsIn = (credits: number, example: Example): number => Math.floor(credits / example.credits)

/** In words, how long its credits are good for. */
export function validityOf({ validDays, period }: Product): string {
  if (validDays !== null) return validDays % 365 === 0 ? yearsOf(validDays / 365) : `${validDays} days`
  return period === 'year' ? 'a year' : 'a month'
}
const yearsOf = (years: number): string => (years === 1 ? 'a year' : `${years} years`)
