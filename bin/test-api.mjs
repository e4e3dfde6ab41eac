/**
 * `node:test` for the files of a test worker: collects what a file registers while it is imported, and runs it in the test of that
 * file. So no test has to be found by its asynchronous context, for which node:test tracks every promise of the process with an
 * async hook: see bin/test-worker.mjs.
 */
let current = null

/** Imports the file and runs its tests, one after another, in the context of the file's own test. */
export async function runFile(context, importFile) {
  current = { context, tests: [] }
  const { tests } = current
  try {
    await importFile()
  } finally {
    current = null
  }
  for (const args of tests) await context.test(...args)
}

/** The last argument is the test, the one before it its options, if any. */
export const test = (...args) => void registering().tests.push(args)
/** Its hooks apply to the whole file. */
export const describe = (_name, register) => register()
export const before = (hook) => registering().context.before(hook)
export const after = (hook) => registering().context.after(hook)
export const beforeEach = (hook) => registering().context.beforeEach(hook)
export const afterEach = (hook) => registering().context.afterEach(hook)

function registering() {
  if (current === null)
    throw new Error('Tests and hooks are registered while their file is imported; use the context in a test.')
  return current
}
