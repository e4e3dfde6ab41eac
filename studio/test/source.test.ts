/** What no file of the studio does, because one place does it for all. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const src = path.join(import.meta.dirname, '../src')
const sources = globSync('**/*.{ts,tsx}', { cwd: src })
  .sort()
  .map((file) => ({ file, text: readFileSync(path.join(src, file), 'utf8') }))

const filesWith = (pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

test('numbers: field of a number → `NumberField`, or a text with `useRefusal`, which no wheel changes', () => {
  assert.deepEqual(filesWith(/type=["']number/), [])
})

/** They note a key, and do nothing by it that an input method could have meant otherwise. */
const NOTING = ['library/deletion.ts', 'ui/infinite-lines.ts', 'ui/toasts.tsx']

test('keys: file that hears them → leaves those of an input method alone', () => {
  const hearing = filesWith(/['"]keydown['"]|onKeyDown=/)
  const guarded = filesWith(/isComposing\(/)
  assert.deepEqual(
    hearing.filter((file) => !guarded.includes(file)),
    NOTING,
  )
})
