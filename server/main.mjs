/**
 * Runs the server: its build when that is made of the present sources (bin/build.mjs), or when the sources are not
 * there, as in a release; else the sources themselves. A process of the build needs a third of the CPU time to start.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '../bin/build.mjs'

// An older Node stops at syntax that it does not know, which names a line and not the reason.
const NODE_MAJOR_MIN = 24
const root = fileURLToPath(new URL('..', import.meta.url))
if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  console.error(
    `The server needs Node ${NODE_MAJOR_MIN} or newer; this is Node ${process.versions.node}. ` +
      `The packages bring one: ${root}node_modules/.bin/node server/main.mjs, or npx kinora.`,
  )
  process.exitCode = 1
} else {
  const isSource = existsSync(`${root}server/src/main.ts`) && !isBuilt(root, 'server')
  await import(isSource ? './src/main.ts' : './dist/main.js')
}
