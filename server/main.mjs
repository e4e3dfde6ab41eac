/**
 * Runs the server: its build when that is made of the present sources (bin/build.mjs), else the sources themselves. A
 * process of the build needs a third of the CPU time to start.
 */
import { fileURLToPath } from 'node:url'
import { isBuilt } from '../bin/build.mjs'

// An older Node stops at syntax that it does not know, which names a line and not the reason.
const NODE_MAJOR_MIN = 24
if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  console.error(
    `The server needs Node ${NODE_MAJOR_MIN} or newer; this is Node ${process.versions.node}. npx kinora brings its own.`,
  )
  process.exitCode = 1
} else {
  const root = fileURLToPath(new URL('..', import.meta.url))
  await import(isBuilt(root, 'server') ? './dist/main.js' : './src/main.ts')
}
