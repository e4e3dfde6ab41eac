/**
 * What limits the new-user gift and redemption codes: the address, normalised, and the network of a request. Both are
 * stored as keyed hashes only (HMAC-SHA256 with AUTH_SECRET): without the key a guessed address cannot be confirmed. A
 * new AUTH_SECRET forgets them.
 */
import { createHmac } from 'node:crypto'
import type { App } from '../app.ts'
import type { Config } from '../config/config.ts'
import { isMailSetUp } from '../mail/outbox.ts'
import { addressPrefix } from './address-prefix.ts'

const LOOPBACK = /^(::ffff:)?127\.|^::1$/

/** p_limits of credit_grant_gift. */
export type GiftLimits = {
  email: string
  needs_verified_email: boolean
  refusal: 'domain_denied' | null
  former_hash: string
  address_hash: string
  network_hash: string | null
  network_max: number | null
}

/** @param ip the address of the request; null: the service or an administrator creates the user: no network counts */
export function giftLimits({ config }: Pick<App, 'config'>, email: string, ip: string | null): GiftLimits {
  const { perNetwork, deniedDomains } = config.gift
  return {
    email,
    needs_verified_email: needsVerifiedEmail(config),
    refusal: isDenied(deniedDomains, email) ? 'domain_denied' : null,
    former_hash: emailHash({ config }, email).toString('hex'),
    address_hash: hmac(config, `gift address: ${normaliseEmail(email)}`),
    network_hash: networkHash(config, 'gift', ip),
    network_max: perNetwork,
  }
}

/** p_limits of credit_redeem. */
export type RedemptionLimits = Pick<GiftLimits, 'former_hash' | 'network_hash'> & { person_hash: string }

export const redemptionLimits = (
  { config }: Pick<App, 'config'>,
  email: string,
  ip: string | null,
): RedemptionLimits => ({
  person_hash: hmac(config, `redemption address: ${normaliseEmail(email)}`),
  former_hash: emailHash({ config }, email).toString('hex'),
  network_hash: networkHash(config, 'redemption', ip),
})

/** Null: no network counts. */
function networkHash(config: Config, of: 'gift' | 'redemption', ip: string | null): string | null {
  if (ip === null || (LOOPBACK.test(ip) && !config.gift.countsLoopback)) return null
  return hmac(config, `${of} network: ${networkOf(ip)}`)
}

/** Where an address can be verified, the gift waits for it, unless GIFT_AFTER decides. */
export const needsVerifiedEmail = (config: Config): boolean =>
  config.gift.after === null ? canVerify(config) : config.gift.after === 'verification'

const canVerify = (config: Config): boolean => config.signIn.providers.length > 0 || isMailSetUp(config)

/** When new users have the gift and why, for the start, `kinora doctor` and the checklist; null: there is none. */
export function whenGift(config: Config): { state: string; remedy: string } | null {
  const { newUserCredits: credits, gift, mail } = config
  if (credits === 0) return null
  const why = gift.after !== null ? 'by GIFT_AFTER' : isMailSetUp(config) ? 'because SMTP_URL is set' : BY_PROVIDERS
  if (needsVerifiedEmail(config)) {
    const remedy = 'until then a generate of a new user is 402; GIFT_AFTER=sign-up gives it at once'
    return { state: `${credits} credits once the address is verified, ${why}`, remedy: gift.after ? '' : remedy }
  }
  const unread = mail.smtp === null ? '' : ', also for an address that no one reads'
  return { state: `${credits} credits at sign-up${gift.after ? ` ${why}` : ''}${unread}`, remedy: '' }
}
const BY_PROVIDERS = 'because a provider of sign-in is set up'

/** How a host delivers variants of a name to one mailbox. `domain`: other names of it are the same mailbox. */
type Host = { domain: string; plus: boolean; dots: boolean }
const gmail: Host = { domain: 'gmail.com', plus: true, dots: true }
const proton: Host = { domain: 'proton.me', plus: true, dots: true }
const icloud: Host = { domain: 'icloud.com', plus: true, dots: false }
const yandex: Host = { domain: 'yandex.com', plus: true, dots: true }
const plusOnly = (domain: string): [string, Host] => [domain, { domain, plus: true, dots: false }]
const hosts = new Map<string, Host>([
  ['gmail.com', gmail],
  ['googlemail.com', gmail],
  ['proton.me', proton],
  ['protonmail.com', proton],
  ['pm.me', proton],
  ['icloud.com', icloud],
  ['me.com', icloud],
  ['mac.com', icloud],
  ['yandex.com', yandex],
  ['yandex.ru', yandex],
  ['ya.ru', yandex],
  ...['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'fastmail.com', 'zoho.com'].map(plusOnly),
])

/** The mailbox of an address: lower case, without dots and plus parts that a known host ignores. */
export function normaliseEmail(email: string): string {
  const lower = email.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  const host = hosts.get(lower.slice(at + 1))
  if (!host) return lower
  let local = lower.slice(0, at)
  if (host.plus) local = local.split('+', 1)[0] ?? ''
  if (host.dots) local = local.replaceAll('.', '')
  return `${local}@${host.domain}`
}

/** Whether the address is of a denied domain, or of a subdomain of one. */
function isDenied(denied: ReadonlySet<string>, email: string): boolean {
  if (denied.size === 0) return false
  const labels = email
    .toLowerCase()
    .slice(email.lastIndexOf('@') + 1)
    .split('.')
  return labels.some((_, index) => denied.has(labels.slice(index).join('.')))
}

/** The first 24 bits of an IPv4 address, 64 of an IPv6 address: what one subscriber or a small office has. */
function networkOf(ip: string): string {
  const prefix = addressPrefix(ip)
  return prefix.includes('.') ? prefix.split('.').slice(0, 3).join('.') : prefix
}

const hmac = ({ authSecret }: Pick<Config, 'authSecret'>, text: string): string =>
  createHmac('sha256', authSecret).update(text).digest('hex')

/**
 * HMAC-SHA256 of the normalised address, with AUTH_SECRET as the key: without the key a guessed address cannot be
 * confirmed. A new AUTH_SECRET forgets all former addresses.
 */
export const emailHash = ({ config }: Pick<App, 'config'>, email: string): Buffer =>
  createHmac('sha256', config.authSecret)
    .update(`deleted account: ${normaliseEmail(email)}`)
    .digest()
