/** Settings of accounts: OpenID providers, and the limits of the new-user gift. */
import { readSettingFile, type SettingReader } from './setting-reader.ts'

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

export function readSignInSettings({ env, problems, production, given, isSet, text }: SettingReader): SignInSettings {
  const providers: SignInProvider[] = []
  for (const [prefix, id, name] of wellKnown) {
    if (!isSet(`${prefix}_CLIENT_ID`) && !isSet(`${prefix}_CLIENT_SECRET`)) continue
    const [clientId, clientSecret] = [text(`${prefix}_CLIENT_ID`), text(`${prefix}_CLIENT_SECRET`)]
    providers.push({ id, name, issuer: null, clientId, clientSecret })
  }
  const oidc = Object.keys(env).flatMap((setting) =>
    isSet(setting) ? (/^OIDC_([A-Z0-9]+)_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)$/.exec(setting)?.[1] ?? []) : [],
  )
  for (const label of [...new Set(oidc)].sort()) {
    const id = label.toLowerCase()
    if (providers.some((each) => each.id === id) || id === 'credential') {
      problems.push(`OIDC_${label}_ISSUER: ${id} is the name of another way to sign in; choose another one`)
      continue
    }
    const issuer = text(`OIDC_${label}_ISSUER`).replace(/\/+$/, '')
    if (issuer && !isIssuer(issuer, production)) {
      problems.push(`OIDC_${label}_ISSUER must be an https URL, not "${issuer}"`)
    }
    const name = given(`OIDC_${label}_NAME`) || `${label.charAt(0)}${label.slice(1).toLowerCase()}`
    const [clientId, clientSecret] = [text(`OIDC_${label}_CLIENT_ID`), text(`OIDC_${label}_CLIENT_SECRET`)]
    providers.push({ id, name, issuer, clientId, clientSecret })
  }
  return { providers }
}

/** @returns null: sign-up asks for no CAPTCHA */
export function readCaptchaSettings({ problems, production, given, text }: SettingReader): CaptchaSettings | null {
  const name = given('CAPTCHA_PROVIDER')
  if (!name && !given('CAPTCHA_SECRET') && !given('CAPTCHA_SITE_KEY')) return null
  const provider = CAPTCHA_PROVIDERS.find((each) => each === name)
  if (!provider) problems.push(`CAPTCHA_PROVIDER must be one of ${CAPTCHA_PROVIDERS.join(', ')}`)
  const [secret, siteKey, verifyUrl] = [text('CAPTCHA_SECRET'), text('CAPTCHA_SITE_KEY'), given('CAPTCHA_VERIFY_URL')]
  // The secret goes to this address.
  if (verifyUrl && !isIssuer(verifyUrl, production)) {
    problems.push(`CAPTCHA_VERIFY_URL must be an https URL, not "${verifyUrl}"`)
  }
  return provider && secret && siteKey ? { provider, secret, siteKey, verifyUrl: verifyUrl || null } : null
}

/** An identity that is fetched over plain http can be replaced on the way. */
function isIssuer(value: string, production: boolean): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && !production)
}

export function readGiftSettings(
  { problems, production, given, integer }: SettingReader,
  rateLimits: boolean,
): GiftSettings {
  const fallback = rateLimits ? GIFTS_PER_NETWORK : 0
  const file = given('GIFT_DENIED_DOMAINS_FILE')
  const lines = file ? (readSettingFile('GIFT_DENIED_DOMAINS_FILE', file, problems)?.split('\n') ?? []) : []
  return {
    perNetwork: integer('GIFTS_PER_NETWORK', fallback, 0, 1_000_000) || null,
    countsLoopback: production,
    deniedDomains: new Set([...given('GIFT_DENIED_DOMAINS').split(','), ...lines].flatMap(domain)),
  }
}

const domain = (line: string): string | [] => line.split('#', 1)[0]?.trim().toLowerCase() || []
