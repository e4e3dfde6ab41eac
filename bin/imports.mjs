/**
 * Checks the import rules of .dependency-cruiser.mjs: `node bin/imports.mjs` for all packages, the benches and the
 * proofs, or for the folders that are named. A package's tests and tools are read too: no cycle is allowed there
 * either. Prints the violations; the exit code is their number.
 *
 * dependency-cruiser parses TypeScript with the compiler's API, which TypeScript 7 does not have yet. The client
 * package has TypeScript 5 for openapi-typescript, so imports of `typescript` resolve to that one here.
 */
import { existsSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const client = createRequire(path.join(root, 'client/package.json'))
const compiler = new Map(['typescript', 'typescript/package.json'].map((name) => [name, client.resolve(name)]))
registerHooks({ resolve: (name, context, next) => next(compiler.get(name) ?? name, context) })

const { cruise } = await import('dependency-cruiser')
const { default: rules } = await import('../.dependency-cruiser.mjs')

const folders =
  process.argv.length > 2
    ? process.argv.slice(2)
    : [
        'server',
        'simulator',
        'cli',
        'client',
        'python-client',
        'ai-sdk-provider',
        'user-cli',
        'studio',
        'bench',
        'proofs',
      ]
const parts = ['src', 'test']
const result = await cruise(
  folders.flatMap((folder) =>
    ['bench', 'proofs'].includes(folder)
      ? [folder]
      : parts.map((part) => `${folder}/${part}`).filter((part) => existsSync(part)),
  ),
  { ...rules.options, ruleSet: { forbidden: rules.forbidden }, validate: true, outputType: 'err' },
)
process.stdout.write(`${result.output}\n`)
process.exitCode = result.exitCode
