/**
 * `/docs`: openapi.json in Swagger UI. Every file of the page is served from here, and its Content-Security-Policy allows no
 * inline script or style, no eval and no other host.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lazy } from '../lazy.ts'
import { packageDir } from '../package-dir.ts'

const compress = promisify(gzip)
const ownFiles = path.join(packageDir, 'src/http/docs')
/**
 * Swagger UI's files come from @fastify/swagger-ui: the package of Swagger UI itself depends on one that reports
 * installations. The plugin is not registered: its page has no viewport meta tag for phones, loads a frame that is not
 * needed, and is not compressed.
 */
const swaggerUi = path.join(path.dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static')

const html = 'text/html; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'
const files: [url: string, file: string, type: string][] = [
  ['/docs', path.join(ownFiles, 'page.html'), html],
  ['/docs/start.js', path.join(ownFiles, 'start.js'), script],
  ['/docs/styles.css', path.join(ownFiles, 'styles.css'), style],
  ['/docs/swagger-ui.js', path.join(swaggerUi, 'swagger-ui-bundle.js'), script],
  ['/docs/swagger-ui.css', path.join(swaggerUi, 'swagger-ui.css'), style],
]

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // Swagger UI's stylesheet embeds its icons as data: URLs.
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Asset = { plain: Buffer; gzipped: Buffer; etag: string }

export function registerDocs(server: FastifyInstance): void {
  for (const [url, file, type] of files) {
    // Read and compressed on the first request: most processes never serve /docs.
    const asset = lazy(() => load(file))
    server.get(url, { config: { limit: 'static' }, schema: { hide: true } }, async (request, reply) => {
      reply.type(type)
      if (type === html) reply.header('content-security-policy', POLICY)
      return sendAsset(request, reply, await asset())
    })
  }
  server.get('/docs/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 308))
}

async function load(file: string): Promise<Asset> {
  const plain = await readFile(file)
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { plain, gzipped: await compress(plain), etag }
}

/** `no-cache` with an ETag, because the file names do not change between versions: revalidated each time, sent when changed. */
function sendAsset({ headers }: FastifyRequest, reply: FastifyReply, { plain, gzipped, etag }: Asset): FastifyReply {
  reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding')
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(plain)
  return reply.header('content-encoding', 'gzip').send(gzipped)
}
