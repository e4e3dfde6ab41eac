/**
 * Runs the server: its build when that is made of the present sources (bin/build.mjs), else the sources themselves. A process
 * of the build needs a third of the CPU time to start.
 */
import { fileURLToPath } from 'node:url'
import { isBuilt } from '../bin/build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
await import(isBuilt(root, 'server') ? './dist/main.js' : './src/main.ts')
