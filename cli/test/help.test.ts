/** `kinora help`: the commands and their options, compared with the sources. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { runKinora } from './cli-process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const OPTION = /['"]?([\w-]+)['"]?: \{ type: '(?:string|boolean)'/g

test('kinora help: options that the commands parse → each is listed', async (t) => {
  const { output } = await runKinora(t, ['help'], {}).ended
  const sources = globSync('{server,cli}/src/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(path.join(root, file), 'utf8'),
  )
  const options = sources
    .filter((text) => /\b(parseArgs|readArguments)\(/.test(text))
    .flatMap((text) => [...text.matchAll(OPTION)])
  const names = [...new Set(options.map(([, name]) => `--${name}`))]
  assert.ok(names.length > 12, names.join())
  assert.deepEqual(
    names.filter((name) => !new RegExp(`${name}\\b`).test(output)),
    [],
  )
  const [, doctor = ''] = /^ {2}doctor (.*?)^ {2}postgres /ms.exec(output) ?? []
  for (const checked of ['mail server', 'backups', 'trace collector']) assert.ok(doctor.includes(checked), checked)
})

test('kinora help: backup --help, help backup → the command and its options alone', async (t) => {
  for (const args of [
    ['backup', '--help'],
    ['help', 'backup'],
  ]) {
    const { status, output } = await runKinora(t, args, {}).ended
    assert.match(output, /^ {2}backup \[target\] .*--keep <n>.*--no-hashes/s)
    assert.doesNotMatch(output, /restore/)
    assert.equal(status, 0)
  }
  assert.deepEqual(await runKinora(t, ['help', 'films'], {}).ended, {
    status: 2,
    output: 'There is no command "films". "npx kinora help" lists the commands.\n',
  })
})

test('kinora help: --version → that of package.json', async (t) => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  assert.deepEqual(await runKinora(t, ['--version'], {}).ended, { status: 0, output: `${version}\n` })
})
