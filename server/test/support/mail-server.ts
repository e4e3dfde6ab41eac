/** Fixture: a real SMTP server that keeps what it accepts, and refuses on request. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = { to: string; headers: Map<string, string>; text: string; html: string; raw: string }

export type MailServer = {
  url: string
  received: ReceivedMail[]
  /** The messages to one address. */
  to: (address: string) => ReceivedMail[]
  /** What the server responds to the next recipients instead of accepting them, such as 550; null: it accepts. */
  refuse: (status: number | null) => void
  close: () => Promise<void>
}

/** @param port of a server that was closed; 0: any */
export async function openMailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let refused: number | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, callback) =>
      callback(refused === null ? null : Object.assign(new Error('no such mailbox here'), { responseCode: refused })),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        for (const { address } of session.envelope.rcptTo) received.push(parse(address, raw))
        callback()
      })
    },
  })
  // A client that is killed breaks its connection off.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    to: (address) => received.filter((mail) => mail.to === address),
    refuse: (status) => {
      refused = status
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The first link of a message to a page of the studio. */
export const linkIn = ({ text }: ReceivedMail): string => /https?:\/\/\S+#token=\S+/.exec(text)?.[0] ?? ''
/** The token in the fragment of that link. */
export const tokenIn = (mail: ReceivedMail): string => decodeURIComponent(linkIn(mail).split('#token=')[1] ?? '')

function parse(to: string, raw: string): ReceivedMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map(
    unfolded.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      unencoded(line.slice(line.indexOf(':') + 2)),
    ]),
  )
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`)
  const part = (type: string) =>
    decoded(parts.find((each) => each.includes(`Content-Type: ${type}`)) ?? '').replaceAll('\r\n', '\n')
  return { to, headers, text: part('text/plain'), html: part('text/html'), raw }
}

/** RFC 2047, as nodemailer writes it: words, which join without a space between them. */
const unencoded = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString('utf8'))
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/g, (_, word: string) => fromQuotedPrintable(word.replaceAll('_', ' ')))

function decoded(part: string): string {
  const [head = '', ...rest] = part.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(head)) return body
  return fromQuotedPrintable(body.replace(/=\r\n/g, ''))
}

function fromQuotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
