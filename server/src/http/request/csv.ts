/** Responses of CSV, which are sent while they are read. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Sends the lines as a file. What fails before the second piece is an error with its status; what fails later breaks
 * the download off, so that half a file is never taken for a whole one.
 */
export async function sendCsv(reply: FastifyReply, name: string, lines: AsyncGenerator<string>): Promise<FastifyReply> {
  const first = [await lines.next(), await lines.next()]
  reply.type('text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  return reply.send(Readable.from(joined(first, lines)))
}

async function* joined(first: IteratorResult<string>[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  for (const { done, value } of first) if (!done) yield value
  yield* rest
}
