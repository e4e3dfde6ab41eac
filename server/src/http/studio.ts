/**
 * The studio: serves the single-page application built from `studio/`, with index.html as the fallback of every
 * navigation that no other route takes. Its Content-Security-Policy allows no script but its own files and the one in
 * the page, and no connection but to this service; the document of the sign-up page may have a CAPTCHA's, too, and the
 * others play the sample films of models.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import type { App } from '../app.ts'
import { catalogue, listedModels } from '../catalogue/catalogue.ts'
import type { CaptchaSettings, Config } from '../config/config.ts'
import type { ImageFile } from '../config/setting-kinds.ts'
import { isMailSetUp } from '../mail/outbox.ts'
import { accentColours } from '../text/contrast.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { newAsset, sendAsset } from './asset.ts'

const PAGE = 'index.html'
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
const YEAR_S = 365 * 24 * 3600

/** Sends index.html when a browser navigates to a path of the studio; else returns null. */
export type ServeStudioPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null
/** Sends index.html with another head: @param head HTML that takes the place of the title; its texts are escaped */
export type SendStudioPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  head: string,
) => Promise<FastifyReply>

export async function registerStudio(
  server: FastifyInstance,
  app: App,
): Promise<{ serveStudioPage: ServeStudioPage; sendStudioPage: SendStudioPage }> {
  const { config, storage, log } = app
  const root = config.studioDir
  const isBuilt = existsSync(path.join(root, PAGE))
  if (!isBuilt) log.warn({ studioDir: root }, 'the studio is not built, so / is served without it; npm start builds it')
  const text = isBuilt ? withSite(readFileSync(path.join(root, PAGE), 'utf8'), config) : ''
  const filesOrigin = await storage.origin()
  const policy = (samples: string[]) => contentSecurityPolicy(filesOrigin, samples, inlineScripts(text))
  // For each page: the catalogue changes while the service runs.
  const pageHeaders = () => ({
    'content-security-policy': policy(sampleOrigins(config)).join('; '),
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  })
  const signUpPolicy = config.captcha && withCaptcha(policy([]), config.captcha).join('; ')

  // The plugin's routes have no config of their own.
  let isRegistering = true
  server.addHook('onRoute', (route) => {
    if (isRegistering) route.config = { ...route.config, limit: 'static' }
  })
  await server.register(fastifyStatic, {
    root,
    serve: isBuilt,
    // One route per file, registered at start-up, so that an unknown path gets the usual 404.
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz', PAGE],
    preCompressed: true,
    cacheControl: false,
    index: false,
    schemaHide: true,
    setHeaders: (reply, file) => {
      // File names in these folders contain a content hash.
      const name = path.relative(root, file)
      const isHashed = /^(assets|samples)[/\\]/.test(name)
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
      // A worker has the policy of its script: WebAssembly runs there, and in no page.
      if (/\.worker-[^/\\]+\.js/.test(name)) reply.header('content-security-policy', WORKER_POLICY)
    },
  })
  isRegistering = false

  const pageAt = await newPages(text)
  const send = async (request: FastifyRequest, reply: FastifyReply, head?: string) => {
    if (!isBuilt) return sendNotBuilt(reply)
    reply.headers(pageHeaders()).type('text/html; charset=utf-8')
    if (signUpPolicy && isSignUpPage(request.url)) reply.header('content-security-policy', signUpPolicy)
    const { text: page, asset, pages } = pageAt(request.url)
    const { reads, isOfUser } = await readFirst(server, app, request, reply, pages)
    if (!reads && head === undefined) return sendAsset(request, reply, asset)
    // Functions, because a replacement text has patterns such as $&.
    const titled = head === undefined ? page : page.replace(/<title>[^<]*<\/title>/, () => head)
    const filled = titled.replace('id="reads"></script>', () => `id="reads">${reads}</script>`)
    return sendAsset(request, reply, await newAsset(Buffer.from(filled)), isOfUser ? 'no-store' : 'no-cache')
  }
  if (config.site.logo) registerLogo(server, config.site.logo)
  return {
    serveStudioPage: (request, reply) => {
      if (!isNavigation(request)) return null
      return send(request, reply.code(200))
    },
    sendStudioPage: (request, reply, status, head) => send(request, reply.code(status), head),
  }
}

/** Writes into the page what studio/src/site.ts reads: data and no script, which the policy would refuse. */
function withSite(page: string, config: Config): string {
  const { logo, colour, film, ...texts } = config.site
  const site = {
    ...texts,
    logo: logo ? LOGO : null,
    film: film && `${film}/film.mp4`,
    colours: colour ? accentColours(colour) : {},
    version: manifest.version,
    isMailSetUp: isMailSetUp(config),
    hasWriter: config.writer !== null,
    newUserCredits: config.newUserCredits,
    signUp: config.signIn.signUp,
  }
  // Escaped, because a name with </script> would end the element.
  const json = JSON.stringify(site).replaceAll('<', '\\u003c')
  const name = escapeHtml(texts.name)
  return page
    .replace('id="site"></script>', () => `id="site">${json}</script>`)
    .replace(/<link rel="icon"[^>]*>/, () => iconLink(config.site))
    .replace('<title>Kinora</title>', () => `<title>${name}</title>`)
    .replaceAll('{{name}}', () => name)
    .replaceAll('{{version}}', manifest.version)
    .replaceAll(/<span class="brand-mark".*?<\/span>/g, (mark) =>
      logo ? `<img class="brand-logo" src="${LOGO}" alt="">` : mark,
    )
}

/**
 * index.html for each address. The build has written every page, as it is without its data, into a template; those of
 * other pages are left out.
 */
async function newPages(text: string) {
  const { pages: written = [] }: { pages?: Page[] } = JSON.parse(/id="pages">([^<]+)</.exec(text)?.[1] ?? '{}')
  const paths = written.map(({ path }) => path)
  const pageOf = async (path: string | null) => {
    const page = text.replaceAll(/<template data-page="(\d+)".*?<\/template>\n?/gs, (template, index) =>
      paths[index] === path ? template : '',
    )
    const pages = written.filter((each) => each.path === path)
    return { path, text: page, asset: await newAsset(Buffer.from(page)), pages }
  }
  const known = await Promise.all(paths.map(pageOf))
  const other = await pageOf(null)
  /** @param url path and query */
  return (url: string) => {
    const [address = ''] = url.split('?', 1)
    return known.find(({ path }) => path && new RegExp(path).test(address)) ?? other
  }
}

/** A page of the build (studio/vite.config.ts). `reads`: first requests, `:last` the end of the path. */
type Page = { path: string; kind: 'user' | 'visitor' | 'entrance' | 'public'; reads?: string[] }

const SESSION = '/api/auth/get-session'
/** The id of a film, or the token of a share. A shorter word may name another operation, such as the event stream. */
const ID = /^[\w-]{20,}$/
/** The team for which the page works (studio/src/chosen-team.ts). */
const TEAM = /(?:^|; ?)kinora\.team=([\da-f-]{36})(?:;|$)/
/** A page does not wait longer for its data, and asks for the rest itself. */
const READS_MAX_MS = 250

/**
 * Makes the first reads of the page at this address, so that its films come with it instead of three round trips later.
 * What is the same for all (`/api/v1/config/`) is left to the page: it is large, and no picture waits for it.
 * @returns the responses as JSON by path and query, with the time before them and the team; '' when the page reads
 * nothing of this kind
 */
async function readFirst(
  server: FastifyInstance,
  app: App,
  { headers: { cookie = '' }, ip, url: address }: FastifyRequest,
  reply: FastifyReply,
  pages: Page[],
): Promise<{ reads: string; isOfUser: boolean }> {
  const hasCookie = /\bkinora\.session_token=/.test(cookie)
  const page = pages.find(({ kind }) => kind !== (hasCookie ? 'visitor' : 'user'))
  const last = address.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
  const urls = (page?.reads ?? []).filter(
    (url) => !url.startsWith('/api/v1/config/') && (!url.endsWith(':last') || ID.test(last)),
  )
  if (!page || urls.length === 0) return { reads: '', isOfUser: false }
  const isOfUser = hasCookie && page.kind !== 'public'
  const found: string[] = isOfUser || page.kind === 'public' ? [] : [`"${SESSION}":null`]
  // A read about the user alone is refused with it, and left to the page.
  const team = isOfUser ? TEAM.exec(cookie)?.[1] : undefined
  const headersOf = (url: string) => ({
    ...(isOfUser && { cookie }),
    ...(team && url.startsWith('/api/v1/') && { 'x-team': team }),
  })
  // Aborts the reads as if their client had disconnected.
  const signal = AbortSignal.timeout(READS_MAX_MS)
  const read = async (url: string) => {
    const response = await server.inject({ url, remoteAddress: ip, headers: headersOf(url), signal })
    // A session that is renewed by the read comes with a new cookie.
    const cookies = response.headers['set-cookie']
    if (response.statusCode !== 200 || reply.sent) return
    if (cookies) reply.header('set-cookie', cookies)
    // Escaped, because a prompt with </script> would end the element.
    found.push(`${JSON.stringify(url)}:${response.body.replaceAll('<', '\\u003c')}`)
  }
  const at = app.now().getTime()
  const all = [...(isOfUser ? [SESSION] : []), ...urls]
  await Promise.all(all.map((url) => read(url.replace(':last', last)).catch(() => undefined)))
  const ofUser = isOfUser ? `"at":"${at}",${team ? `"team":"${team}",` : ''}` : ''
  return { reads: `{${ofUser}"reads":{${found.join()}}}`, isOfUser }
}

/** The sources that allow the scripts in the page, each by its hash. */
const inlineScripts = (text: string): string =>
  [...text.matchAll(/<script>(.*?)<\/script>/gs)]
    .map(([, code = '']) => ` 'sha256-${createHash('sha256').update(code).digest('base64')}'`)
    .join('')

/** The operator's logo. */
const LOGO = '/brand-logo'
/** The icon of a page, and the mark beside the service's name: the operator's logo, else the product's. */
export const iconOf = ({ logo }: Config['site']): string => (logo ? LOGO : '/icon.svg')
export const iconLink = (site: Config['site']): string =>
  `<link rel="icon" href="${iconOf(site)}" type="${site.logo?.type ?? 'image/svg+xml'}" />`

/** An SVG may contain scripts, which run when it is opened as a page. */
function registerLogo(server: FastifyInstance, { type, bytes }: ImageFile): void {
  const asset = newAsset(bytes)
  server.get(LOGO, { config: { limit: 'static' }, schema: { hide: true } }, async (request, reply) => {
    reply.type(type).header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    return sendAsset(request, reply, await asset)
  })
}

const sendNotBuilt = (reply: FastifyReply) => reply.type('text/plain; charset=utf-8').send(NOT_BUILT)

const NOT_BUILT =
  'Kinora is running, but its studio is not built. npm start builds it.\nThe API is described at /docs and /openapi.json.\n'

/**
 * Whether a browser navigates to a page of the studio. `/` also accepts clients with an `Accept` of anything (monitors,
 * link previews). An unknown path of the API stays a JSON 404.
 */
function isNavigation({ method, url, headers: { accept = '*/*' } }: FastifyRequest): boolean {
  const isReserved = /^\/(api|files|assets|oauth|\.well-known|docs|openapi\.json|healthz|readyz|metrics)(\/|\?|$)/.test(
    url,
  )
  const isRoot = /^\/(\?|$)/.test(url)
  const accepted = isRoot ? /\btext\/html\b|\*\/\*/ : /\btext\/html\b/
  return (method === 'GET' || method === 'HEAD') && !isReserved && accepted.test(accept)
}

const isSignUpPage = (url: string): boolean => /^\/sign-up(\?|$)/.test(url)

/** Where the models that users see have their sample films. */
const sampleOrigins = (config: Config): string[] => {
  const links = listedModels(catalogue(config)).flatMap(({ sample = [] }) => sample)
  return [...new Set(links.flatMap((link) => URL.parse(link)?.origin ?? []))]
}

/**
 * @param filesOrigin origin that links to films redirect to (S3); null when this service serves them
 * @param inline the sources of the page's own scripts, each with a space ahead
 */
function contentSecurityPolicy(filesOrigin: string | null, samples: string[], inline: string): string[] {
  const files = filesOrigin ? ` ${filesOrigin}` : ''
  return [
    "default-src 'none'",
    `script-src 'self'${inline}`,
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    `img-src 'self' blob:${files}`,
    `media-src 'self'${files}${samples.map((origin) => ` ${origin}`).join('')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // XSS: with Trusted Types no string can reach a DOM sink such as innerHTML. Preact needs none; the one policy names
    // the studio's worker.
    "require-trusted-types-for 'script'",
    'trusted-types kinora-worker',
  ]
}

type Directive = 'script-src' | 'frame-src' | 'style-src' | 'connect-src' | 'img-src'

/** CaptchaFox documents no policy: it gets what its script is known to load, from its own hosts. */
const sources: Record<CaptchaSettings['provider'], Partial<Record<Directive, string>>> = {
  'cloudflare-turnstile': {
    'script-src': 'https://challenges.cloudflare.com',
    'frame-src': 'https://challenges.cloudflare.com',
  },
  'google-recaptcha': {
    'script-src': 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
    'frame-src': 'https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
  },
  hcaptcha: {
    'script-src': 'https://hcaptcha.com https://*.hcaptcha.com',
    'frame-src': 'https://hcaptcha.com https://*.hcaptcha.com',
    'style-src': 'https://hcaptcha.com https://*.hcaptcha.com',
    'connect-src': 'https://hcaptcha.com https://*.hcaptcha.com',
  },
  captchafox: {
    'script-src': 'https://cdn.captchafox.com',
    'frame-src': 'https://*.captchafox.com',
    'connect-src': 'https://*.captchafox.com',
    'img-src': 'https://*.captchafox.com',
  },
}

/**
 * The policy with the provider's sources. Trusted Types are not required there: no provider documents the names of its
 * policies, and a script that may run has no need of a sink.
 */
function withCaptcha(directives: string[], { provider }: CaptchaSettings): string[] {
  const added = new Map<string, string>(Object.entries(sources[provider]))
  const kept = directives.filter((directive) => !/^(require-trusted-types-for|trusted-types) /.test(directive))
  const widened = kept.map((directive) => {
    const name = directive.split(' ', 1)[0] ?? ''
    const source = added.get(name)
    added.delete(name)
    return source ? `${directive} ${source}` : directive
  })
  return [...widened, ...[...added].map(([name, source]) => `${name} ${source}`)]
}
