/** An OTLP receiver on loopback: keeps the spans that it is sent as JSON, and the requests as they came. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  /** The process that sent it. */
  instance: unknown
}
type Attribute = { key: string; value: Record<string, unknown> }
type Body = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes' | 'links'> & { attributes?: Attribute[]; links?: [] })[] }[]
  }[]
}

export async function openOtlpReceiver() {
  const received: { path: string; headers: http.IncomingHttpHeaders; body: Buffer }[] = []
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(200, { 'content-type': request.headers['content-type'] ?? '' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: (): ReceivedSpan[] => received.flatMap(({ body }) => spansOf(JSON.parse(body.toString()) as Body)),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const spansOf = ({ resourceSpans }: Body): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        links: span.links ?? [],
        instance: valuesOf(resource.attributes)['service.instance.id'],
      })),
    ),
  )

const valuesOf = (attributes: Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
