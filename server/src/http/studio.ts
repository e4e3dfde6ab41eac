/**
 * The studio, the web application that is built from `studio/`: its files, and its one page at every address that a
 * browser opens and that is nobody else's. The rule: nothing runs in it but its own files, and it talks to this
 * service alone.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'

const PAGE = 'index.html'
const YEAR_S = 365 * 24 * 3600

/** Answers a browser that opens an address of the studio; false when the request is for something else. */
export type ShowPage = (request: FastifyRequest, reply: FastifyReply) => boolean

export async function registerStudio(server: FastifyInstance, { config, storage, log }: App): Promise<ShowPage> {
  const root = config.studioDir
  const built = existsSync(path.join(root, PAGE))
  if (!built) log.warn({ studioDir: root }, 'the studio is not built, so / answers without it; npm start builds it')
  const policy = contentSecurityPolicy(await storage.origin())

  await server.register(fastifyStatic, {
    root,
    serve: built,
    // A route a file, made at start-up: what is not there is "not found" in the usual words.
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    index: false,
    schemaHide: true,
    setHeaders: (reply, file) => {
      // The name of a file under assets/ changes with its content.
      const name = path.relative(root, file)
      const lasting = name.startsWith(`assets${path.sep}`)
      reply.header('cache-control', lasting ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
      // Here and not where the page is shown, for it has an address of its own as well.
      if (name.startsWith(PAGE)) {
        reply
          .header('content-security-policy', policy)
          .header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
      }
    },
  })

  return (request, reply) => {
    if (!wantsPage(request)) return false
    reply.code(200)
    if (built) reply.sendFile(PAGE)
    else reply.type('text/plain; charset=utf-8').send(unbuilt)
    return true
  }
}

const unbuilt =
  'Kinora is running, but its studio is not built. npm start builds it.\nThe API is described at /docs and /openapi.json.\n'

/**
 * A browser's navigation, and at the front also whoever takes anything; a program that mistypes an address of the API is
 * told so in JSON.
 */
function wantsPage({ method, url, headers: { accept = '*/*' } }: FastifyRequest): boolean {
  const isOurs = /^\/(api|files|assets|docs|openapi\.json|healthz|readyz|metrics)(\/|\?|$)/.test(url)
  const isFront = /^\/(\?|$)/.test(url)
  const taken = isFront ? /\btext\/html\b|\*\/\*/ : /\btext\/html\b/
  return (method === 'GET' || method === 'HEAD') && !isOurs && taken.test(accept)
}

/** @param filesOrigin where links to films lead when they are not kept here */
function contentSecurityPolicy(filesOrigin: string | null): string {
  const files = filesOrigin ? ` ${filesOrigin}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    `img-src 'self' blob:${files}`,
    `media-src 'self'${files}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Text never becomes markup or script: React needs no such place, and nothing may open one.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
