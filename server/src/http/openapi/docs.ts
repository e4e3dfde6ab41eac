/**
 * `/docs` and `/docs?operator`: openapi.json and openapi-operator.json in Swagger UI. Every file of the page is served
 * from here, and its Content-Security-Policy allows no inline script or style, no eval and no other host.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { lazy } from '../../async/lazy.ts'
import type { Config } from '../../config/config.ts'
import { packageDir } from '../../config/package-dir.ts'
import { escapeHtml } from '../../text/escape-html.ts'
import { newAsset, sendAsset } from '../asset.ts'
import { iconLink, iconOf } from '../studio.ts'

const ownFiles = path.join(packageDir, 'src/http/openapi/page')
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

export function registerDocs(server: FastifyInstance, { config }: Pick<App, 'config'>): void {
  for (const [url, file, type] of files) {
    // Read and compressed on the first request: most processes never serve /docs.
    const asset = lazy(async () => newAsset(type === html ? await readPage(file, config) : await readFile(file)))
    server.get(url, { config: { limit: 'static' }, schema: { hide: true } }, async (request, reply) => {
      reply.type(type)
      if (type === html) reply.header('content-security-policy', POLICY)
      return sendAsset(request, reply, await asset())
    })
  }
  server.get('/docs/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 308))
}

/** The page with the operator's name and logo. */
async function readPage(file: string, { site }: Config): Promise<Buffer> {
  const name = escapeHtml(site.name)
  const text = (await readFile(file, 'utf8')).replaceAll('Kinora', () => name)
  return Buffer.from(
    text
      .replace(/<link rel="icon"[^>]*>/, () => iconLink(site))
      .replace('<img src="/icon.svg"', `<img src="${iconOf(site)}"`),
  )
}
