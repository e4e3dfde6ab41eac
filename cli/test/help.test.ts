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
  const options = sources.filter((text) => text.includes('parseArgs(')).flatMap((text) => [...text.matchAll(OPTION)])
  const names = [...new Set(options.map(([, name]) => `--${name}`))]
  assert.ok(names.length > 12, names.join())
  assert.deepEqual(
    names.filter((name) => !new RegExp(`${name}\\b`).test(output)),
    [],
  )
  const [, doctor = ''] = /^ {2}doctor (.*?)^ {2}postgres /ms.exec(output) ?? []
  for (const checked of ['mail server', 'backups', 'trace collector']) assert.ok(doctor.includes(checked), checked)
})
