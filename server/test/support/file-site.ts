/** A site whose files users link to: Kinora may reach it, and so does the simulator. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { openSafeFetch } from '../../src/net/safe-fetch.ts'
import type { Kinora } from './harness.ts'

/** Until the last test of the file. @returns `put`: the link of a file; `remove`: it answers 404 from then on */
export async function openFileSite({ app }: Kinora) {
  const files = new Map<string, Buffer>()
  const server = http.createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (file) response.end(file)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const { userFetch } = app
  app.userFetch = openSafeFetch({ allow: [host], lookup: async () => ['93.184.215.14'] })
  after(async () => {
    await app.userFetch.close()
    app.userFetch = userFetch
    server.close()
    server.closeAllConnections()
  })
  return {
    put: (name: string, bytes: Buffer): string => {
      files.set(`/${name}`, bytes)
      return `http://${host}/${name}`
    },
    remove: (name: string): boolean => files.delete(`/${name}`),
  }
}
