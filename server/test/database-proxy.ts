/**
 * A stand-in for the way to PostgreSQL that reads along: it tells every statement before it is run, and can cut the
 * connection there, or after it has been run and before its answer arrives. That is what a process that dies at that
 * moment looks like from the database, and what a database that dies looks like from the process.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Cut = 'before' | 'after' | null
export type DatabaseProxy = {
  url: string
  /** Decides for every statement, by its text. */
  onStatement: (text: string) => Cut
  close: () => Promise<void>
}

export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    const end = () => {
      client.destroy()
      database.destroy()
    }
    client.on('close', end)
    database.on('close', end)
    let isToBeCut = false
    const read = statementReader()
    client.on('data', (chunk) => {
      for (const text of read(chunk)) {
        const cut = proxy.onStatement(text)
        if (cut === 'before') return end()
        isToBeCut ||= cut === 'after'
      }
      database.write(chunk)
    })
    database.on('data', (chunk) => {
      // "Ready for query" comes when the transaction has been committed, and is always the end of what is sent.
      if (isToBeCut && chunk.at(-6) === 0x5a) return end()
      if (!isToBeCut) client.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const proxy: DatabaseProxy = {
    url: url.href,
    onStatement: () => null,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

/** Reads the messages of a client: Parse names a text, Bind takes up a name, Execute runs what was bound; Query does all. */
function statementReader(): (chunk: Buffer) => string[] {
  const texts = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let isStarted = false
  let bound = ''
  const wordsOf = (body: Buffer) => body.toString('utf8').split('\0')
  return (chunk) => {
    const executed: string[] = []
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return executed
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return executed
      const kind = isStarted ? String.fromCharCode(rest[0] ?? 0) : ''
      const body = rest.subarray(head + 4, length)
      rest = rest.subarray(length)
      isStarted = true
      const [one = '', two = ''] = wordsOf(body)
      if (kind === 'P') texts.set(one, two)
      if (kind === 'B') bound = texts.get(two) ?? ''
      if (kind === 'E') executed.push(bound.replace(/\s+/g, ' ').trim())
      if (kind === 'Q') executed.push(one)
    }
  }
}
