/** The simulator's settings: the only file that reads the environment. Every setting has a default. */
import path from 'node:path'

export type Settings = ReturnType<typeof readSettings>
/** What all parts of the simulator share. `baseUrl`: without a slash at the end; known once the simulator listens. */
export type Context = { settings: Settings; baseUrl: () => string; log: (line: string) => void }

/** @throws Error whose message names the wrong setting */
export function readSettings(env: Record<string, string | undefined>) {
  const text = (name: string): string | null => env[name]?.trim() || null
  const providerText = (provider: string, name: string): string | null => {
    const part = provider
      .replace(/^provider-/, '')
      .replaceAll('-', '_')
      .toUpperCase()
    const value = text(`PROVIDER_${part}_${name}`)
    // The word that asks for the simulator is no secret.
    return value === 'simulator' ? null : value
  }
  const number = (name: string, fallback: number, max: number): number => {
    const value = Number(text(name) ?? fallback)
    if (value >= 0 && value <= max) return value
    throw new Error(`${name} must be a number from 0 to ${max}, not "${text(name)}".`)
  }
  const payment = (processor: string) => {
    const prefix = processor.toUpperCase().replaceAll('-', '_')
    const [url, secret] = [text(`${prefix}_WEBHOOK_URL`), text(`${prefix}_WEBHOOK_SECRET`)]
    if (url && !isWebUrl(url)) throw new Error(`${prefix}_WEBHOOK_URL must be an http(s) URL.`)
    if (url && !secret) throw new Error(`${prefix}_WEBHOOK_SECRET is not set, but events must be signed.`)
    return { apiKey: text(`${prefix}_API_KEY`), url, secret: secret ?? '' }
  }
  return {
    port: Math.trunc(number('SIMULATOR_PORT', 8090, 65535)),
    host: text('SIMULATOR_HOST') ?? '127.0.0.1',
    /** Where film links point, without a slash at the end; null: at the address it listens on. */
    publicUrl: text('SIMULATOR_PUBLIC_URL')?.replace(/\/+$/, '') ?? null,
    dataDir: path.resolve(text('SIMULATOR_DATA_DIR') ?? '.kinora/simulator'),
    /** Factor on every natural delay; 0: no delays. */
    pace: number('SIMULATOR_PACE', 1, 1000),
    /** Frames of the films: fewer cost less to render, at the same size and duration. */
    framesPerSecond: Math.max(1, Math.trunc(number('SIMULATOR_FRAMES_PER_SECOND', 24, 60))),
    /** The API key of a provider; null: any is accepted. */
    apiKeys: (provider: string) => providerText(provider, 'API_KEY'),
    /** Signs a provider's callbacks, where the vendor has a key of the customer's for it; null: they are not signed. */
    webhookKeys: (provider: string) => providerText(provider, 'WEBHOOK_KEY'),
    /** The service that sells, for the pages' head: name, address without a slash at the end, whether it has a logo. */
    shop: {
      name: text('BRAND_NAME') ?? 'Kinora',
      url: (text('PUBLIC_URL') ?? `http://localhost:${text('PORT') ?? 8080}`).replace(/\/+$/, ''),
      hasLogo: text('BRAND_LOGO') !== null,
    },
    /** The API key of a payment processor, and where its events go and what signs them; without a URL none are sent. */
    payment,
  }
}

export const isWebUrl = (value: string): boolean => /^https?:$/.test(URL.parse(value)?.protocol ?? '')
