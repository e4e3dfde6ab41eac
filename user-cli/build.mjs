/**
 * `node build.mjs [FOLDER]`: writes the command line to one file, `kinora.js`, with the typed client in it, and the licences of the
 * packages that it contains. So the package has no dependencies: it is installed from its file alone, without a registry.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { rolldown } from 'rolldown'

const here = import.meta.dirname
const client = path.join(here, '../client')
const folder = path.resolve(process.argv[2] ?? path.join(here, 'dist'))
const CONTAINED = ['openapi-fetch', 'eventsource-parser']

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const bundle = await rolldown({
  input: path.join(here, 'src/main.ts'),
  platform: 'node',
  // The client's source: its own build may be missing or older.
  resolve: { alias: { '@kinora/client': path.join(client, 'src/index.ts') } },
})
const file = path.join(folder, 'kinora.js')
await bundle.write({ file, format: 'esm', banner: '#!/usr/bin/env node' })
chmodSync(file, 0o755)
const require = createRequire(path.join(client, 'package.json'))
const parts = CONTAINED.map((name) => {
  const found = (require.resolve.paths(name) ?? []).flatMap((each) =>
    ['LICENSE', 'LICENSE.md'].flatMap((licence) => read(path.join(each, name, licence)) ?? []),
  )
  if (!found[0]) throw new Error(`${name} has no licence file.`)
  return `${name}\n\n${found[0]}`
})
writeFileSync(path.join(folder, 'LICENSES.txt'), parts.join('\n\n'))

function read(licence) {
  try {
    return readFileSync(licence, 'utf8')
  } catch {
    return null
  }
}
