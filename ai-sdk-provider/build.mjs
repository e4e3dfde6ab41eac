/**
 * `node build.mjs`: writes the package to `dist/`: one file with the typed client in it, the declarations of the public exports, and
 * the licences of the packages that the file contains. `@ai-sdk/provider` stays a dependency: its errors are the SDK's.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { rolldown } from 'rolldown'

const here = import.meta.dirname
const client = path.join(here, '../client')
const dist = path.join(here, 'dist')
const declarations = path.join(dist, 'declarations')
const CONTAINED = ['openapi-fetch', 'eventsource-parser']
const PUBLIC = ['index.d.ts', 'provider.d.ts']

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
const bundle = await rolldown({
  input: path.join(here, 'src/index.ts'),
  external: ['@ai-sdk/provider'],
})
await bundle.write({ file: path.join(dist, 'index.js'), format: 'esm' })

// The compiler checks the client's source too, so it writes declarations of both; the client's types are in no public one.
const compiler = path.join(here, '../node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', here, '--outDir', declarations], { stdio: 'inherit' })
for (const file of PUBLIC) cpSync(path.join(declarations, 'ai-sdk-provider/src', file), path.join(dist, file))
rmSync(declarations, { recursive: true })

const require = createRequire(path.join(client, 'package.json'))
const licences = CONTAINED.map((name) => {
  const found = (require.resolve.paths(name) ?? []).flatMap((each) =>
    ['LICENSE', 'LICENSE.md'].flatMap((licence) => read(path.join(each, name, licence)) ?? []),
  )
  if (!found[0]) throw new Error(`${name} has no licence file.`)
  return `${name}\n\n${found[0]}`
})
writeFileSync(path.join(dist, 'LICENSES.txt'), licences.join('\n\n'))

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
