/**
 * Receives webhooks of Kinora: `KINORA_WEBHOOK_SECRET=whsec_… node webhook-receiver.ts`. It verifies the signature over
 * the raw body, knows a delivery that comes twice by its id, and responds before it works.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import http from 'node:http'

type KinoraEvent = { type: string; timestamp: string; data: Record<string, unknown>; test?: true }

const key = Buffer.from((process.env.KINORA_WEBHOOK_SECRET ?? '').replace(/^whsec_/, ''), 'base64')
const AGE_S_MAX = 300
const BODY_BYTES_MAX = 1_000_000
/** In a program of several processes: a table with the id as its unique key, written with what the event changes. */
const seen = new Set<string>()
const SEEN_MAX = 100_000

/** Standard Webhooks: while a secret is rotated a request has a signature of each; one that is right suffices. */
function isSigned(id: string, timestamp: string, signatures: string, body: Buffer): boolean {
  if (key.length === 0 || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= AGE_S_MAX)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const sent = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return sent.length === expected.length && timingSafeEqual(sent, expected)
  })
}

/** Here your program does its work. What fails here is your own to repeat: the delivery has been accepted. */
async function handle({ type, data, test = false }: KinoraEvent): Promise<void> {
  console.log(JSON.stringify({ type, of: data.uuid ?? data.id ?? null, test }))
}

async function readBody(request: http.IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const server = http.createServer(async (request, response) => {
  const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    String(request.headers[`webhook-${name}`] ?? ''),
  )
  const body = await readBody(request).catch(() => null)
  if (!body || !isSigned(id, timestamp, signature, body)) return response.writeHead(401).end()
  const isNew = !seen.has(id)
  seen.add(id)
  if (seen.size > SEEN_MAX) for (const oldest of [...seen].slice(0, SEEN_MAX / 2)) seen.delete(oldest)
  response.writeHead(204).end()
  if (isNew) handle(JSON.parse(body.toString())).catch((error) => console.error(error))
})
server.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1', () => {
  console.log(JSON.stringify({ listening: server.address() }))
})
