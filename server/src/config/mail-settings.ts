/** The settings of mail: SMTP_URL and MAIL_FROM. */
import { percentDecoded } from '../text/percent-decoded.ts'
import type { SettingReader } from './setting-reader.ts'

export type SmtpSettings = {
  host: string
  port: number
  /** TLS from the first byte (smtps); otherwise STARTTLS. */
  isSecure: boolean
  /** Nothing is sent without STARTTLS. */
  requiresTls: boolean
  login: { user: string; password: string } | null
}
/** `smtp` null: mail is not set up, and messages stay in the outbox for administrators. */
export type MailSettings = { smtp: SmtpSettings | null; from: { name: string; address: string } }

const DEFAULT_FROM = 'Kinora <kinora@localhost>'
/** Without line breaks and without what separates addresses: the value becomes a header. */
const ADDRESS = /^[^\s<>(),;:"@]+@[^\s<>(),;:"@]+$/

export function readMailSettings({ given, problems }: SettingReader): MailSettings {
  const smtp = readSmtp(given('SMTP_URL'), problems)
  const sender = given('MAIL_FROM')
  if (smtp && !sender)
    problems.push('MAIL_FROM is not set: mail needs a sender, such as "Kinora <no-reply@example.com>"')
  const [, name = '', inBrackets] = /^([^<>\r\n]*)<([^<>]*)>$/.exec(sender || DEFAULT_FROM) ?? []
  const address = (inBrackets ?? sender).trim()
  if (!ADDRESS.test(address)) {
    problems.push(
      'MAIL_FROM must be an e-mail address, such as no-reply@example.com or "Kinora <no-reply@example.com>"',
    )
  }
  return { smtp, from: { name: name.trim().replace(/^"(.*)"$/, '$1') || 'Kinora', address } }
}

function readSmtp(value: string, problems: string[]): SmtpSettings | null {
  if (!value) return null
  const url = URL.parse(value)
  const isSecure = url?.protocol === 'smtps:'
  // The value has a password, so no problem repeats it.
  if (!url?.hostname || !(isSecure || url.protocol === 'smtp:') || url.search || !/^\/?$/.test(url.pathname)) {
    problems.push('SMTP_URL must be smtp://user:password@host:587, or smtps://user:password@host:465')
    return null
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isLocal = host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
  return {
    host,
    port: Number(url.port) || (isSecure ? 465 : 587),
    isSecure,
    requiresTls: !isSecure && !isLocal,
    login: url.username ? { user: percentDecoded(url.username), password: percentDecoded(url.password) } : null,
  }
}
