/** Rules that the documents obey, checked against the source text. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { sourcesOf, textOf } from '../support/sources.ts'

test('documents: settings → each one that the server reads is in the README; the files of deploy/ set no other', () => {
  const files = sourcesOf('server/src', '.ts').filter(({ code }) => /\bimport .*\bSettingReader\b/.test(code))
  assert.ok(files.length > 5)
  const read = files.flatMap(({ text }) => [
    ...text.matchAll(/\b(?:env\.|\w+\()'?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST)\b/g),
  ])
  const names = new Set(read.map(([, name = '']) => name).filter((name) => !/^(NODE_ENV|KINORA_CRASH_AT)$/.test(name)))
  assert.ok(names.size > 60, [...names].join())
  // The README names the page with the settings of tracing.
  const readme = textOf('README.md') + textOf('docs/observability.md')
  // A prefix such as PAYMENT_A counts as documented with its settings.
  const isDocumented = (name: string) => new RegExp(`\\b${name}(_|\\b)`).test(readme)
  assert.deepEqual(
    [...names].filter((name) => !isDocumented(name)),
    [],
  )
  const deployed = ['.env.example', 'systemd/kinora.env.example', 'helm/kinora/values.yaml'].flatMap((file) =>
    [...textOf(`deploy/${file}`).matchAll(/^ *([A-Z][A-Z0-9_]+)(?:=|: )/gm)].map(([, name = '']) => name),
  )
  assert.ok(deployed.length > 10)
  assert.deepEqual(
    deployed.filter((name) => !isDocumented(name)),
    [],
  )
})

test('documents: layers in ARCHITECTURE.md → the list of .dependency-cruiser.mjs', () => {
  const list = /const layers = \[([^\]]+)\]/.exec(textOf('.dependency-cruiser.mjs'))?.[1] ?? ''
  const documented = /`(main >[^`]+)`/.exec(textOf('ARCHITECTURE.md'))?.[1] ?? ''
  assert.deepEqual(
    documented.split('>').map((name) => name.trim()),
    [...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name),
  )
})

test('documents: decisions → each has a number of its own, which its title repeats', () => {
  const pages = sourcesOf('decisions', '.md').filter(({ name }) => name !== 'README.md')
  assert.ok(pages.length > 30)
  const numbers = pages.map(({ name }) => name.slice(0, 4))
  const taken = pages.filter(({ name }, i) => numbers.indexOf(name.slice(0, 4)) !== i).map(({ name }) => name)
  assert.deepEqual(taken, [], 'a number is used twice')
  const titles = pages.map(({ text }) => /^# (\d+)\. /.exec(text)?.[1]?.padStart(4, '0'))
  assert.deepEqual(titles, numbers)
})

test('package.json: each script → runs a file that exists', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const files = Object.values(scripts).flatMap((script) => /^(?:exec )?(?:node|bash) (\S+)/.exec(script)?.[1] ?? [])
  assert.ok(files.length > 25)
  const root = new URL('../../../', import.meta.url)
  assert.deepEqual(
    files.filter((file) => !existsSync(new URL(file, root))),
    [],
  )
})
