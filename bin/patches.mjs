/**
 * Applies the diffs of patches/ to installed packages whose releases lack what is needed. node_modules is patched,
 * because the server runs from its sources in the tests and from its build in production, and both read it. A diff is
 * one of `git diff --full-index`, whose `index` lines have the hash of each file before and after: only the released
 * file is changed, and only into the patched one.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageDir } from './install.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * Patches what is not patched yet; reads each patched file.
 * @param {string} root the repository's folder
 * @throws SetupError when a file is neither the released nor the patched one, or cannot be written
 */
export function applyPatches(root) {
  for (const patch of readdirSync(path.join(root, 'patches'))) {
    const diffs = readFileSync(path.join(root, 'patches', patch), 'utf8')
      .split(/^diff --git /m)
      .slice(1)
    for (const diff of diffs) applyDiff(root, patch, diff)
  }
}

/** @param {string} diff of one file */
function applyDiff(root, patch, diff) {
  const [header, ...hunks] = diff.split(/^@@ /m)
  const [, name, file] = /^--- a\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.+)$/m.exec(header)
  const [, before, after] = /^index ([0-9a-f]{40})\.\.([0-9a-f]{40})/m.exec(header)
  const folder = packageDir(root, name)
  if (!folder) return
  const location = path.join(folder, file)
  const installed = readFileSync(location, 'utf8')
  const hash = blobHash(installed)
  if (hash === after) return
  const patched = hash === before ? applyHunks(installed, hunks) : installed
  if (blobHash(patched) !== after) {
    throw new SetupError(
      `${location} is not the file that patches/${patch} changes: delete ${folder} and run the command again, which installs it anew.`,
    )
  }
  replaceFile(location, patched)
}

/** Replaces the last lines first, so that other hunks' line numbers hold. The hash checks the context lines. */
function applyHunks(text, hunks) {
  const lines = text.split('\n')
  for (const hunk of hunks.reverse()) {
    const [, start, count = 1] = /^-(\d+)(?:,(\d+))?/.exec(hunk)
    const result = hunk
      .split('\n')
      .slice(1)
      .filter((line) => /^[ +]/.test(line))
    lines.splice(start - 1, Number(count), ...result.map((line) => line.slice(1)))
  }
  return lines.join('\n')
}

/** The hash that git gives a file. */
function blobHash(text) {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')
}

/** Renames a new file over the old one: another process may be reading it, and package managers link files. */
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
