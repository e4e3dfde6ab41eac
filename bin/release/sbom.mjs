/** SBOMs of a release, CycloneDX: npm's of an installation, and one of a package that bundles others. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { readJson } from '../files.mjs'
import { SetupError } from '../setup-error.mjs'
import { npm } from './stage.mjs'

/** npm derives it from the shrinkwrap: every package that an installation gets, with its hash. */
export function installedSbom(folder) {
  const sbom = JSON.parse(
    npm(folder, [
      ...['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
      ...['--omit', 'dev', '--sbom-type', 'application'],
    ]),
  )
  // Equal sources make equal files.
  delete sbom.serialNumber
  delete sbom.metadata.timestamp
  return complete(sbom)
}

/**
 * A package of the client, or with the client in its file, which npm does not list as a dependency.
 * @param {object} manifest of the package @param {object} client the client's manifest @param {object} lock
 * package-lock.json
 */
export function bundledSbom(manifest, client, lock) {
  const names = Object.keys({ ...client.dependencies, ...manifest.dependencies })
  const contained = names.map((name) => {
    const entry =
      lock.packages[`ai-sdk-provider/node_modules/${name}`] ??
      lock.packages[`client/node_modules/${name}`] ??
      lock.packages[`node_modules/${name}`]
    if (!entry) throw new SetupError(`package-lock.json does not have ${name}.`)
    return component('library', { name, ...entry })
  })
  const own = manifest.name === client.name ? [] : [component('library', client)]
  return complete({ ...emptySbom(manifest), components: [...own, ...contained] })
}

/**
 * Of an image: packages of Debian, and those that npm has installed in a folder and that are still there.
 * @param {object} all of an installation on every platform
 */
export function imageSbom(all, debian, folder) {
  const { packages } = readJson(path.join(folder, 'node_modules/.package-lock.json'))
  const installed = new Set(
    Object.entries(packages)
      .filter(([place]) => existsSync(path.join(folder, place)))
      .map(([place, { version }]) => `${place.replace(/^.*node_modules\//, '')}@${version}`),
  )
  const contained = all.components.filter(({ name, version }) => installed.has(`${name}@${version}`))
  if (contained.length === 0) throw new SetupError('The SBOM of the image has no package of npm.')
  return complete({ ...all, components: [...debian, ...contained] })
}

/** Of a package without dependencies. */
export function emptySbom(manifest) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: component('application', manifest) },
    components: [],
  }
}

function component(type, { name, version, license, integrity }) {
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
  const [, hash] = /^sha512-(.+)$/.exec(integrity ?? '') ?? []
  return {
    type,
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl,
    ...(license ? { licenses: [{ license: { id: license } }] } : {}),
    ...(hash ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] } : {}),
  }
}

function complete(sbom) {
  const incomplete = sbom.components.filter(({ purl, version }) => !purl || !version)
  if (sbom.bomFormat !== 'CycloneDX' || sbom.components.length === 0 || incomplete.length > 0)
    throw new SetupError(`The SBOM is not complete: ${incomplete.map(({ name }) => name).join(', ')}`)
  return sbom
}
