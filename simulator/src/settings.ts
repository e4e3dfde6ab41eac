/** The simulator's settings: the only file that reads the environment. Everything has a default. */
import path from 'node:path'
import { type Generation, generations } from './payment/objects-b.ts'
import type { Processor } from './payment/product.ts'
import type { Spelling } from './payment/words-a.ts'

export type ProviderName = 'provider-a' | 'provider-b'

export type Settings = {
  port: number
  host: string
  /** Where film links point, without a slash at the end; null: at the address it listens on. */
  publicUrl: string | null
  dataDir: string
  /** Factor on every natural waiting time; 0: no waiting. */
  pace: number
  /** Frames in a second of film; fewer make films that cost less to render, of the same size and duration. */
  framesPerSecond: number
  /** null: any key is good. */
  apiKeys: Record<ProviderName, string | null>
  /** Signs provider-b's callbacks; null: they are not signed. */
  webhookKey: string | null
  payment: PaymentSettings
}

/** What may be wished for one action, too. `hold`: its events wait until somebody asks for them. */
export type Manner = { shuffle: boolean; double: boolean; hold: boolean; api: Generation; spelling: Spelling }

export type PaymentSettings = {
  /** null: any key is good. */
  apiKeys: Record<Processor, string | null>
  /** Where events go and what signs them; without an address none are sent. */
  webhooks: Record<Processor, { url: string | null; secret: string }>
  manner: Manner
}

/** @throws Error whose message names the wrong setting */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const number = (name: string, fallback: number, max: number): number => {
    const value = env[name]?.trim()
    if (!value) return fallback
    const parsed = Number(value)
    if (parsed >= 0 && parsed <= max) return parsed
    throw new Error(`${name} must be a number from 0 to ${max}, not "${value}".`)
  }
  const text = (name: string): string | null => env[name]?.trim() || null
  return {
    port: Math.trunc(number('SIMULATOR_PORT', 8090, 65535)),
    host: text('SIMULATOR_HOST') ?? '127.0.0.1',
    publicUrl: text('SIMULATOR_PUBLIC_URL')?.replace(/\/+$/, '') ?? null,
    dataDir: path.resolve(text('SIMULATOR_DATA_DIR') ?? '.kinora/simulator'),
    pace: number('SIMULATOR_PACE', 1, 1000),
    framesPerSecond: Math.max(1, Math.trunc(number('SIMULATOR_FRAMES_PER_SECOND', 24, 60))),
    apiKeys: { 'provider-a': text('PROVIDER_A_API_KEY'), 'provider-b': text('PROVIDER_B_API_KEY') },
    webhookKey: text('PROVIDER_B_WEBHOOK_KEY'),
    payment: readPaymentSettings(text),
  }
}

function readPaymentSettings(text: (name: string) => string | null): PaymentSettings {
  const webhookOf = (processor: Processor): PaymentSettings['webhooks'][Processor] => {
    const prefix = processor.toUpperCase().replace('-', '_')
    const url = text(`${prefix}_WEBHOOK_URL`)
    const secret = text(`${prefix}_WEBHOOK_SECRET`)
    if (url && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new Error(`${prefix}_WEBHOOK_URL must be an http(s) URL.`)
    }
    if (url && !secret) throw new Error(`${prefix}_WEBHOOK_SECRET is not set, but events must be signed.`)
    return { url, secret: secret ?? '' }
  }
  const manner = readManner(
    {
      chaos: text('SIMULATOR_PAYMENT_CHAOS'),
      api: text('SIMULATOR_PAYMENT_B_API'),
      names: text('SIMULATOR_PAYMENT_A_NAMES'),
    },
    { shuffle: false, double: false, hold: false, api: '2025', spelling: 'sent' },
  )
  if ('problem' in manner) throw new Error(`SIMULATOR_PAYMENT_${manner.problem}`)
  return {
    apiKeys: { 'payment-a': text('PAYMENT_A_API_KEY'), 'payment-b': text('PAYMENT_B_API_KEY') },
    webhooks: { 'payment-a': webhookOf('payment-a'), 'payment-b': webhookOf('payment-b') },
    manner,
  }
}

/** What is left out stays as `usual` has it; an empty `chaos` means none. */
export function readManner(
  wish: { chaos: string | null; api: string | null; names: string | null },
  usual: Manner,
): Manner | { problem: string } {
  const words = wish.chaos?.split(',').flatMap((word) => word.trim().toLowerCase() || [])
  const unknown = words?.find((word) => !['shuffle', 'double', 'hold'].includes(word))
  if (unknown) return { problem: `CHAOS knows shuffle, double and hold, not "${unknown}".` }
  const api = wish.api === null ? usual.api : generations.find((each) => each === wish.api)
  if (!api) return { problem: `B_API must be one of ${generations.join(', ')}, not "${wish.api}".` }
  const names = wish.names ?? usual.spelling
  if (names !== 'sent' && names !== 'specified')
    return { problem: `A_NAMES must be sent or specified, not "${names}".` }
  const chaos = words
    ? { shuffle: words.includes('shuffle'), double: words.includes('double'), hold: words.includes('hold') }
    : { shuffle: usual.shuffle, double: usual.double, hold: usual.hold }
  return { ...chaos, api, spelling: names }
}
