/**
 * Patches installed packages where no release has what is needed. node_modules is patched, because the server runs from its
 * sources in the tests and from its build in production, and both read it. decisions/0048 says why each patch is needed and when
 * it can go.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageDir } from './install.mjs'
import { SetupError } from './setup-error.mjs'

/** `changes`, by file: pairs of a text that occurs once in it, and what replaces it. */
const patches = [
  {
    name: 'postgres',
    version: '3.4.9',
    changes: {
      'src/connection.js': [
        // A connection that opens again had the bytes and the timer of the one that was lost, and never wrote again.
        [
          '    incomings = null\n    clearImmediate(nextWriteTimer)\n    socket.removeListener',
          '    incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
        ],
        // While it had the query that was lost, the next one waited for the database instead of failing.
        [
          'socket))\n    closedTime = performance.now()',
          'socket))\n    query = errorResponse = null\n    closedTime = performance.now()',
        ],
        // The socket has "error" before "close". A query sent in between was never settled, and the connection then waited for its rows.
        // While a connection is opened, a "close" alone made it try again at once, for ever: the query behind it was never settled.
        [
          '    if (initial)\n      return reconnect()\n\n    !hadError && (query || sent.length) && error(',
          '    if (initial && options.host[1])\n      return reconnect()\n\n    if (query || initial || sent.length) error(',
        ],
        // A statement that failed after its first rows moved the rows of the next result back by their number.
        ['    query = results = errorResponse = null\n', '    query = results = errorResponse = null\n    rows = 0\n'],
        // A query that could not be built, behind others on its connection, rejected the first of them and took the rows of the next one.
        [
          '      sent.length === 0 && write(Sync)\n      errored(error)\n',
          '      if (q !== query) {\n        sent.remove(q)\n        queryError(q, error)\n        return true\n      }\n      sent.length === 0 && write(Sync)\n      errored(error)\n',
        ],
        // The reading of the array types, which each connection begins with, ended the process by its rejection. Without them arrays are text.
        ['return fetchArrayTypes()', 'return fetchArrayTypes().catch(() => socket && socket.destroy())'],
        // A peer that is gone without a word (a dead host) kept its queries until TCP gave up, after a quarter of an hour.
        ['    , rows = 0\n', '    , rows = 0\n    , received = 0\n'],
        ['  function data(x) {\n', '  function data(x) {\n    received++\n'],
        ['      const s = StartupMessage()\n', '      watch(socket)\n      const s = StartupMessage()\n'],
        [
          '  function error(err) {\n',
          `  /** Destroys a socket that brings nothing for \`query_timeout\` seconds while a query waits. */
  function watch(socket) {
    if (!options.query_timeout)
      return

    let seen = received
      , quiet = 0
    const timer = setInterval(() => {
      quiet = (query || initial || sent.length) && seen === received ? quiet + 1 : 0
      seen = received
      quiet >= 4 && socket.destroy(Errors.connection('CONNECTION_CLOSED', options, socket))
    }, options.query_timeout * 250)
    timer.unref && timer.unref()
    socket.once('close', () => clearInterval(timer))
  }

  function error(err) {\n`,
        ],
      ],
      // A query goes to the idle connection that was used last (LIFO), whose session has its plans in the CPU's caches.
      'src/queue.js': [
        ['    push: (x) => (xs.push(x), x),\n', '    push: (x) => (xs.push(x), x),\n    pop: () => xs.pop(),\n'],
      ],
      // A cancel that could not connect ended the process by its rejection, which the driver gives to no caller.
      'src/query.js': [['(this.canceller(this), ', '(this.canceller(this).catch(() => {}), ']],
      'src/index.js': [
        ['      ? open.shift()', '      ? open.pop()'],
        ['go(open.shift(), query)', 'go(open.pop(), query)'],
        // A transaction whose connection is lost sent its rollback on that object: without a socket, or to another query's session.
        ['let savepoints = 0\n      , connection\n', 'let savepoints = 0\n      , connection\n      , own\n'],
        ['    fetch_types     : true,\n', '    fetch_types     : true,\n    query_timeout   : null,\n'],
        ['c.reserved = () => queries.length', 'own = c.reserved = () => queries.length'],
        [
          '        q.catch(e => uncaughtError || (uncaughtError = e))\n',
          "        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (c.reserved !== own)\n          return q.reject(Errors.connection('CONNECTION_CLOSED', options))\n",
        ],
      ],
    },
  },
]

/**
 * Applies the patches that are missing; reads each patched file.
 * @param {string} root the repository's folder
 * @throws SetupError when a package has another version or cannot be written
 */
export function applyPatches(root) {
  for (const { name, version, changes } of patches) {
    const folder = packageDir(root, name)
    if (!folder) continue
    for (const [file, pairs] of Object.entries(changes)) applyTo(path.join(folder, file), pairs, `${name} ${version}`)
  }
}

function applyTo(location, pairs, expected) {
  const installed = readFileSync(location, 'utf8')
  let patched = installed
  for (const [from, to] of pairs) {
    if (patched.includes(to)) continue
    if (patched.split(from).length !== 2)
      throw new SetupError(`${location} is not that of ${expected}: bin/patches.mjs has no patch for it.`)
    patched = patched.replace(from, () => to)
  }
  if (patched !== installed) replaceFile(location, patched)
}

/** By renaming: another process may be reading the file, and package managers link files into several folders. */
function replaceFile(location, text) {
  const temporary = `${location}.${process.pid}`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, location)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new SetupError(`${location} cannot be patched (${error.message}): run "npx kinora build" as its owner.`)
  }
}
