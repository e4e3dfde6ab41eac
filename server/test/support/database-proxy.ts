/**
 * TCP proxy between a client and PostgreSQL that parses the wire protocol: it reports every statement before it runs,
 * and can cut the connection there, or after the commit and before the client receives the result. To the database this
 * looks like a process that dies at that point; to the process, like a database that dies.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Cut = 'before' | 'after' | null
export type DatabaseProxy = {
  url: string
  /** Decides for each statement, by its text, where the connection is cut. */
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
    const cutConnection = () => {
      client.destroy()
      database.destroy()
    }
    client.on('close', cutConnection)
    database.on('close', cutConnection)
    let cutAfterReady = false
    const read = statementReader()
    client.on('data', (chunk) => {
      for (const text of read(chunk)) {
        const cut = proxy.onStatement(text)
        if (cut === 'before') return cutConnection()
        cutAfterReady ||= cut === 'after'
      }
      database.write(chunk)
    })
    database.on('data', (chunk) => {
      // ReadyForQuery (six bytes, 'Z') is the last message of a reply and is sent after the commit.
      if (cutAfterReady && chunk.at(-6) === 0x5a) return cutConnection()
      if (!cutAfterReady) client.write(chunk)
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

/**
 * Parses client messages and returns the text of each statement that is executed: Parse names a text, Bind selects a
 * name, Execute runs the bound statement; Query does all three.
 */
function statementReader(): (chunk: Buffer) => string[] {
  const texts = new Map<string, string>()
  let rest = Buffer.alloc(0)
  // The startup message alone has no type byte.
  let isStarted = false
  let bound = ''
  const stringsOf = (body: Buffer) => body.toString('utf8').split('\0')
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
      const [one = '', two = ''] = stringsOf(body)
      if (kind === 'P') texts.set(one, two)
      if (kind === 'B') bound = texts.get(two) ?? ''
      if (kind === 'E') executed.push(bound.replace(/\s+/g, ' ').trim())
      if (kind === 'Q') executed.push(one)
    }
  }
}
