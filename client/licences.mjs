/** The licences of the packages that a bundle of the client contains, for the packages that are built on it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'))
const require = createRequire(path.join(import.meta.dirname, 'package.json'))

/** @throws Error when a package has no licence file */
export function writeLicences(file) {
  const licences = Object.keys(manifest.dependencies).map((name) => `${name}\n\n${licenceOf(name)}`)
  writeFileSync(file, licences.join('\n\n'))
}

function licenceOf(name) {
  const folders = require.resolve.paths(name) ?? []
  const files = folders.flatMap((folder) =>
    ['LICENSE', 'LICENSE.md'].map((licence) => path.join(folder, name, licence)),
  )
  const found = files.find((each) => existsSync(each))
  if (!found) throw new Error(`${name} has no licence file.`)
  return readFileSync(found, 'utf8')
}
