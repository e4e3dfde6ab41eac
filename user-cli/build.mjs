/**
 * `node build.mjs [FOLDER]`: writes the command line to one file, `kinora.js`, with the typed client in it, and the
 * licences of the packages that it contains. So the package has no dependencies: it is installed from its file alone,
 * without a registry.
 */
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { writeLicences } from '../client/licences.mjs'

const here = import.meta.dirname
const client = path.join(here, '../client')
const folder = path.resolve(process.argv[2] ?? path.join(here, 'dist'))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const bundle = await rolldown({
  input: path.join(here, 'src/main.ts'),
  platform: 'node',
  // The client's source: its own build may be missing or older.
  resolve: { alias: { '@kinora/client': path.join(client, 'src/index.ts') } },
})
const file = path.join(folder, 'kinora.js')
await bundle.write({ file, format: 'esm', codeSplitting: false, banner: '#!/usr/bin/env node' })
chmodSync(file, 0o755)

writeLicences(path.join(folder, 'LICENSES.txt'))
