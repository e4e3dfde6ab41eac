// slow
/** The TypeScript samples of /docs: each is a program that compiles, strictly, with the client's types. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { callsOf, type Document } from '../../server/src/http/docs/document.ts'
import { samplesOf } from '../../server/src/http/docs/samples.ts'

const root = path.resolve(import.meta.dirname, '../..')

test('samples: TypeScript of every operation → compiles', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kinora-samples-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  const files: string[] = []
  for (const name of ['openapi', 'openapi-operator']) {
    const document = JSON.parse(await readFile(path.join(root, `${name}.json`), 'utf8')) as Document
    for (const call of document.tags.flatMap((tag) => callsOf(document, tag.name))) {
      const [, code = ''] = /```ts sample\n(.*?)```/s.exec(samplesOf(call, 'http://localhost:8080')) ?? []
      files.push(`${call.operation.operationId}.ts`)
      await writeFile(path.join(folder, `${call.operation.operationId}.ts`), code)
    }
  }
  assert.ok(files.length > 150)
  const { compilerOptions } = JSON.parse(await readFile(path.join(root, 'tsconfig.json'), 'utf8'))
  const paths = { '@kinora/client': [path.join(root, 'client/src/index.ts')] }
  const tsconfig = { compilerOptions: { ...compilerOptions, exactOptionalPropertyTypes: false, paths }, files }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  const tsc = promisify(execFile)(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
  const { stdout, stderr } = await tsc.catch((error: { stdout: string; stderr: string }) => error)
  assert.deepEqual([stdout, stderr], ['', ''])
})
