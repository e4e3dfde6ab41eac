/**
 * A stand-in for S3 on loopback, in memory: put with MD5, multipart uploads, ranges, listing in pages of two, delete. `npm run test:s3` runs
 * the same tests on a real server.
 */
import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'

export type S3Server = {
  /** The settings that lead to it; `prefix` is put before their names. */
  env: (prefix?: string) => Record<string, string>
  /** Objects by `bucket/key`. */
  objects: Map<string, Buffer>
  /** Uploads that were begun, and neither completed nor aborted. */
  uploads: Map<string, Map<number, Buffer>>
  /** How many parts were received. */
  parts: () => number
  /** How many connections are open. */
  connections: () => Promise<number>
  /** Responds with this status to the next request that has the words in its method and path. */
  failOnce: (words: string, status: number) => void
  close: () => void
}

const PAGE = 2

export async function openS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  let parts = 0
  let failure: { words: string; status: number } | null = null
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '/', 'http://s3')
    const key = decodeURIComponent(url.pathname.slice(1))
    const reply = (status: number, headers: Record<string, string> = {}, content: string | Buffer = '') =>
      response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : content)
    const md5 = createHash('md5').update(body).digest('base64')
    if (failure && `${request.method} ${request.url}`.includes(failure.words)) {
      const { status } = failure
      failure = null
      return reply(status)
    }
    const given = request.headers['content-md5']
    if (given !== undefined && given !== md5) return reply(400, {}, '<Error><Code>BadDigest</Code></Error>')
    const uploadId = url.searchParams.get('uploadId')
    const etag = { etag: `"${Buffer.from(md5, 'base64').toString('hex')}"` }
    switch (request.method) {
      case 'POST': {
        if (uploadId === null) {
          const id = `upload-${uploads.size + 1}-${parts}`
          uploads.set(id, new Map())
          return reply(
            200,
            {},
            `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
          )
        }
        const received = [...(uploads.get(uploadId) ?? [])].sort(([a], [b]) => a - b)
        objects.set(key, Buffer.concat(received.map(([, part]) => part)))
        uploads.delete(uploadId)
        return reply(200, {}, '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>')
      }
      case 'PUT':
        if (uploadId === null) objects.set(key, body)
        else {
          if (given === undefined) return reply(400, {}, '<Error><Code>MissingContentMD5</Code></Error>')
          parts += 1
          uploads.get(uploadId)?.set(Number(url.searchParams.get('partNumber')), body)
        }
        return reply(200, etag)
      case 'DELETE':
        if (uploadId === null) objects.delete(key)
        else uploads.delete(uploadId)
        return reply(204)
      default: {
        if (url.searchParams.get('list-type') === '2') {
          const bucket = key.replace(/\/$/, '')
          const prefix = `${bucket}/${url.searchParams.get('prefix') ?? ''}`
          const after = url.searchParams.get('continuation-token') ?? ''
          const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort()
          const contents = names.slice(0, PAGE).map((name) => {
            const size = objects.get(name)?.length
            const modified = `<LastModified>${new Date().toISOString()}</LastModified>`
            return `<Contents><Key>${name.slice(bucket.length + 1)}</Key>${modified}<Size>${size}</Size></Contents>`
          })
          const next = names.length > PAGE ? `<NextContinuationToken>${names[PAGE - 1]}</NextContinuationToken>` : ''
          return reply(200, {}, `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`)
        }
        const object = objects.get(key)
        if (!object) return reply(404, {}, '<Error><Code>NoSuchKey</Code></Error>')
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
        if (from === undefined) return reply(200, { 'content-length': `${object.length}` }, object)
        const part = object.subarray(Number(from), Number(to) + 1)
        const range = `bytes ${from}-${Number(from) + part.length - 1}/${object.length}`
        return reply(206, { etag: '"x"', 'content-range': range }, part)
      }
    }
  })
  // Only the client ends an idle connection: a test sees one that it left open.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: (prefix = '') => ({
      [`${prefix}S3_ENDPOINT`]: endpoint,
      [`${prefix}S3_ACCESS_KEY_ID`]: 'key',
      [`${prefix}S3_SECRET_ACCESS_KEY`]: 'secret',
    }),
    objects,
    uploads,
    parts: () => parts,
    connections: promisify(server.getConnections.bind(server)),
    failOnce: (words, status) => {
      failure = { words, status }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
