/** The repository's files as text, for the tests of its rules. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../../..')

/** `code` is the text without comments. */
export type Source = { name: string; text: string; code: string }

export const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** The files of a folder with these extensions. */
export function sourcesOf(folder: string, ...endings: string[]): Source[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.some((ending) => name.endsWith(ending)) && !/(^|\/)(node_modules|dist[^/]*)\//.test(name))
    .sort()
    .map((name) => {
      const text = textOf(path.join(folder, name))
      return { name, text, code: text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*(\/\/|--).*$/gm, '') }
    })
}

/** Every match of the pattern, as `file: match`. */
export function found(files: Source[], pattern: RegExp): string[] {
  assert.ok(files.length > 0)
  return files.flatMap(({ name, code }) => [...code.matchAll(pattern)].map(([match]) => `${name}: ${match.trim()}`))
}
