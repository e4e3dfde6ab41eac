/**
 * A worker process that runs the test files it receives from `bin/test-pool.mjs`, one after another, so that the
 * server's modules are loaded once and not for each file. Each file is a test with subtests, so that its hooks apply to
 * those only.
 *
 * node:test finds the parent of a test, and the test of an uncaught error, by an async hook that records every promise.
 * That takes a sixth of a worker's CPU time, so it is left out: files get `test` and the hooks from bin/test-api.mjs,
 * which knows the parent, and an uncaught error belongs to its file (bin/test-events.mjs).
 */
import asyncHooks from 'node:async_hooks'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runFile } from './test-api.mjs'

const { createHook } = asyncHooks
asyncHooks.createHook = () => ({ enable() {}, disable() {} })
const { test } = await import('node:test')
const api = new URL('./test-api.mjs', import.meta.url).href
// The client's source: tests of the package build it anew meanwhile.
const client = new URL('../client/src/index.ts', import.meta.url).href
const replaced = new Map([
  ['node:test', api],
  ['@kinora/client', client],
])
registerHooks({
  resolve: (specifier, context, next) => {
    const url = replaced.get(specifier)
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  },
})

process.on('message', async ({ file, end }) => {
  if (end) process.exit(0)
  // The end of the file is sent by the reporter (bin/test-events.mjs), after its last event.
  const run = test(path.basename(file), (context) => runFile(context, () => import(pathToFileURL(file).href)))
  // node:test sets its hook when the first test begins.
  asyncHooks.createHook = createHook
  await run
})
// The pool was killed: what the current file has started ends with this process, which leads their process group.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
// Ctrl-C: a browser is closed by its exit handler.
process.on('SIGTERM', () => process.exit(1))
