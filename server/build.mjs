/**
 * `node server/build.mjs FOLDER`: writes the server to a folder of few files, for a start with little CPU time: an API
 * process loads 2,200 modules of server/src and its packages, and is ready after a third of the time from the build
 * (decisions/0030). The code of the inspecting children is a build of its own in `media`, the only code that they may
 * read.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { besideBuild } from '../bin/build.mjs'
import { applyPatches } from '../bin/patches.mjs'

const source = fileURLToPath(new URL('src/', import.meta.url))
const folder = path.resolve(process.argv[2] ?? 'dist')

// Here and not in the launcher alone: the Containerfile makes the build without it.
applyPatches(fileURLToPath(new URL('..', import.meta.url)))
// The driver is an entry of its own, so that the command line of a release has the patched one too
// (bin/release/stage.mjs).
await build(folder, { ...inputsOf(['main', 'provider/expression-child', ...adapters()]), postgres: 'postgres' })
await build(path.join(folder, 'media'), inputsOf(['inspecting-child'], 'media/'))

/** A provider's adapter is imported by the provider's name, so it stays a file of its own. */
function adapters() {
  return readdirSync(path.join(source, 'provider/adapter')).map((file) => `provider/adapter/${path.parse(file).name}`)
}

function inputsOf(names, under = '') {
  return Object.fromEntries(names.map((name) => [name, path.join(source, under, `${name}.ts`)]))
}

async function build(dir, input) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    // Its entry for Node calls a `require` that the bundler cannot see into.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    external: (id) => besideBuild.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
}
