/**
 * A stand-in for S3 on loopback, in memory: put with MD5, multipart uploads, ranges, listing in pages of two, delete.
 * `npm run test:s3` runs the same tests on a real server.
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

type State = Pick<S3Server, 'objects' | 'uploads'> & {
  parts: number
  failure: { words: string; status: number } | null
}

export async function openS3Server(): Promise<S3Server> {
  const state: State = { objects: new Map(), uploads: new Map(), parts: 0, failure: null }
  const server = http.createServer((request, response) => respond(state, request, response))
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
    objects: state.objects,
    uploads: state.uploads,
    parts: () => state.parts,
    connections: promisify(server.getConnections.bind(server)),
    failOnce: (words, status) => {
      state.failure = { words, status }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function respond(state: State, request: http.IncomingMessage, response: http.ServerResponse) {
  const { objects, uploads } = state
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const url = new URL(request.url ?? '/', 'http://s3')
  const key = decodeURIComponent(url.pathname.slice(1))
  const reply = (status: number, headers: Record<string, string> = {}, content: string | Buffer = '') =>
    response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : content)
  const md5 = createHash('md5').update(body).digest('base64')
  if (state.failure && `${request.method} ${request.url}`.includes(state.failure.words)) {
    const { status } = state.failure
    state.failure = null
    return reply(status)
  }
  const given = request.headers['content-md5']
  if (given !== undefined && given !== md5) return reply(400, {}, '<Error><Code>BadDigest</Code></Error>')
  const uploadId = url.searchParams.get('uploadId')
  const etag = { etag: `"${Buffer.from(md5, 'base64').toString('hex')}"` }
  switch (request.method) {
    case 'POST': {
      if (uploadId === null) {
        const id = `upload-${uploads.size + 1}-${state.parts}`
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
        state.parts += 1
        uploads.get(uploadId)?.set(Number(url.searchParams.get('partNumber')), body)
      }
      return reply(200, etag)
    case 'DELETE':
      if (uploadId === null) objects.delete(key)
      else uploads.delete(uploadId)
      return reply(204)
    default: {
      if (url.searchParams.get('list-type') === '2') return reply(200, {}, pageOf(objects, key, url.searchParams))
      const { status, headers, content } = objectReply(objects.get(key), request.headers.range)
      return reply(status, headers, content)
    }
  }
}

/** A page of the listing of a bucket. */
function pageOf(objects: Map<string, Buffer>, key: string, query: URLSearchParams): string {
  const bucket = key.replace(/\/$/, '')
  const prefix = `${bucket}/${query.get('prefix') ?? ''}`
  const after = query.get('continuation-token') ?? ''
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort()
  const contents = names.slice(0, PAGE).map((name) => {
    const size = objects.get(name)?.length
    const modified = `<LastModified>${new Date().toISOString()}</LastModified>`
    return `<Contents><Key>${name.slice(bucket.length + 1)}</Key>${modified}<Size>${size}</Size></Contents>`
  })
  const next = names.length > PAGE ? `<NextContinuationToken>${names[PAGE - 1]}</NextContinuationToken>` : ''
  return `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
}

type ObjectReply = { status: number; headers: Record<string, string>; content: string | Buffer }

function objectReply(object: Buffer | undefined, wanted: string | undefined): ObjectReply {
  if (!object) return { status: 404, headers: {}, content: '<Error><Code>NoSuchKey</Code></Error>' }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(wanted ?? '') ?? []
  if (from === undefined) return { status: 200, headers: { 'content-length': `${object.length}` }, content: object }
  const content = object.subarray(Number(from), Number(to) + 1)
  const range = `bytes ${from}-${Number(from) + content.length - 1}/${object.length}`
  return { status: 206, headers: { etag: '"x"', 'content-range': range }, content }
}
