/** Responses that never change while the process runs: kept plain and compressed, with an ETag. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

export type Asset = { plain: Buffer; gzipped: Buffer; etag: string }

export async function newAsset(plain: Buffer): Promise<Asset> {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { plain, gzipped: await compress(plain), etag }
}

/**
 * `no-cache` with an ETag, because the URLs do not change between versions: revalidated each time, sent when changed.
 * @param cacheControl `no-store` for a page with data of its user
 */
export function sendAsset(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { plain, gzipped, etag }: Asset,
  cacheControl: 'no-cache' | 'no-store' = 'no-cache',
): FastifyReply {
  reply.header('cache-control', cacheControl).header('etag', etag).header('vary', 'accept-encoding')
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(plain)
  return reply.header('content-encoding', 'gzip').send(gzipped)
}
