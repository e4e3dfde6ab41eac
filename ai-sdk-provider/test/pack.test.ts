/**
 * The published package: packed by npm, installed from the tarball into an empty folder, and used there by the example
 * of its README against the real service. `ai` is linked, because it has many dependencies of its own.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openKinora } from '../../server/test/support/harness.ts'
import { installPackage } from '../../server/test/support/npm-package.ts'

const run = promisify(execFile)
const ADDRESS = 'http://localhost:8080'
const here = path.resolve(import.meta.dirname, '..')
const modules = path.resolve(here, '../node_modules')
const service = await openKinora({ simulator: true, worker: true })
const dependencies = ['@ai-sdk/provider', 'json-schema'].map((name) => path.join(modules, name))
const { folder, files } = await installPackage(here, dependencies)
await symlink(path.join(modules, 'ai'), path.join(folder, 'node_modules/ai'))
await mkdir(path.join(folder, 'node_modules/@types'))
await symlink(path.join(modules, '@types/node'), path.join(folder, 'node_modules/@types/node'))

/** The first example of the README, with the URL of this test's service. */
const readme = await readFile(path.join(here, 'README.md'), 'utf8')
const example = (/```ts\n(.*?)```/s.exec(readme)?.[1] ?? '').replace(ADDRESS, service.url)

test('package: contents → one file with the client in it, declarations, licences; no sources', () => {
  assert.deepEqual(files.sort(), [
    ...['LICENSE', 'README.md', 'dist/LICENSES.txt', 'dist/index.d.ts', 'dist/index.js', 'dist/provider.d.ts'],
    'package.json',
  ])
})

test('package: installed alone → the example of the README makes a film on disk', async () => {
  assert.ok(example.includes(service.url))
  await writeFile(path.join(folder, 'film.ts'), example)
  const ann = await service.person()
  const { text } = await service.call('POST', '/api/auth/api-key/create', { as: ann, body: { name: 'pack' } })
  const { key } = JSON.parse(text) as { key: string }
  const env = { PATH: process.env.PATH, KINORA_API_KEY: key }
  await run(process.execPath, ['film.ts'], { cwd: folder, env })
  const film = await readFile(path.join(folder, 'boat.mp4'))
  assert.equal(film.subarray(4, 8).toString('latin1'), 'ftyp')
})

test('package: TypeScript, strict → the example compiles, mistakes are errors', async () => {
  const wrong = example.replace('apiKey:', 'apikey:').replace('kinora.videoModel', 'kinora.filmModel')
  assert.notEqual(wrong, example)
  await writeFile(path.join(folder, 'film.ts'), example)
  await writeFile(path.join(folder, 'wrong.ts'), wrong)
  const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2024', module: 'nodenext' }
  // The declarations of `ai` refer to packages that only some of its users have.
  const compilerOptions = { ...strict, types: ['node'], skipLibCheck: true }
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['film.ts', 'wrong.ts'] }),
  )
  const tsc = path.join(modules, 'typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '--pretty', 'false'], { cwd: folder }).then(
    () => assert.fail('the mistakes are not found'),
    (error) => error as { stdout: string },
  )
  const problems = stdout.match(/^\S+ error TS\d+/gm)?.map((problem) => problem.replace(/\(.*\)/, ''))
  assert.deepEqual(problems, ['wrong.ts: error TS2561', 'wrong.ts: error TS2339'], stdout)
})
