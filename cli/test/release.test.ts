/** The parts of `npm run release:check` that need no network: the staged tree, signed and verified provenance. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { temporaryDir } from './cli-process.ts'

const root = path.resolve(import.meta.dirname, '../..')
// Imports have computed names: the plain JavaScript of bin/ has no declarations.
const { ensureBuild } = await import(path.join(root, 'bin/build.mjs'))
for (const name of ['studio', 'server']) assert.equal(await ensureBuild(root, process.execPath, name), null)
const importTool = (name: string) => import(path.join(root, 'bin/release', name))
const { problemsOf, signStatement, statementOf } = await importTool('attestation.mjs')
const { packImage, unpackImage } = await importTool('image.mjs')
const { bundledSbom } = await importTool('sbom.mjs')
const { newProject, startRegistry } = await importTool('projects.mjs')
const { buildPython, pythonProblem, run } = await importTool('python.mjs')
const { npm, shrinkwrap, stage } = await importTool('stage.mjs')
const pem = () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' })
  return { privateKey: text, publicKey: createPublicKey(text).export({ type: 'spki', format: 'pem' }) }
}

test('release: staged tree → JavaScript only, every relative import or URL leads to a file, no test is in it', (t) => {
  const folder = temporaryDir(t)
  const manifest = stage(root, folder)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    files.filter((name) => /\.tsx?$|\.test\.|(^|\/)test\//.test(name)),
    [],
  )
  const scripts = files.filter((name) => /\.(js|mjs)$/.test(name) && !name.startsWith('studio/'))
  assert.ok(scripts.length > 60)
  const missing = scripts.flatMap((name) => {
    const text = readFileSync(path.join(folder, name), 'utf8')
    const references =
      /^(?:import|export)\b[^'\n]*?'(\.[^']+)'|^\} from '(\.[^']+)'|new URL\('(\.[^']+)', import\.meta\.url\)/gm
    return [...text.matchAll(references)]
      .map(([, ...names]) => path.join(path.dirname(name), names.find(Boolean) ?? ''))
      .filter((target) => !existsSync(path.join(folder, target)))
      .map((target) => `${name}: ${target}`)
  })
  assert.deepEqual(missing, [])
  const help = spawnSync(process.execPath, ['--check', path.join(folder, 'cli/src/main.js')], { encoding: 'utf8' })
  assert.equal(help.status, 0, help.stderr)
  assert.equal(manifest.name, 'kinora')
})

test('release: database driver → the patched one of the server build, also for the embedded PostgreSQL', async (t) => {
  const folder = temporaryDir(t)
  stage(root, folder)
  const scripts = globSync('{bin,cli,server,simulator}/**/*.{js,mjs}', { cwd: folder })
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
  assert.deepEqual(
    scripts.filter((name) => /(from|import\() ?['"]postgres['"]/.test(read(name))),
    [],
  )
  const driver = path.join(folder, 'server/dist/postgres.js')
  const importsDriver = scripts.filter(
    (name) =>
      name.startsWith('cli/') &&
      read(name).includes(`'${path.relative(path.dirname(name), 'server/dist/postgres.js')}'`),
  )
  assert.deepEqual(importsDriver.sort(), ['cli/src/database/database.js', 'cli/src/database/roles.js'])
  const { default: postgres } = await import(driver)
  // Only the patched driver has this option.
  assert.equal(postgres('postgres://a@127.0.0.1/a').options.query_timeout, null)
})

test('release: shrinkwrap → versions and hashes of package-lock.json, nothing of development', (t) => {
  const folder = temporaryDir(t)
  const { dependencies, optionalDependencies } = stage(root, folder)
  shrinkwrap(root, folder)
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')).packages
  const { '': manifest, ...packages } = read(path.join(folder, 'npm-shrinkwrap.json'))
  const locked = read(path.join(root, 'package-lock.json'))
  assert.deepEqual(manifest.dependencies, dependencies)
  for (const [name, version] of Object.entries<string>({ ...dependencies, ...optionalDependencies })) {
    assert.equal(packages[`node_modules/${name}`]?.version, version, name)
  }
  for (const [name, entry] of Object.entries<{ version: string; integrity?: string }>(packages)) {
    const same = ['', 'cli/', 'server/', 'simulator/'].map((workspace) => locked[workspace + name]).filter(Boolean)
    assert.ok(
      same.some(({ version, integrity }) => version === entry.version && integrity === entry.integrity),
      name,
    )
  }
  const development = ['typescript', '@biomejs/biome', 'vite', 'rolldown', 'playwright-core', 'fast-check']
  assert.deepEqual(
    development.filter((name) => packages[`node_modules/${name}`]),
    [],
  )
})

test('release: SBOM of the command line for users → the client and its dependencies, by version and hash', () => {
  const read = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8'))
  const [userCli, client, lock] = ['user-cli/package.json', 'client/package.json', 'package-lock.json'].map(read)
  const sbom = bundledSbom(userCli, client, lock)
  assert.equal(sbom.metadata.component.purl, `pkg:npm/%40kinora/command-line@${userCli.version}`)
  const [own, ...contained] = sbom.components as { name: string; version: string; hashes?: { content: string }[] }[]
  assert.equal(own?.name, '@kinora/client')
  assert.deepEqual(contained.map(({ name }) => name).sort(), ['eventsource-parser', 'openapi-fetch'])
  for (const { name, version, hashes } of contained) {
    const entry = lock.packages[`client/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`]
    assert.equal(version, entry.version)
    assert.equal(`sha512-${Buffer.from(hashes?.[0]?.content ?? '', 'hex').toString('base64')}`, entry.integrity)
  }
})

test('release: provenance → verifies with its key and files; a changed file, statement or key is refused', (t) => {
  const folder = temporaryDir(t)
  writeFileSync(path.join(folder, 'kinora-1.0.0.tgz'), 'the package')
  const { privateKey, publicKey } = pem()
  const build = {
    folder,
    files: ['kinora-1.0.0.tgz'],
    version: '1.0.0',
    commit: 'c0ffee',
    isDirty: false,
    lockFile: path.join(root, 'package-lock.json'),
    startedAt: new Date(0),
    finishedAt: new Date(1000),
  }
  const statement = statementOf(build)
  const envelope = signStatement(statement, privateKey)
  assert.deepEqual(problemsOf(envelope, publicKey, folder), [])
  assert.deepEqual(problemsOf(envelope, pem().publicKey, folder), ['no signature is of this key'])

  const forged = { ...statement, predicate: { ...statement.predicate, builder: 'another' } }
  const payload = Buffer.from(JSON.stringify(forged)).toString('base64')
  assert.deepEqual(problemsOf({ ...envelope, payload }, publicKey, folder), ['no signature is of this key'])
  assert.deepEqual(problemsOf({ ...envelope, payloadType: 'text/plain' }, publicKey, folder), [
    'this is no DSSE envelope',
  ])

  writeFileSync(path.join(folder, 'kinora-1.0.0.tgz'), 'another package')
  assert.deepEqual(problemsOf(envelope, publicKey, folder), ['kinora-1.0.0.tgz is not the file that was signed'])
})

test('release: image of a tree → equal bytes twice, unpacked with its owners and digests; a changed blob is refused', (t) => {
  const folder = temporaryDir(t)
  const root = path.join(folder, 'root')
  for (const name of ['app', 'data', 'etc']) mkdirSync(path.join(root, name), { recursive: true })
  writeFileSync(path.join(root, 'app/main.js'), 'the server')
  writeFileSync(path.join(root, 'etc/passwd'), 'kinora')
  const archives = ['first', 'second'].map((name) => {
    const archive = path.join(folder, `${name}.oci.tar`)
    const work = path.join(folder, name)
    packImage({ root, work, archive, version: '1.0.0', arch: 'arm64', createdAt: new Date(1e12), revision: 'c0ffee' })
    return archive
  })
  const [first = '', second = ''] = archives
  assert.ok(readFileSync(first).equals(readFileSync(second)))

  const unpacked = path.join(folder, 'unpacked')
  const { architecture, config, rootfs } = unpackImage(first, unpacked)
  assert.deepEqual([architecture, config.User, rootfs.diff_ids.length], ['arm64', '10001:10001', 3])
  assert.equal(readFileSync(path.join(unpacked, 'root/app/main.js'), 'utf8'), 'the server')
  if (process.getuid?.() === 0) assert.equal(statSync(path.join(unpacked, 'root/data')).uid, 10_001)

  const layout = path.join(folder, 'first/layout')
  const { Layers } = JSON.parse(readFileSync(path.join(layout, 'manifest.json'), 'utf8'))[0]
  writeFileSync(path.join(layout, Layers[1]), 'another release')
  spawnSync('tar', ['--create', '--file', first, '--directory', layout, '.'])
  assert.throws(() => unpackImage(first, path.join(folder, 'changed')), /sha256:[0-9a-f]{64} has other bytes\.$/)
})

test('release: key of another kind → refused', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' })
  assert.throws(() => signStatement({}, text), /not an Ed25519 key/)
})

test('release: local registry → npm installs the command line from it, pip the Python client, and both run', async (t) => {
  const folder = temporaryDir(t)
  npm(path.join(root, 'user-cli'), ['pack', '--silent', '--pack-destination', folder])
  const problem = pythonProblem()
  if (problem) t.diagnostic(`left out the Python client: ${problem}`)
  else buildPython(root, folder)
  const registry = await startRegistry(folder)
  t.after(registry.close)
  const project = newProject(path.join(folder, 'project'), registry.url)
  npm(project, ['install', '--no-audit', '--no-fund', '@kinora/command-line'])
  const cli = path.join(project, 'node_modules/@kinora/command-line/dist/kinora.js')
  assert.match(run(process.execPath, [cli, '--help']), /kinora generate/)
  if (problem) return
  const python = path.join(folder, 'python')
  run('python3', ['-m', 'venv', python])
  const index = ['--disable-pip-version-check', '--index-url', `${registry.url}/simple/`]
  run(path.join(python, 'bin/pip'), ['install', ...index, 'kinora'])
  run(path.join(python, 'bin/pip'), ['install', ...index, '--force-reinstall', '--no-binary', ':all:', 'kinora'])
  assert.equal(run(path.join(python, 'bin/python'), ['-c', 'import kinora; print(kinora.Kinora.__name__)']), 'Kinora\n')
})
