/** The simulator's settings: the only file that reads the environment. Every setting has a default. */
import path from 'node:path'
import { type ApiGeneration, apiGenerations } from './payment/objects-b.ts'
import type { Processor } from './payment/products.ts'

export type ProviderName = 'provider-a' | 'provider-b'

export type Settings = {
  port: number
  host: string
  /** Where film links point, without a slash at the end; null: at the address it listens on. */
  publicUrl: string | null
  dataDir: string
  /** Factor on every natural delay; 0: no delays. */
  pace: number
  /** Frames per second of the films: fewer cost less to render, at the same size and duration. */
  framesPerSecond: number
  /** null: any key is accepted. */
  apiKeys: Record<ProviderName, string | null>
  /** Signs provider-b's callbacks; null: they are not signed. */
  webhookKey: string | null
  payment: PaymentSettings
}

/** How events are sent; a form may override it for one operation. `hold`: events wait for `/simulator/payments/deliver`. */
export type Delivery = {
  shuffle: boolean
  double: boolean
  hold: boolean
  api: ApiGeneration
  /** The names of payment-a's events: those really sent, or those of the specification. */
  names: 'sent' | 'specified'
}

export type PaymentSettings = {
  /** null: any key is accepted. */
  apiKeys: Record<Processor, string | null>
  /** Where events go and what signs them; without a URL none are sent. */
  webhooks: Record<Processor, { url: string | null; secret: string }>
  delivery: Delivery
}

/** @throws Error whose message names the wrong setting */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const text = (name: string): string | null => env[name]?.trim() || null
  const number = (name: string, fallback: number, max: number): number => {
    const value = Number(text(name) ?? fallback)
    if (value >= 0 && value <= max) return value
    throw new Error(`${name} must be a number from 0 to ${max}, not "${text(name)}".`)
  }
  const webhook = (prefix: string): { url: string | null; secret: string } => {
    const [url, secret] = [text(`${prefix}_WEBHOOK_URL`), text(`${prefix}_WEBHOOK_SECRET`)]
    if (url && !isWebUrl(url)) throw new Error(`${prefix}_WEBHOOK_URL must be an http(s) URL.`)
    if (url && !secret) throw new Error(`${prefix}_WEBHOOK_SECRET is not set, but events must be signed.`)
    return { url, secret: secret ?? '' }
  }
  const delivery = readDelivery(
    {
      chaos: text('SIMULATOR_PAYMENT_CHAOS'),
      api: text('SIMULATOR_PAYMENT_B_API'),
      names: text('SIMULATOR_PAYMENT_A_NAMES'),
    },
    { shuffle: false, double: false, hold: false, api: '2025', names: 'sent' },
  )
  if (typeof delivery === 'string') throw new Error(`SIMULATOR_PAYMENT_${delivery}`)
  return {
    port: Math.trunc(number('SIMULATOR_PORT', 8090, 65535)),
    host: text('SIMULATOR_HOST') ?? '127.0.0.1',
    publicUrl: text('SIMULATOR_PUBLIC_URL')?.replace(/\/+$/, '') ?? null,
    dataDir: path.resolve(text('SIMULATOR_DATA_DIR') ?? '.kinora/simulator'),
    pace: number('SIMULATOR_PACE', 1, 1000),
    framesPerSecond: Math.max(1, Math.trunc(number('SIMULATOR_FRAMES_PER_SECOND', 24, 60))),
    apiKeys: { 'provider-a': text('PROVIDER_A_API_KEY'), 'provider-b': text('PROVIDER_B_API_KEY') },
    webhookKey: text('PROVIDER_B_WEBHOOK_KEY'),
    payment: {
      apiKeys: { 'payment-a': text('PAYMENT_A_API_KEY'), 'payment-b': text('PAYMENT_B_API_KEY') },
      webhooks: { 'payment-a': webhook('PAYMENT_A'), 'payment-b': webhook('PAYMENT_B') },
      delivery,
    },
  }
}

/** @param values null: as in `fallback`; an empty `chaos` means none. @returns the delivery, or what is wrong */
export function readDelivery(
  values: { chaos: string | null; api: string | null; names: string | null },
  fallback: Delivery,
): Delivery | string {
  const words = values.chaos?.split(',').flatMap((word) => word.trim().toLowerCase() || [])
  const unknown = words?.find((word) => !['shuffle', 'double', 'hold'].includes(word))
  if (unknown) return `CHAOS knows shuffle, double and hold, not "${unknown}".`
  const api = apiGenerations.find((each) => each === (values.api ?? fallback.api))
  if (!api) return `B_API must be one of ${apiGenerations.join(', ')}, not "${values.api}".`
  const names = values.names ?? fallback.names
  if (names !== 'sent' && names !== 'specified') return `A_NAMES must be sent or specified, not "${names}".`
  const has = (word: 'shuffle' | 'double' | 'hold'): boolean => words?.includes(word) ?? fallback[word]
  return { shuffle: has('shuffle'), double: has('double'), hold: has('hold'), api, names }
}

export const isWebUrl = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
