/** Settings of accounts: OpenID providers, and the limits of the new-user gift. */
import { readFileSync } from 'node:fs'

type Env = Record<string, string | undefined>

/** `id` names the provider in paths and rows. `issuer`: of OpenID Connect; null for Google and GitHub, which better-auth knows. */
export type SignInProvider = {
  id: string
  name: string
  issuer: string | null
  clientId: string
  clientSecret: string
}

export type GiftSettings = {
  /** Gifts of a network on a day in UTC; null: unlimited. */
  perNetwork: number | null
  /** Whether the cap holds for this machine itself, from which all requests of a first start come. */
  countsLoopback: boolean
  /** Domains of e-mail addresses that get no gift, in lower case, with their subdomains. */
  deniedDomains: ReadonlySet<string>
}

export type SignInSettings = { providers: SignInProvider[] }

export const CAPTCHA_PROVIDERS = ['cloudflare-turnstile', 'google-recaptcha', 'hcaptcha', 'captchafox'] as const
/** `verifyUrl`: where its responses are verified; null: the provider's own address. */
export type CaptchaSettings = {
  provider: (typeof CAPTCHA_PROVIDERS)[number]
  secret: string
  siteKey: string
  verifyUrl: string | null
}

const GIFTS_PER_NETWORK = 5
const wellKnown = [
  ['GOOGLE', 'google', 'Google'],
  ['GITHUB', 'github', 'GitHub'],
] as const

/** @param problems receives a sentence for each setting that is missing or wrong */
export function readSignInSettings(env: Env, problems: string[]): SignInSettings {
  const text = (name: string): string => {
    const value = env[name]?.trim()
    if (!value) problems.push(`${name} is not set`)
    return value ?? ''
  }
  const providers: SignInProvider[] = []
  for (const [prefix, id, name] of wellKnown) {
    if (!env[`${prefix}_CLIENT_ID`]?.trim() && !env[`${prefix}_CLIENT_SECRET`]?.trim()) continue
    const [clientId, clientSecret] = [text(`${prefix}_CLIENT_ID`), text(`${prefix}_CLIENT_SECRET`)]
    providers.push({ id, name, issuer: null, clientId, clientSecret })
  }
  const oidc = Object.keys(env).flatMap((setting) =>
    env[setting]?.trim() ? (/^OIDC_([A-Z0-9]+)_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)$/.exec(setting)?.[1] ?? []) : [],
  )
  for (const label of [...new Set(oidc)].sort()) {
    const id = label.toLowerCase()
    if (providers.some((each) => each.id === id) || id === 'credential') {
      problems.push(`OIDC_${label}_ISSUER: ${id} is the name of another way to sign in; choose another one`)
      continue
    }
    const issuer = text(`OIDC_${label}_ISSUER`).replace(/\/+$/, '')
    if (issuer && !isIssuer(issuer, env.NODE_ENV === 'production')) {
      problems.push(`OIDC_${label}_ISSUER must be an https URL, not "${issuer}"`)
    }
    const name = env[`OIDC_${label}_NAME`]?.trim() || `${label.charAt(0)}${label.slice(1).toLowerCase()}`
    const [clientId, clientSecret] = [text(`OIDC_${label}_CLIENT_ID`), text(`OIDC_${label}_CLIENT_SECRET`)]
    providers.push({ id, name, issuer, clientId, clientSecret })
  }
  return { providers }
}

/** @param problems receives a sentence for each setting that is missing or wrong. @returns null: sign-up asks for no CAPTCHA */
export function readCaptchaSettings(env: Env, problems: string[]): CaptchaSettings | null {
  const [name, secret, siteKey, verifyUrl] = ['PROVIDER', 'SECRET', 'SITE_KEY', 'VERIFY_URL'].map(
    (part) => env[`CAPTCHA_${part}`]?.trim() || null,
  )
  if (!name && !secret && !siteKey) return null
  const provider = CAPTCHA_PROVIDERS.find((each) => each === name)
  if (!provider) problems.push(`CAPTCHA_PROVIDER must be one of ${CAPTCHA_PROVIDERS.join(', ')}`)
  if (!secret) problems.push('CAPTCHA_SECRET is not set')
  if (!siteKey) problems.push('CAPTCHA_SITE_KEY is not set')
  // The secret goes to this address.
  if (verifyUrl && !isIssuer(verifyUrl, env.NODE_ENV === 'production')) {
    problems.push(`CAPTCHA_VERIFY_URL must be an https URL, not "${verifyUrl}"`)
  }
  return provider && secret && siteKey ? { provider, secret, siteKey, verifyUrl: verifyUrl ?? null } : null
}

/** An identity that is fetched over plain http can be replaced on the way. */
function isIssuer(value: string, production: boolean): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && !production)
}

/** @param problems receives a sentence for each setting that is wrong */
export function readGiftSettings(env: Env, problems: string[]): GiftSettings {
  const given = env.GIFTS_PER_NETWORK?.trim()
  const perNetwork = given ? Number(given) : env.RATE_LIMITS?.trim() === 'off' ? 0 : GIFTS_PER_NETWORK
  if (!Number.isInteger(perNetwork) || perNetwork < 0 || perNetwork > 1_000_000) {
    problems.push(`GIFTS_PER_NETWORK must be a whole number from 0 to 1000000, not "${given}"`)
  }
  const listed = env.GIFT_DENIED_DOMAINS ?? ''
  return {
    perNetwork: perNetwork === 0 ? null : perNetwork,
    countsLoopback: env.NODE_ENV === 'production',
    deniedDomains: new Set(
      [...listed.split(','), ...readLines(env.GIFT_DENIED_DOMAINS_FILE, problems)].flatMap(domain),
    ),
  }
}

function readLines(file: string | undefined, problems: string[]): string[] {
  if (!file?.trim()) return []
  try {
    return readFileSync(file.trim(), 'utf8').split('\n')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    problems.push(`GIFT_DENIED_DOMAINS_FILE: the file ${file} cannot be read (${code})`)
    return []
  }
}

const domain = (line: string): string | [] => line.split('#', 1)[0]?.trim().toLowerCase() || []
