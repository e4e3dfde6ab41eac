/**
 * `/docs`: a page for each chapter of the API and each guide, the same as Markdown, `/llms.txt`, and what the pages
 * load. Every file is served from here, and the Content-Security-Policy allows no inline script or style, no eval and
 * no other host.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { lazy } from '../../async/lazy.ts'
import { packageDir } from '../../config/package-dir.ts'
import { AppError } from '../../errors.ts'
import { escapeHtml } from '../../text/escape-html.ts'
import { type Asset, newAsset, sendAsset } from '../asset.ts'
import type { OpenApiDocuments } from '../openapi/openapi.ts'
import { iconLink, iconOf } from '../studio.ts'
import { type DocsPage, docsPages, indexOf } from './pages.ts'

const ownFiles = path.join(packageDir, 'src/http/docs/page')
const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const files: [url: string, file: string, type: string][] = [
  ['/docs/start.js', 'start.js', 'text/javascript; charset=utf-8'],
  ['/docs/search.js', 'search.js', 'text/javascript; charset=utf-8'],
  ['/docs/try.js', 'try.js', 'text/javascript; charset=utf-8'],
  ['/docs/styles.css', 'styles.css', 'text/css; charset=utf-8'],
]

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const route = { config: { limit: 'static' as const }, schema: { hide: true } }

export function registerDocs(
  server: FastifyInstance,
  { config }: Pick<App, 'config'>,
  readDocuments: () => Promise<OpenApiDocuments>,
): void {
  // All of this is made on the first request: most processes never serve /docs.
  const pages = lazy(async () => docsPages(await readDocuments()))
  const assets = new Map<string, Promise<Asset>>()
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    type: string,
    make: () => Promise<string | Buffer>,
  ) => {
    const name = request.url.split('?')[0] ?? ''
    const asset = assets.get(name) ?? make().then((made) => newAsset(Buffer.from(made)))
    assets.set(name, asset)
    asset.catch(() => assets.delete(name))
    reply.type(type)
    if (type === HTML) reply.header('content-security-policy', POLICY)
    return sendAsset(request, reply, await asset)
  }
  const index = async () => indexOf(await pages(), config.site.name)

  server.get('/docs', route, (request, reply) =>
    send(request, reply, HTML, async () => render(config, await pages(), null, await index())),
  )
  server.get('/docs/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 308))
  server.get('/llms.txt', route, (request, reply) =>
    send(request, reply, MARKDOWN.replace('markdown', 'plain'), async () =>
      (await index()).replaceAll('](/', `](${config.publicUrl}/`),
    ),
  )
  for (const [url, file, type] of files)
    server.get(url, route, (request, reply) => send(request, reply, type, () => readFile(path.join(ownFiles, file))))
  server.get('/docs/search.json', route, (request, reply) =>
    send(request, reply, 'application/json; charset=utf-8', async () => {
      const { sectionsOf } = await import('./html.ts')
      const found = (await pages()).map(async (page) => sectionsOf(await page.markdown(), page))
      return JSON.stringify((await Promise.all(found)).flat())
    }),
  )
  server.get<{ Params: { page: string } }>('/docs/:page', route, async (request, reply) => {
    const [, name, extension] = /^([\w-]+)(\.md)?$/.exec(request.params.page) ?? []
    const page = (await pages()).find((each) => each.name === name)
    if (!page) throw new AppError('NOT_FOUND', 'There is no such page. /docs lists all of them.')
    if (extension) return send(request, reply, MARKDOWN, page.markdown)
    return send(request, reply, HTML, async () => render(config, await pages(), page, await page.markdown()))
  })
}

/** A page with the operator's name and logo. @param page null: the list of all */
async function render(
  { site }: App['config'],
  pages: DocsPage[],
  page: DocsPage | null,
  markdown: string,
): Promise<string> {
  const { toHtml } = await import('./html.ts')
  const parts = [...new Set(pages.map(({ part }) => part))].map((part) => {
    const links = pages
      .filter((each) => each.part === part)
      .map((each) => {
        const current = each === page ? ' aria-current="page"' : ''
        return `<li><a href="/docs/${each.name}"${current}>${escapeHtml(each.title)}</a></li>`
      })
    return `<h2>${part}</h2><ul>${links.join('')}</ul>`
  })
  const values: Record<string, string> = {
    title: escapeHtml(page ? `${page.title} · ${site.name} API` : `${site.name} API`),
    name: escapeHtml(site.name),
    icon: iconLink(site),
    logo: iconOf(site),
    alternate: page ? `<link rel="alternate" type="text/markdown" href="/docs/${page.name}.md" />` : '',
    navigation: parts.join(''),
    main: toHtml(markdown),
    footer: `<a href="${page ? `/docs/${page.name}.md` : '/llms.txt'}">This page as Markdown</a>`,
  }
  const template = await readFile(path.join(ownFiles, 'page.html'), 'utf8')
  return template.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '')
}
