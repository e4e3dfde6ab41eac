/** A reverse proxy before two ports of one machine, as deploy/nginx.conf describes it. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { freePort } from './free-port.ts'
import { waitFor } from './video-row.ts'

const NGINX = '/usr/sbin/nginx'
const root = path.resolve(import.meta.dirname, '../../..')

/**
 * nginx with the shipped file, without TLS. Where it is not installed, a stand-in with the same rules: connections are
 * kept, a refused one is tried at the other address, and a request that was sent on one that broke is a 502.
 */
export async function openProxy(ports: number[]): Promise<string> {
  return existsSync(NGINX) ? await openNginx(ports) : await openStandIn(ports)
}

async function openNginx(ports: number[]): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-nginx-'))
  chmodSync(folder, 0o711)
  const port = await freePort()
  const site = readFileSync(path.join(root, 'deploy/nginx.conf'), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${ports[1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(/^ *(listen \[|ssl_).*\n/gm, '')
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log stderr crit; events {}\nhttp { access_log off; ${places.join(' ')}\n${site}}`,
  )
  const nginx = spawn(NGINX, ['-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => nginx.once('close', resolve))
  after(async () => {
    nginx.kill('SIGQUIT')
    await ended
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${port}`
  await waitFor('nginx', () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  return url
}

async function openStandIn(ports: number[]): Promise<string> {
  const agent = new http.Agent({ keepAlive: true })
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const pass = (left: number[]) => {
      const { method, headers, url } = request
      const upstream = http.request({ agent, host: '127.0.0.1', port: left[0], method, headers, path: url })
      upstream.once('response', (from) => {
        response.writeHead(from.statusCode ?? 502, from.headers)
        from.pipe(response)
      })
      upstream.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && left.length > 1) pass(left.slice(1))
        else response.writeHead(502).end(`${error.code} ${error.message}`)
      })
      upstream.end(Buffer.concat(chunks))
    }
    pass(ports)
  })
  after(() => agent.destroy())
  return await listen(server)
}

/** @returns its address */
export async function listen(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
