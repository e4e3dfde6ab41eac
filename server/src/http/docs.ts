/**
 * `/docs`: openapi.json as a page to read and to try out, by Swagger UI. The rule: the page is made of files of this service
 * and calls this service alone; its policy allows nothing inline, nothing evaluated and no other host.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)
const own = path.join(import.meta.dirname, 'docs')
/**
 * Swagger UI as the plugin of Fastify carries it. Its own package would bring a second one that reports installations; the
 * plugin's page has no place for a phone's viewport, loads a frame that is not needed, and compresses nothing.
 */
const swaggerUi = path.join(path.dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static')

const html = 'text/html; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'
const files: [url: string, file: string, type: string][] = [
  ['/docs', path.join(own, 'page.html'), html],
  ['/docs/start.js', path.join(own, 'start.js'), script],
  ['/docs/styles.css', path.join(own, 'styles.css'), style],
  ['/docs/swagger-ui.js', path.join(swaggerUi, 'swagger-ui-bundle.js'), script],
  ['/docs/swagger-ui.css', path.join(swaggerUi, 'swagger-ui.css'), style],
]

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // The arrows and locks of Swagger UI are pictures inside its stylesheet.
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Kept = { plain: Buffer; zipped: Buffer; etag: string }

export function registerDocs(server: FastifyInstance): void {
  for (const [url, file, type] of files) {
    // Read when somebody asks for the first time: most processes are never asked.
    let kept: Promise<Kept> | undefined
    server.get(url, { schema: { hide: true } }, async (request, reply) => {
      kept ??= read(file)
      reply.type(type)
      if (type === html) reply.header('content-security-policy', POLICY)
      return answer(request, reply, await kept)
    })
  }
  server.get('/docs/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 308))
}

async function read(file: string): Promise<Kept> {
  const plain = await readFile(file)
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { plain, zipped: await compress(plain), etag }
}

/** Asked for again each time, because the names stay the same from version to version; sent when it has changed. */
function answer({ headers }: FastifyRequest, reply: FastifyReply, { plain, zipped, etag }: Kept): FastifyReply {
  reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding')
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(plain)
  return reply.header('content-encoding', 'gzip').send(zipped)
}
