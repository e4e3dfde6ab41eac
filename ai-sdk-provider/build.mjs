/**
 * `node build.mjs`: writes the package to `dist/`: one file with the typed client in it, the declarations of the public
 * exports, and the licences of the packages that the file contains. `@ai-sdk/provider` stays a dependency: its errors
 * are the SDK's.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { writeLicences } from '../client/licences.mjs'

const here = import.meta.dirname
const dist = path.join(here, 'dist')
const declarations = path.join(dist, 'declarations')
const PUBLIC = ['index.d.ts', 'provider.d.ts']

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
const bundle = await rolldown({
  input: path.join(here, 'src/index.ts'),
  external: ['@ai-sdk/provider'],
})
await bundle.write({ file: path.join(dist, 'index.js'), format: 'esm', codeSplitting: false })

// The compiler checks the client's source too, so it writes declarations of both; the client's types are in no public
// one.
const compiler = path.join(here, '../node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', here, '--outDir', declarations], { stdio: 'inherit' })
for (const file of PUBLIC) cpSync(path.join(declarations, 'ai-sdk-provider/src', file), path.join(dist, file))
rmSync(declarations, { recursive: true })

writeLicences(path.join(dist, 'LICENSES.txt'))
