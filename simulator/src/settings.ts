/** The simulator's settings: the only file that reads the environment. Every setting has a default. */
import path from 'node:path'
import type { Processor } from './payment/products.ts'

export type ProviderName = 'provider-a' | 'provider-b'
export type Settings = ReturnType<typeof readSettings>
export type PaymentSettings = Settings['payment']
export type ApiGeneration = '2024' | '2025' | '2026'

/** How events are sent; a form may override it for one operation. */
export type Delivery = {
  /** `hold`: events wait for `/simulator/payments/deliver`. `drop`: they are lost, as if every attempt had failed. */
  chaos: ('shuffle' | 'double' | 'hold' | 'drop')[]
  api: ApiGeneration
  /** The names of payment-a's events: those really sent, or those of the specification. */
  names: 'sent' | 'specified'
}

/** The name of each setting, and its values. */
const deliverySettings: { [Name in keyof Delivery]: [setting: string, ...values: string[]] } = {
  chaos: ['SIMULATOR_PAYMENT_CHAOS', 'shuffle', 'double', 'hold', 'drop'],
  api: ['SIMULATOR_PAYMENT_B_API', '2024', '2025', '2026'],
  names: ['SIMULATOR_PAYMENT_A_NAMES', 'sent', 'specified'],
}

/** @throws Error whose message names the wrong setting */
export function readSettings(env: Record<string, string | undefined>) {
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
  const webhooks: Record<Processor, ReturnType<typeof webhook>> = {
    'payment-a': webhook('PAYMENT_A'),
    'payment-b': webhook('PAYMENT_B'),
  }
  const defaults: Delivery = { chaos: [], api: '2025', names: 'sent' }
  const delivery = readDelivery((name) => text(deliverySettings[name][0]), defaults)
  if (typeof delivery === 'string') throw new Error(delivery)
  return {
    port: Math.trunc(number('SIMULATOR_PORT', 8090, 65535)),
    host: text('SIMULATOR_HOST') ?? '127.0.0.1',
    /** Where film links point, without a slash at the end; null: at the address it listens on. */
    publicUrl: text('SIMULATOR_PUBLIC_URL')?.replace(/\/+$/, '') ?? null,
    dataDir: path.resolve(text('SIMULATOR_DATA_DIR') ?? '.kinora/simulator'),
    /** Factor on every natural delay; 0: no delays. */
    pace: number('SIMULATOR_PACE', 1, 1000),
    /** Of the films: fewer cost less to render, at the same size and duration. */
    framesPerSecond: Math.max(1, Math.trunc(number('SIMULATOR_FRAMES_PER_SECOND', 24, 60))),
    /** null: any key is accepted. */
    apiKeys: { 'provider-a': text('PROVIDER_A_API_KEY'), 'provider-b': text('PROVIDER_B_API_KEY') },
    /** Signs provider-b's callbacks; null: they are not signed. */
    webhookKey: text('PROVIDER_B_WEBHOOK_KEY'),
    payment: {
      apiKeys: { 'payment-a': text('PAYMENT_A_API_KEY'), 'payment-b': text('PAYMENT_B_API_KEY') },
      /** Where events go and what signs them; without a URL none are sent. */
      webhooks,
      delivery,
    },
  }
}

/** @param get null: as in `fallback`; an empty `chaos` means none. @returns the delivery, or what is wrong */
export function readDelivery(get: (name: keyof Delivery) => string | null, fallback: Delivery): Delivery | string {
  const words = get('chaos')?.toLowerCase().split(',')
  const delivery = {
    chaos: words?.map((word) => word.trim()).filter((word) => word !== '') ?? fallback.chaos,
    api: get('api') ?? fallback.api,
    names: get('names') ?? fallback.names,
  }
  for (const name of ['chaos', 'api', 'names'] as const) {
    const [setting, ...values] = deliverySettings[name]
    const unknown = [delivery[name]].flat().find((value) => !values.includes(value))
    if (unknown !== undefined) return `${setting} knows ${values.join(', ')}, not "${unknown}".`
  }
  return delivery as Delivery
}

export const isWebUrl = (value: string): boolean => /^https?:$/.test(URL.parse(value)?.protocol ?? '')
