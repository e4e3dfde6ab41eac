/** Comparable figures of packs and plans: price, price for 100 credits, number of films, validity. Money in cents. */
import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { locale } from '../i18n/locale.ts'
import { formatCredits } from '../ui/format.ts'
import { isUpscaler } from '../upscalers.ts'

export type Product = Schemas['Product']
type Model = Schemas['Model']
type PriceUnit = NonNullable<Model['pricing']>['per']
/** The film in which products are measured: its price in credits, and its description. */
export type ReferenceFilm = { credits: number; seconds: number; description: string }

const REFERENCE_SECONDS = 5
const REFERENCE_RESOLUTION = '720p'

/** 1490, USD → "$14.90"; 1490, JPY → "¥1,490", because a yen has no cents; whole amounts without cents */
export function money(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
  return format.format(cents / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** The price of 100 credits, rounded to whole cents. */
export const centsPer100 = ({ price, credits }: Product): number => Math.round((price.cents * 100) / credits)

/**
 * The reference film of the first enabled model with a price: 5 seconds (or the nearest duration the model supports) at
 * 720p (or the model's first resolution).
 */
export function referenceFilm(models: Model[]): ReferenceFilm | null {
  for (const model of models) {
    const { name, enabled, pricing, minDuration, maxDuration } = model
    const [resolution, price] = pricing
      ? (Object.entries(pricing.credits).find(([size]) => size === REFERENCE_RESOLUTION) ??
        Object.entries(pricing.credits)[0] ??
        [])
      : []
    if (isUpscaler(model) || !enabled || !pricing || !resolution || price === undefined) continue
    const seconds = Math.min(Math.max(REFERENCE_SECONDS, minDuration), maxDuration)
    // As the service rounds it, whose prices a second have six places.
    const credits = Math.max(1, Math.ceil(creditsOf[pricing.per](price, seconds) - 1e-4))
    return {
      credits,
      seconds,
      description: t`${plural(seconds, { one: '# second', other: '# seconds' })} of ${name} at ${resolution}`,
    }
  }
  return null
}

const creditsOf: Record<PriceUnit, (price: number, seconds: number) => number> = {
  second: (price, seconds) => price * seconds,
  clip: (price) => price,
}

/** How many reference films the credits pay for. */
export const filmCount = (credits: number, film: ReferenceFilm): number => Math.floor(credits / film.credits)

/** What its price is for: "a month", "a year"; empty for a pack. */
export function periodText({ period }: Product): string {
  if (period === null) return ''
  return period === 'month' ? t({ message: 'a month', context: 'price' }) : t({ message: 'a year', context: 'price' })
}

export function creditsLabel({ credits, period }: Product): string {
  if (period === null) return formatCredits(credits)
  return period === 'month'
    ? t`${formatCredits(credits)} every month`
    : t`${formatCredits(credits)} at once, every year`
}

/** How long the product's credits are valid: "30 days", "a year". */
export function validity({ validDays, period }: Product): string {
  if (validDays !== null)
    return validDays % 365 === 0 ? years(validDays / 365) : plural(validDays, { one: '# day', other: '# days' })
  return period === 'year' ? t`a year` : t`a month`
}
const years = (count: number): string => plural(count, { 1: 'a year', other: '# years' })
