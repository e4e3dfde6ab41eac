/** Raw request bodies, for routes whose body is signed: the signature covers the bytes as sent. Any content type is accepted. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Makes every route of `scope` receive its body as a Buffer. */
export function acceptRawBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** The body of a route in such a scope; empty when the request has none. */
export const rawBodyOf = ({ body }: Pick<FastifyRequest, 'body'>): Buffer =>
  (body as Buffer | undefined) ?? Buffer.alloc(0)

/**
 * The `onRequest` hook of a route whose body is read alike under any Content-Type. Fastify answers one that it cannot read, such as an
 * empty one, with 415 before it chooses a parser; the sender of a webhook would repeat it in vain.
 */
export function ignoreContentType({ raw }: Pick<FastifyRequest, 'raw'>, _reply: FastifyReply, done: () => void): void {
  delete raw.headers['content-type']
  done()
}
