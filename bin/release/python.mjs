/**
 * The Python client of a release, generated from openapi.json by OpenAPI Generator. Its last npm package that contains
 * the program is of 2020: it knows OpenAPI 3.0, to which openapi-down-convert brings the document. Both are installed
 * for the run alone, in these versions.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readJson } from '../files.mjs'
import { SetupError } from '../setup-error.mjs'
import { npm } from './stage.mjs'

const GENERATOR = '@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2'
const GENERATOR_SHA256 = '5c62d437e0f319fe5e9065242e270a14fb0581b4a92c5833f44940e18717dc0b'
const DOWN_CONVERT = '@apiture/openapi-down-convert@0.14.2'
/** What it would write besides the package. */
const IGNORED = [
  '.*',
  'git_push.sh',
  'README.md',
  'test',
  'test/*',
  'test-requirements.txt',
  'tox.ini',
  'requirements.txt',
]
const PACKAGES = ['certifi', 'dateutil', 'six', 'urllib3']

/** @returns why the client cannot be made here, or null */
export const pythonProblem = () => (runs('java', '-version') ? null : 'java is not installed')

/** @returns why the client cannot be run here, or null */
export const pythonRunProblem = () =>
  runs('python3', '-c', `import ${PACKAGES.join(', ')}`) ? null : `python3 with ${PACKAGES.join(', ')} is not installed`

/**
 * @param {string} root of the clone @param {string} work an empty folder @param {string} out gets the archive
 * @returns {{ file: string, sources: string }} the name of the archive, and the folder of the package
 */
export function makePythonClient(root, work, out, version) {
  writeFileSync(path.join(work, 'package.json'), '{ "private": true }\n')
  npm(work, ['install', '--ignore-scripts', '--no-audit', '--no-fund', GENERATOR, DOWN_CONVERT])
  const jar = path.join(work, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar')
  const sum = createHash('sha256').update(readFileSync(jar)).digest('hex')
  if (sum !== GENERATOR_SHA256) throw new SetupError(`${GENERATOR} has another program: SHA-256 ${sum}.`)
  const document = path.join(work, 'openapi.json')
  writeFileSync(document, simpler(readJson(path.join(root, 'openapi.json'))))
  run(path.join(work, 'node_modules/.bin/openapi-down-convert'), '--input', document, '--output', document)
  const name = `kinora-python-${version}`
  const sources = path.join(work, name)
  mkdirSync(sources)
  writeFileSync(path.join(sources, '.openapi-generator-ignore'), `${IGNORED.join('\n')}\n`)
  const properties = `packageVersion=${version},projectName=kinora,hideGenerationTimestamp=true`
  run(
    'java',
    ...['-jar', jar, 'generate', '-g', 'python', '-i', document, '-o', sources],
    ...['--package-name', 'kinora', '--skip-validate-spec', '--additional-properties', properties],
  )
  for (const each of ['python-client.md', 'film.py'])
    cpSync(path.join(root, 'bin/release', each), path.join(sources, each))
  cpSync(path.join(root, 'LICENSE'), path.join(sources, 'LICENSE'))
  run(
    'tar',
    '-czf',
    path.join(out, `${name}.tar.gz`),
    '-C',
    work,
    '--exclude',
    '.openapi-generator*',
    '--exclude',
    'test',
    name,
  )
  return { file: `${name}.tar.gz`, sources }
}

/**
 * A replacer of JSON.stringify. The generator writes `true` of a document into Python as it is, and makes a class
 * without a definition of `anyOf`: a schema or null becomes a schema that may be null, and a choice of several types
 * any value.
 */
function simpler(document) {
  const partsOf = ({ $ref, allOf = [], ...own }) =>
    $ref ? partsOf(document.components.schemas[$ref.split('/').at(-1)]) : [...allOf.flatMap(partsOf), own]
  return JSON.stringify(document, (_key, value) => {
    if (value?.type === 'boolean') return { ...value, const: undefined, enum: undefined }
    if (Array.isArray(value?.allOf)) return asOne(partsOf(value))
    return Array.isArray(value?.anyOf) ? withoutChoice(value) : value
  })
}

const asOne = (parts) => ({
  ...parts.at(-1),
  type: 'object',
  required: parts.flatMap(({ required = [] }) => required),
  properties: Object.assign({}, ...parts.toReversed().map(({ properties }) => properties)),
})

function withoutChoice(value) {
  const { anyOf, ...rest } = value
  const [schema, ...others] = anyOf.filter(({ type }) => type !== 'null')
  const nullable = others.length + 1 < anyOf.length
  if (others.length > 0) return { ...rest, nullable }
  return schema.$ref ? { ...rest, allOf: [schema], nullable } : { ...rest, ...schema, nullable }
}

const runs = (...command) => spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0

function run(...command) {
  const { status, stdout, stderr, error } = spawnSync(command[0], command.slice(1), {
    encoding: 'utf8',
    maxBuffer: 64e6,
  })
  if (status !== 0) throw new SetupError(`${command[0]} failed:\n${error ?? `${stdout}${stderr}`.slice(-4000)}`)
}
