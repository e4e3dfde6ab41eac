/**
 * A worker process that runs the test files it receives from `bin/test-pool.mjs`, one after another, so that the server's
 * modules are loaded once and not for each file. Each file is a suite, so that its hooks apply to its own tests only.
 */
import path from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'

process.on('message', async ({ file, end }) => {
  if (end) process.exit(0)
  // The end of the suite is sent by the reporter (bin/test-events.mjs), after the last event of the file.
  await suite(path.basename(file), async () => void (await import(pathToFileURL(file).href)))
})
// The pool was killed: what the current file has started ends with this process, which leads their process group.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
// Ctrl-C: a browser is closed by its exit handler.
process.on('SIGTERM', () => process.exit(1))
