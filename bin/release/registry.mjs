/**
 * A local registry of the packages in a folder: npm's protocol for `*.tgz`, and PyPI's simple index at `/simple/` for
 * wheels and source archives. `node bin/release/registry.mjs FOLDER` serves one until it is ended. npm asks it for the
 * scope @kinora alone (`@kinora:registry=` in `.npmrc`), pip by `--index-url`.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { run } from './python.mjs'

/** @param {string} folder @returns {Promise<{ url: string, close: () => void }>} on this machine only */
export async function openRegistry(folder) {
  const names = readdirSync(folder)
  const packages = new Map(names.filter((name) => name.endsWith('.tgz')).map((name) => packageOf(folder, name)))
  const python = names.filter((name) => /^kinora-[\d.]+(-py3-none-any\.whl|\.tar\.gz)$/.test(name))
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}`
    const name = decodeURIComponent((request.url ?? '/').slice(1))
    const file = name.replace(/^files\//, '')
    if (packages.has(name)) send(response, 'application/json', JSON.stringify(packages.get(name)(url)))
    else if (name === 'simple/kinora/') send(response, 'text/html', simpleIndex(folder, python, url))
    else if (name.startsWith('files/') && names.includes(file)) createReadStream(path.join(folder, file)).pipe(response)
    else response.writeHead(404).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

/** The name of a package, and its document for a registry at an address. */
function packageOf(folder, file) {
  const location = path.join(folder, file)
  const manifest = JSON.parse(run('tar', ['-xzOf', location, 'package/package.json']))
  const { name, version } = manifest
  const integrity = `sha512-${createHash('sha512').update(readFileSync(location)).digest('base64')}`
  const documentAt = (url) => ({
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball: `${url}/files/${file}`, integrity } } },
  })
  return [name, documentAt]
}

/** PEP 503. */
function simpleIndex(folder, files, url) {
  const links = files.map((file) => {
    const sum = createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex')
    return `<a href="${url}/files/${file}#sha256=${sum}">${file}</a>`
  })
  return `<!doctype html><title>kinora</title>${links.join('\n')}`
}

function send(response, type, body) {
  response.writeHead(200, { 'content-type': type }).end(body)
}

if (import.meta.main) process.stdout.write(`${(await openRegistry(process.argv[2] ?? 'release')).url}\n`)
