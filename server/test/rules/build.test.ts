/** `server/main.mjs`: which code it runs, in a repository of three files; the build, in the Containerfile's folders. */
import assert from 'node:assert/strict'
import { execFileSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '../../..')
const copy = mkdtempSync(path.join(tmpdir(), 'kinora-build-'))
after(() => rmSync(copy, { recursive: true }))
for (const folder of ['bin', 'server/src']) mkdirSync(path.join(copy, folder), { recursive: true })
for (const file of ['bin/build.mjs', 'bin/files.mjs', 'server/main.mjs'])
  cpSync(path.join(root, file), path.join(copy, file))
writeFileSync(path.join(copy, 'package.json'), '{ "type": "module" }')
writeFileSync(path.join(copy, 'server/src/main.ts'), "console.log('sources')")
writeFileSync(
  path.join(copy, 'server/build.mjs'),
  `import { mkdirSync, writeFileSync } from 'node:fs'
   if (process.env.FAULT) throw new Error('no compiler')
   mkdirSync(process.argv[2])
   writeFileSync(process.argv[2] + '/main.js', "console.log('build')")`,
)

type Builder = { ensureBuild: (root: string, node: string, name: 'server') => Promise<string | null> }
const { ensureBuild } = (await import(pathToFileURL(path.join(copy, 'bin/build.mjs')).href)) as Builder
const build = () => ensureBuild(copy, process.execPath, 'server')
const run = () => execFileSync(process.execPath, [path.join(copy, 'server/main.mjs')], { encoding: 'utf8' }).trim()

test('server/main.mjs: no build → the sources; a current one → the build; sources changed since → the sources', async () => {
  assert.equal(run(), 'sources')
  assert.equal(await build(), null)
  assert.equal(run(), 'build')
  writeFileSync(path.join(copy, 'server/src/other.ts'), '')
  assert.equal(run(), 'sources')
  assert.equal(await build(), null)
  assert.equal(run(), 'build')
})

test('server/main.mjs: older Node → one sentence and status 1', () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, path.join(copy, 'server/main.mjs')]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^The server needs Node 24 or newer; this is Node 20\.1\.0\..*\n$/)
})

test('server build: fails → the reason, and the sources run', async () => {
  writeFileSync(path.join(copy, 'server/src/third.ts'), '')
  process.env.FAULT = '1'
  try {
    assert.match((await build()) ?? '', /The server could not be built:.*no compiler/s)
  } finally {
    delete process.env.FAULT
  }
  assert.equal(run(), 'sources')
})

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-image-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('Containerfile: files of the image → its build counts as made of them', async (t) => {
  const lines =
    readFileSync(path.join(root, 'deploy/Containerfile'), 'utf8')
      .split(/^FROM /m)
      .at(-1)
      ?.split('\n') ?? []
  const folder = temporaryFolder(t)
  for (const [, text = ''] of lines.flatMap((line) => [...line.matchAll(/^COPY (?!--from)(.+)/g)])) {
    const names = text.split(' ')
    const target = names.pop() ?? ''
    for (const name of names.flatMap((each) => globSync(each, { cwd: root }))) {
      const into = target.endsWith('/') ? path.join(target, path.basename(name)) : target
      cpSync(path.join(root, name), path.join(folder, into), { recursive: true })
    }
  }
  assert.equal(await ensureBuild(root, process.execPath, 'server'), null)
  cpSync(path.join(root, 'server/dist'), path.join(folder, 'server/dist'), { recursive: true })
  const { isBuilt } = await import(pathToFileURL(path.join(folder, 'bin/build.mjs')).href)
  assert.ok(isBuilt(folder, 'server'))
  rmSync(path.join(folder, 'patches'), { recursive: true })
  assert.ok(!isBuilt(folder, 'server'))
})

/** A repository's folder with the driver as npm installs it. */
function withReleasedDriver(t: TestContext) {
  const folder = temporaryFolder(t)
  for (const name of ['package.json', 'bin', 'patches', 'server/src', 'server/build.mjs', 'server/package.json'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  for (const modules of ['node_modules', 'server/node_modules']) {
    mkdirSync(path.join(folder, modules))
    for (const name of readdirSync(path.join(root, modules)).filter((name) => name !== 'postgres'))
      symlinkSync(path.join(root, modules, name), path.join(folder, modules, name))
  }
  const driver = path.join(folder, 'node_modules/postgres')
  cpSync(path.join(root, 'node_modules/postgres'), driver, { recursive: true })
  execFileSync('git', ['apply', '--reverse', 'patches/postgres+3.4.9.patch'], { cwd: folder })
  return { folder, index: path.join(driver, 'src/index.js'), build: () => buildServer(folder) }
}

function buildServer(folder: string): string {
  const { stderr } = spawnSync(process.execPath, ['server/build.mjs', path.join(folder, 'dist')], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stderr
}

test('server build: driver as npm installs it → the build has the patched one, and loads', async (t) => {
  const { folder, index, build } = withReleasedDriver(t)
  assert.ok(readFileSync(index, 'utf8').includes('open.shift()'))
  assert.equal(build(), '')
  assert.equal(readFileSync(index, 'utf8'), readFileSync(path.join(root, 'node_modules/postgres/src/index.js'), 'utf8'))
  const built = globSync(path.join(folder, 'dist/*.js'))
    .map((name) => readFileSync(name, 'utf8'))
    .join('')
  assert.ok(built.includes('go(open.pop(), query)'))
  assert.ok(!built.includes('open.shift()'))
  // Every module loads: the bundler has followed each package to all its files.
  const { stderr } = spawnSync(process.execPath, [path.join(folder, 'dist/main.js')], { encoding: 'utf8' })
  assert.doesNotMatch(stderr, /Cannot find (module|package)/)
  const child = fork(path.join(folder, 'dist/provider/expression-child.js'))
  await once(child, 'message')
  child.send({ texts: ['$string(duration)'], request: { duration: 4 } })
  assert.deepEqual(await once(child, 'message'), [[{ value: '4' }], undefined])
  child.kill('SIGKILL')
})

test('server build: driver that is neither the released nor the patched one → an error that names the file, which stays', (t) => {
  const { index, build } = withReleasedDriver(t)
  const other = `${readFileSync(index, 'utf8')}// another release\n`
  writeFileSync(index, other)
  assert.match(
    build(),
    /postgres\/src\/index\.js is not the file that patches\/postgres\+3\.4\.9\.patch changes: delete /,
  )
  assert.equal(readFileSync(index, 'utf8'), other)
})
