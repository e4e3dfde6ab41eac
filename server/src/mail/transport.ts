/** Sends one message by SMTP, and says what the server's response means for it. */
import type { Transporter } from 'nodemailer'
import type { App } from '../app.ts'
import type { SmtpSettings } from '../config/setting-kinds.ts'

export type Message = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  createdAt: Date
  unsubscribeUrl: string | null
}

/**
 * `refused`: for good, by a 5xx for this message. `failed`: now; `isUnavailable`: no message can be sent, because the
 * server cannot be reached, or does not accept the connection or the login.
 */
export type SendOutcome =
  | { kind: 'accepted'; response: string }
  | { kind: 'refused'; response: string }
  | { kind: 'failed'; response: string; isUnavailable: boolean }

export type Transport = { send: (message: Message) => Promise<SendOutcome>; close: () => void }

/** Connections at a time, which are reused. */
export const CONNECTIONS = 8
const CONNECT_TIMEOUT_MS = 10_000
/** The timeout of each command: at most eight a message, so it ends within the worker's lease of three minutes. */
const RESPONSE_TIMEOUT_MS = 15_000
const RESPONSE_CHARACTERS_MAX = 500

export async function openTransport({ mail, publicUrl }: App['config'], smtp: SmtpSettings): Promise<Transport> {
  // maxRequeues: the library would send a message again whose connection closed before the response, at once and
  // unrecorded.
  const transporter = await openSmtp(smtp, publicUrl, { pool: true, maxConnections: CONNECTIONS, maxRequeues: 0 })
  const domain = mail.from.address.split('@').at(-1)
  return {
    send: async ({ id, to, subject, text, html, createdAt, unsubscribeUrl }) => {
      try {
        const { response } = await transporter.sendMail({
          from: mail.from,
          // An object, because a text would be parsed as a list of addresses.
          to: { name: '', address: to },
          envelope: { from: mail.from.address, to: [to] },
          // The same at every attempt: a repeated message is recognised as one.
          messageId: `<${id}@${domain}>`,
          date: createdAt,
          subject,
          text,
          html,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl
              ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
              : {}),
          },
        })
        return { kind: 'accepted', response: shortened(response ?? '') }
      } catch (error) {
        return outcomeOf(error as SmtpError)
      }
    },
    close: () => transporter.close(),
  }
}

/** Connects and signs in, and sends nothing. @throws when the server does not accept */
export async function checkSmtp({ publicUrl }: Pick<App['config'], 'publicUrl'>, smtp: SmtpSettings): Promise<void> {
  const transporter = await openSmtp(smtp, publicUrl, {})
  try {
    await transporter.verify()
  } finally {
    transporter.close()
  }
}

/** The library is loaded on demand: an API process sends nothing. */
async function openSmtp(smtp: SmtpSettings, publicUrl: string, options: object): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...options,
    host: smtp.host,
    port: smtp.port,
    secure: smtp.isSecure,
    requireTLS: smtp.requiresTls,
    ...(smtp.login ? { auth: { user: smtp.login.user, pass: smtp.login.password } } : {}),
    name: new URL(publicUrl).hostname,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

type SmtpError = Error & { code?: string; responseCode?: number; response?: string; command?: string }

function outcomeOf({ code, responseCode = 0, response, message }: SmtpError): SendOutcome {
  const isForMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  const text = shortened(response ?? message)
  if (isForMessage && responseCode >= 500) return { kind: 'refused', response: text }
  return { kind: 'failed', response: text, isUnavailable: !isForMessage }
}

/** A response of another server, which administrators read. PostgreSQL stores no NUL and no lone surrogate. */
const shortened = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\ufffd').slice(0, RESPONSE_CHARACTERS_MAX)
