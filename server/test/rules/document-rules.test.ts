/** Rules that the documents obey, checked against the source text. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { errorsPage } from '../../errors.ts'
import { describeProviders } from '../../providers.ts'
import { describeSettings } from '../../settings.ts'
import { declarationOf } from '../../src/config/settings.ts'
import { ERROR_CODES } from '../../src/errors.ts'
import { sourcesOf, textOf } from '../support/sources.ts'

test('docs/errors.md: what npm run errors writes → the file, with every code', () => {
  const page = textOf('docs/errors.md')
  assert.equal(page, errorsPage(), 'run npm run errors')
  for (const code of ERROR_CODES) assert.ok(page.includes(`| \`${code}\` |`), code)
})

test('docs/settings.md: what npm run settings writes → the file; the files of deploy/ set no other', () => {
  assert.equal(textOf('docs/settings.md'), describeSettings(), 'run npm run settings')
  const deployed = ['.env.example', 'systemd/kinora.env.example', 'helm/kinora/values.yaml'].flatMap((file) =>
    [...textOf(`deploy/${file}`).matchAll(/^ *#? *([A-Z][A-Z0-9_]+)(?:=|: )/gm)].map(([, name = '']) => name),
  )
  assert.ok(deployed.length > 10)
  const isSetting = (name: string) =>
    // Compose reads KINORA_IMAGE.
    (['NODE_ENV', 'KINORA_IMAGE'].includes(name) || declarationOf(name)) ??
    declarationOf(name.replace(/_FILE$/, ''))?.secret
  assert.deepEqual(
    deployed.filter((name) => !isSetting(name)),
    [],
  )
})

test('docs/providers.md: what npm run providers writes → the file', async () => {
  assert.equal(textOf('docs/providers.md'), await describeProviders(), 'run npm run providers')
})

test('documents: layers in ARCHITECTURE.md → the list of .dependency-cruiser.mjs', () => {
  const list = /const layers = \[([^\]]+)\]/.exec(textOf('.dependency-cruiser.mjs'))?.[1] ?? ''
  const documented = /`(main >[^`]+)`/.exec(textOf('ARCHITECTURE.md'))?.[1] ?? ''
  assert.deepEqual(
    documented.split('>').map((name) => name.trim()),
    [...list.matchAll(/'([\w/-]+)'/g)].map(([, name]) => name),
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
  assert.ok(files.length > 10)
  const root = new URL('../../../', import.meta.url)
  assert.deepEqual(
    files.filter((file) => !existsSync(new URL(file, root))),
    [],
  )
})
