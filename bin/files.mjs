/** Reads files that may be missing. */
import { readFileSync } from 'node:fs'

/** @returns {string} the text of the file; empty when it cannot be read */
export function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** @returns {any} the parsed file; undefined when it cannot be read or is no JSON */
export function readJson(file) {
  try {
    return JSON.parse(readText(file))
  } catch {
    return undefined
  }
}
