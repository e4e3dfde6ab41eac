/**
 * `npm run release:check -- [--out DIR] [--name NAME] [--no-install] [--report]`: packs the clients, the AI
 * SDK's provider, the command line for users, and `kinora` with server, simulator and studio; installs them from files
 * and from a local registry in empty projects with an empty home, and makes films with them from prompt to bytes;
 * writes SBOMs (CycloneDX), the sources, checksums and signed provenance beside the packages. KINORA_RELEASE_KEY or
 * KINORA_RELEASE_KEY_FILE has the private Ed25519 key (PEM); without one the run makes a key of its own. See
 * docs/releases.md.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeSection } from '../../proofs/simulation/reliability.ts'
import { ensureBuild } from '../build.mjs'
import { startDatabase } from '../database.mjs'
import { readJson } from '../files.mjs'
import { SetupError } from '../setup-error.mjs'
import { keyId, problemsOf, signStatement, statementOf } from './attestation.mjs'
import { architectures, buildImage, countPrograms, imageProblem, startImage, unpackImage } from './image.mjs'
import { tryProjects } from './projects.mjs'
import { buildPython, pythonProblem } from './python.mjs'
import { bundledSbom, emptySbom, installedSbom } from './sbom.mjs'
import { npm, shrinkwrap, stage } from './stage.mjs'

const READY_MAX_MS = 120_000
const FILM_MAX_MS = 120_000

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    name: { type: 'string' },
    'no-install': { type: 'boolean' },
    report: { type: 'boolean' },
  },
})
const startedAt = new Date()
const step = (text) => process.stdout.write(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}\n`)
const folder = mkdtempSync(path.join(tmpdir(), 'kinora-release-'))
// PostgreSQL runs as another user when root runs Kinora, and traverses this folder.
spawnSync('chmod', ['711', folder])
const out = path.resolve(values.out ?? path.join(folder, 'out'))
mkdirSync(out, { recursive: true })
try {
  await check()
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  if (values.out) rmSync(folder, { recursive: true, force: true })
  else if (process.exitCode) process.stdout.write(`What was built is in ${folder}.\n`)
  else rmSync(folder, { recursive: true, force: true })
}

async function check() {
  for (const name of ['studio', 'server']) {
    const problem = await ensureBuild(root, process.execPath, name)
    if (problem) throw new SetupError(problem)
  }
  const staged = path.join(folder, 'kinora')
  mkdirSync(staged)
  const { version } = stage(root, staged, values.name)
  shrinkwrap(root, staged)
  const [kinora, client, userCli, aiSdk] = [staged, 'client', 'user-cli', 'ai-sdk-provider'].map((each) =>
    pack(path.resolve(root, each)),
  )
  const packed = [kinora, client, userCli, aiSdk].map(({ filename }) => filename)
  step(`packed ${packed.join(', ')}; the first has ${mb(kinora.size)}, ${kinora.files.length} files`)
  const python = pythonClient()
  const sboms = writeSboms(staged, version, { client, userCli, aiSdk, python })

  // The context of an image (deploy/Containerfile), with the chart. Only a clone has a commit.
  const commit = git('rev-parse', 'HEAD')
  const sources = `kinora-${version}-source.tar.gz`
  if (commit)
    git('archive', '--format=tar.gz', `--prefix=kinora-${version}/`, '--output', path.join(out, sources), commit)
  const files = [...packed, ...sboms, ...python, ...(commit ? [sources] : [])]

  let filmBytes = []
  if (!values['no-install']) {
    files.push(...(await makeImages(staged, version, commit)))
    const [server, forPrograms, forUsers] = [kinora, client, userCli].map(({ filename }) => path.join(out, filename))
    filmBytes = await makeFilms([server, forPrograms], forUsers)
    step(`films of ${filmBytes.join(', ')} bytes, by the client and the command line, from the released packages alone`)
  }

  const key = releaseKey()
  const statement = statementOf({
    folder: out,
    files,
    version,
    commit: commit || 'unknown',
    isDirty: git('status', '--porcelain') !== '',
    lockFile: path.join(root, 'package-lock.json'),
    startedAt,
    finishedAt: new Date(),
  })
  const envelope = signStatement(statement, key.pem)
  const publicKey = createPublicKey(key.pem)
  writeFileSync(path.join(out, `kinora-${version}.intoto.json`), `${JSON.stringify(envelope)}\n`)
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' })
  writeFileSync(path.join(out, 'release-key.pub.pem'), publicPem)
  const problems = problemsOf(envelope, publicPem, out)
  if (problems.length > 0) throw new SetupError(`The provenance does not verify: ${problems.join(', ')}.`)
  step(`kinora-${version}.intoto.json: signed by key ${keyId(publicKey).slice(0, 16)}, ${key.from}`)
  const sums = statement.subject.map(({ name, digest }) => `${digest.sha256}  ${name}\n`)
  writeFileSync(path.join(out, 'SHA256SUMS'), sums.join(''))
  if (values.report) writeSection('release', reportOf(statement, sboms, filmBytes))
  if (values.out) step(`everything is in ${out}`)
}

/**
 * An image of each architecture, and its SBOM. Every program in it is of its architecture; that of this machine serves
 * on a database of its own.
 * @returns the names of their files; none where they cannot be made
 */
async function makeImages(staged, version, commit) {
  const problem = imageProblem()
  if (problem) {
    step(`left out the images: ${problem}`)
    return []
  }
  const createdAt = new Date(commit ? Number(git('log', '-1', '--format=%ct')) * 1000 : 0)
  const sbomOfAll = installedSbom(staged)
  const files = []
  for (const arch of Object.keys(architectures)) {
    const work = path.join(folder, `image-${arch}`)
    mkdirSync(work)
    const options = { staged, sbom: sbomOfAll, work, out, version, arch, createdAt, revision: commit }
    const { file, sbom, sizeBytes } = buildImage(options)
    const unpacked = path.join(work, 'unpacked')
    const config = unpackImage(path.join(out, file), unpacked)
    const root = path.join(unpacked, 'root')
    step(`${file}: ${mb(sizeBytes)}, ${countPrograms(root, arch)} programs and libraries of ${arch}`)
    if (process.platform === 'linux' && arch === process.arch) {
      await tryImage(root, config)
      step(`${file} serves as its user, with Debian's packages and the release alone`)
    }
    files.push(file, writeSbom(file.replace('.oci.tar', '.cdx.json'), sbom))
    rmSync(work, { recursive: true })
  }
  return files
}

/** Starts API and worker of an unpacked image, and asks for its readiness and the studio. */
async function tryImage(image, config) {
  const database = await startDatabase(root)
  if (!database) throw new SetupError('The database for the image did not start.')
  const port = '18080'
  const url = `http://127.0.0.1:${port}`
  const child = startImage(image, config, ['all'], {
    ...{ DATABASE_URL: database.url, PORT: port, PUBLIC_URL: url, NODE_ENV: 'test' },
    ...{ AUTH_SECRET: 'of an image that is tried', PROVIDER_FAL_API_KEY: 'none' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise((resolve) => child.once('exit', (status) => resolve(status)))
  try {
    const read = async (target) => {
      const response = await fetch(url + target, { headers: { accept: 'text/html' } }).catch(() => null)
      return response?.ok ? await response.text() : ''
    }
    const until = Date.now() + READY_MAX_MS
    while (!(await read('/readyz'))) {
      if (child.exitCode !== null || Date.now() > until) throw new SetupError(`The image is not ready:\n${output}`)
      await sleep(200)
    }
    if (!(await read('/')).includes('<script type="module"'))
      throw new SetupError('The image does not serve the studio.')
    child.kill('SIGTERM')
    if ((await ended) !== 0) throw new SetupError(`The image did not stop:\n${output}`)
  } finally {
    child.kill('SIGKILL')
    await database.stop()
  }
}

/** @returns the names of its files; none where it cannot be made */
function pythonClient() {
  const problem = pythonProblem()
  if (problem) step(`left out the Python client: ${problem}`)
  const files = problem ? [] : buildPython(root, out)
  if (!problem) step(files.join(', '))
  return files
}

/** One of each package. @returns their names */
function writeSboms(staged, version, { client, userCli, aiSdk, python }) {
  const manifest = (name) => readJson(path.join(root, name, 'package.json'))
  const lock = readJson(path.join(root, 'package-lock.json'))
  const nameOf = ({ filename }) => filename.replace(/\.tgz$/, '.cdx.json')
  const bundled = (name) => bundledSbom(manifest(name), manifest('client'), lock)
  const pythonManifest = { name: 'kinora', version, license: 'MIT' }
  return [
    writeSbom(`kinora-${version}.cdx.json`, installedSbom(staged)),
    writeSbom(nameOf(client), bundledSbom(manifest('client'), manifest('client'), lock)),
    writeSbom(nameOf(userCli), bundled('user-cli')),
    writeSbom(nameOf(aiSdk), bundled('ai-sdk-provider')),
    ...(python.length > 0 ? [writeSbom(`kinora-python-${version}.cdx.json`, emptySbom(pythonManifest))] : []),
  ]
}

function pack(packageDir) {
  const [packed] = JSON.parse(npm(packageDir, ['pack', '--json', '--silent', '--pack-destination', out]))
  return packed
}

/** The lines for docs/reliability.md. */
function reportOf({ subject }, sboms, filmBytes) {
  const components = sboms.map((name) => `${name} names ${readJson(path.join(out, name)).components.length}`)
  return [
    `Signed and verified: ${subject.map(({ name }) => name).join(', ')}.`,
    `Components: ${components.join(', ')}.`,
    filmBytes.length > 0
      ? `Films of ${filmBytes.join(', ')} bytes by the client and the command line, and by each project of the local registry, from the released packages alone.`
      : 'The packages were not installed.',
  ].join('\n\n')
}

/** @returns its name */
function writeSbom(name, sbom) {
  writeFileSync(path.join(out, name), `${JSON.stringify(sbom, null, 1)}\n`)
  step(`${name}: ${sbom.components.length} components`)
  return name
}

/**
 * Installs the packages in an empty folder, the command line for users in another one, with an empty home, and runs
 * them there.
 * @returns the sizes of the films in bytes
 */
async function makeFilms(tarballs, userCliTarball) {
  const work = path.join(folder, 'work')
  const home = path.join(folder, 'home')
  const userWork = path.join(folder, 'user')
  for (const each of [work, home, userWork]) mkdirSync(each)
  // npm's cache is not the home's: what it holds is checked against the hashes of the shrinkwrap.
  const cache = npm(root, ['config', 'get', 'cache']).trim()
  // Certificates and proxies of this machine are in its environment.
  const env = { ...process.env, HOME: home, npm_config_cache: cache, npm_config_prefer_offline: 'true' }
  for (const each of [work, userWork]) writeFileSync(path.join(each, 'package.json'), '{ "private": true }\n')
  npm(work, ['install', '--no-audit', '--no-fund', ...tarballs], env)
  // It has no dependency, so it needs no registry.
  npm(userWork, ['install', '--offline', '--no-audit', '--no-fund', userCliTarball], env)
  step('installed in empty folders')
  cpSync(path.join(root, 'bin/release/film.mjs'), path.join(work, 'film.mjs'))

  const child = spawn(path.join(work, 'node_modules/.bin/kinora'), ['start'], {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: home, PORT: '0', HOST: '127.0.0.1', NEW_USER_CREDITS: '1000' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    const url = await new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk
          const [, found] = /Studio\s+(http:\/\/\S+)/.exec(output) ?? []
          if (found) resolve(found)
        })
      }
      child.once('exit', () => reject(new SetupError(`The installed kinora ended:\n${output}`)))
      setTimeout(() => reject(new SetupError(`The installed kinora is not ready:\n${output}`)), READY_MAX_MS).unref()
    })
    step(`kinora start is ready at ${url}`)
    const userCli = path.join(userWork, 'node_modules/.bin/kinora')
    const film = spawnSync(process.execPath, ['film.mjs', url, work, userCli], {
      cwd: work,
      env: { PATH: process.env.PATH, HOME: home },
      encoding: 'utf8',
      timeout: FILM_MAX_MS,
    })
    if (film.status !== 0) throw new SetupError(`No film was made:\n${film.stderr}\n${output}`)
    const [first, second, apiKey] = film.stdout.trim().split(' ')
    const vite = readJson(path.join(root, 'node_modules/vite/package.json')).version
    await tryProjects({ packages: out, folder: path.join(folder, 'projects'), url, apiKey, vite, env }, step)
    return [Number(first), Number(second)]
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** @throws SetupError when the setting is no private key */
function releaseKey() {
  const { KINORA_RELEASE_KEY: text, KINORA_RELEASE_KEY_FILE: file } = process.env
  if (!text && !file) {
    const { privateKey } = generateKeyPairSync('ed25519')
    return { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }), from: 'made by this run: no key was set' }
  }
  return { pem: text ?? readFileSync(file, 'utf8'), from: 'the release key' }
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? ''
}

function mb(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
