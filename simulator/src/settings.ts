/** The simulator's settings: the only file that reads the environment. Everything has a default. */
import path from 'node:path'

export type ProviderName = 'provider-a' | 'provider-b'

export type Settings = {
  port: number
  host: string
  /** Where film links point, without a slash at the end; null: at the address it listens on. */
  publicUrl: string | null
  dataDir: string
  /** Factor on every natural waiting time; 0: no waiting. */
  pace: number
  /** null: any key is good. */
  apiKeys: Record<ProviderName, string | null>
  /** Signs provider-b's callbacks; null: they are not signed. */
  webhookKey: string | null
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
    apiKeys: { 'provider-a': text('PROVIDER_A_API_KEY'), 'provider-b': text('PROVIDER_B_API_KEY') },
    webhookKey: text('PROVIDER_B_WEBHOOK_KEY'),
  }
}
