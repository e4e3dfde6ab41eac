/**
 * Empty projects that get the packages from a registry, and make their first film with them: ES modules and CommonJS on
 * each Node from 20 to 24, a page that Vite builds, and Python.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pythonProblem, run } from './python.mjs'
import { npm } from './stage.mjs'

const BODY = `{ prompt: 'A paper boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }`
const FILM = `
const kinora = openKinora({ baseUrl: process.env.KINORA_URL, apiKey: process.env.KINORA_API_KEY })
kinora.generateAndWait(${BODY}).then(async ({ data, error }) => {
  if (error) throw new Error(error.message)
  console.log(new Uint8Array(await (await fetch(data.videoUrl)).arrayBuffer()).length)
})
`
/** The AI SDK demands Node 22, and the provider 20: there its model is called as the AI SDK would. */
const MODEL_FILM = `
import { createKinora } from '@kinora/ai-sdk-provider'
const kinora = createKinora({ baseURL: process.env.KINORA_URL, apiKey: process.env.KINORA_API_KEY })
const model = kinora.videoModel('delta-1-5')
const request = { prompt: 'A kite', n: 1, duration: 4, aspectRatio: '16:9', providerOptions: {} }
const { operation } = await model.doStart(request)
let film
do {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  film = await model.doStatus({ operation })
} while (film.status === 'pending')
if (film.status === 'error') throw new Error(film.error)
console.log(new Uint8Array(await (await fetch(film.videos[0].url)).arrayBuffer()).length)
`
const PYTHON_FILM = `
import os, urllib.request
from kinora import Kinora

kinora = Kinora(os.environ["KINORA_URL"], api_key=os.environ["KINORA_API_KEY"])
film = kinora.generate_and_wait({"prompt": "A paper kite", "model": "delta-1-5", "duration": 4, "aspectRatio": "16:9"})
with urllib.request.urlopen(film["videoUrl"]) as response:
    print(len(response.read()))
`
/** With the packaged Node of this machine; npm has others under the same name. */
const NODES = ['20', '22', '24']
const [OLDEST_NODE] = NODES
const nodePackage = `node-${process.platform}-${process.arch}`

/**
 * @param {{ packages: string, folder: string, url: string, apiKey: string, vite: string, env: object }} options
 *   `packages`: the folder of the packages; `folder`: an empty one; `url`: of a running service; `vite`: its version
 * @param {(text: string) => void} step reports what is done
 */
export async function tryProjects({ packages, ...options }, step) {
  const { url: registry, close } = await startRegistry(packages)
  try {
    tryEach({ registry, ...options }, step)
  } finally {
    close()
  }
}

/** A process of its own, because npm and pip run while this one waits for them. */
export async function startRegistry(packages) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'registry.mjs'), packages], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { url: `${line}`.trim(), close: () => child.kill() }
}

function tryEach({ folder, registry, url, apiKey, vite, env }, step) {
  const withKey = { ...env, KINORA_URL: url, KINORA_API_KEY: apiKey }
  for (const node of NODES) {
    const project = newProject(path.join(folder, `node-${node}`), registry)
    npm(
      project,
      ['install', '--no-audit', '--no-fund', '@kinora/client', '@kinora/command-line', `${nodePackage}@${node}`],
      env,
    )
    const program = path.join(project, `node_modules/${nodePackage}/bin/node`)
    writeFileSync(path.join(project, 'film.mjs'), `import { openKinora } from '@kinora/client'\n${FILM}`)
    writeFileSync(path.join(project, 'film.cjs'), `const { openKinora } = require('@kinora/client')\n${FILM}`)
    const made = ['film.mjs', 'film.cjs'].map((file) => run(program, [file], { cwd: project, env: withKey }).trim())
    const cli = path.join(project, 'node_modules/@kinora/command-line/dist/kinora.js')
    const user = run(program, [cli, 'generate', 'A kite', '--model', 'delta-1-5', '--output', 'kite.mp4'], {
      cwd: project,
      env: withKey,
    })
    const version = run(program, ['--version'], {}).trim()
    step(
      `Node ${version}: films of ${made.join(' and ')} bytes as ES module and CommonJS, and ${user.trim().split('\n').at(-1)}`,
    )
  }
  tryProvider(folder, { env, withKey }, step)
  const sdk = newProject(path.join(folder, 'ai-sdk'), registry)
  npm(sdk, ['install', '--no-audit', '--no-fund', '@kinora/ai-sdk-provider', 'ai@7'], env)
  const aiFilm = `import { experimental_generateVideo as generateVideo } from 'ai'
import { createKinora } from '@kinora/ai-sdk-provider'
const kinora = createKinora({ baseURL: process.env.KINORA_URL, apiKey: process.env.KINORA_API_KEY })
// The SDK downloads from public addresses, and this service is on this machine.
const download = async ({ url }) => ({ data: new Uint8Array(await (await fetch(url)).arrayBuffer()), mediaType: 'video/mp4' })
const request = { prompt: 'A kite', duration: 4, aspectRatio: '16:9', poll: { intervalMs: 1000, timeoutMs: 60_000 } }
const { video } = await generateVideo({ model: kinora.videoModel('delta-1-5'), ...request, download })
console.log(video.uint8Array.length)`
  writeFileSync(path.join(sdk, 'film.mjs'), aiFilm)
  step(`AI SDK: a film of ${run(process.execPath, ['film.mjs'], { cwd: sdk, env: withKey }).trim()} bytes`)

  const page = newProject(path.join(folder, 'vite'), registry)
  npm(page, ['install', '--no-audit', '--no-fund', '@kinora/client', `vite@${vite}`], env)
  writeFileSync(path.join(page, 'index.html'), '<!doctype html><script type="module" src="/film.js"></script>')
  writeFileSync(
    path.join(page, 'film.js'),
    `import { openKinora } from '@kinora/client'\nconst kinora = openKinora()\nkinora.generateAndWait(${BODY}).then(({ data }) => { document.title = data?.status })\n`,
  )
  run(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], { cwd: page, env })
  step('Vite: a page is built with the client')

  const problem = pythonProblem()
  if (problem) return step(`left out the Python project: ${problem}`)
  const python = path.join(folder, 'python')
  run('python3', ['-m', 'venv', python], {})
  const index = ['--disable-pip-version-check', '--index-url', `${registry}/simple/`]
  run(path.join(python, 'bin/pip'), ['install', ...index, 'kinora'], {})
  const film = run(path.join(python, 'bin/python'), ['-c', PYTHON_FILM], { cwd: python, env: withKey })
  const version = run(path.join(python, 'bin/python'), ['--version'], {}).trim()
  step(`${version}: a film of ${film.trim()} bytes`)
}

function tryProvider(folder, { env, withKey }, step) {
  const project = path.join(folder, `node-${OLDEST_NODE}`)
  npm(project, ['install', '--no-audit', '--no-fund', '@kinora/ai-sdk-provider'], env)
  writeFileSync(path.join(project, 'model.mjs'), MODEL_FILM)
  const program = path.join(project, `node_modules/${nodePackage}/bin/node`)
  const made = run(program, ['model.mjs'], { cwd: project, env: withKey }).trim()
  step(`AI SDK's provider on Node ${OLDEST_NODE}: a film of ${made} bytes`)
}

/** An empty project that gets the scope @kinora from the registry. */
export function newProject(folder, registry) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
  writeFileSync(path.join(folder, '.npmrc'), `@kinora:registry=${registry}/\n`)
  return folder
}
