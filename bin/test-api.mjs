/**
 * `node:test` for the files of a test worker: collects what a file registers while it is imported, and runs it in the
 * test of that file. So no test has to be found by its asynchronous context, for which node:test tracks every promise
 * of the process with an async hook: see bin/test-worker.mjs.
 */
let imported = null
/** The context of the test that runs: a hook that it registers is its own. */
let running = null
/** Those of the file that runs. */
const hooks = []

/** Imports the file and runs its tests, one after another, as subtests of `context`. */
export async function runFile(context, importFile) {
  for (const kept of hooks.splice(0)) kept.hook = null
  imported = { context, tests: [] }
  const { tests } = imported
  try {
    await importFile()
  } finally {
    imported = null
  }
  for (const args of tests) await context.test(...args.slice(0, -1), withContext(args.at(-1)))
}

/** The last argument is the test, the one before it its options, if any. */
export const test = (...args) => void importedFile().tests.push(args)
/** Its hooks apply to the whole file. */
export const describe = (_name, register) => register()
export const before = (hook) => owner().before(forgettable(hook))
export const after = (hook) => owner().after(forgettable(hook))
export const beforeEach = (hook) => owner().beforeEach(forgettable(hook))
export const afterEach = (hook) => owner().afterEach(forgettable(hook))

/** node:test keeps every hook as long as the process, and a hook of the harness its service with all routes: 8 MB. */
function forgettable(hook) {
  const kept = { hook }
  hooks.push(kept)
  return (...args) => kept.hook(...args)
}

const withContext = (run) => async (context) => {
  running = context
  try {
    await run(context)
  } finally {
    running = null
  }
}

const owner = () => running ?? importedFile().context

function importedFile() {
  if (imported === null) throw new Error('A test is registered while its file is imported; in a test, use its context.')
  return imported
}
