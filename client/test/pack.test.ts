/**
 * The published package: packed by npm, installed from the tarball into an empty folder, and used there from
 * JavaScript, TypeScript and a browser page, against the real service.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'
import { generateBody, openKinora as openService } from '../../server/test/support/harness.ts'
import { installPackage } from '../../server/test/support/npm-package.ts'
import { type AllPaths, openKinora } from '../src/index.ts'

const run = promisify(execFile)
const ADDRESS = 'http://localhost:8080'
const client = path.resolve(import.meta.dirname, '..')
const service = await openService({ simulator: true, worker: true })
/** The folder of an installed package. */
function folderOf(name: string): string {
  const parents = createRequire(path.join(client, 'package.json')).resolve.paths(name) ?? []
  const found = parents.map((each) => path.join(each, name)).find((each) => existsSync(path.join(each, 'package.json')))
  assert.ok(found, `${name} is not installed`)
  return found
}

/** The first example of the README, with the URL of this test's service. */
async function readmeExample(): Promise<string> {
  const readme = await readFile(path.join(client, 'README.md'), 'utf8')
  const code = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? ''
  assert.ok(code.includes(ADDRESS) && code.trimEnd().split('\n').length <= 10, 'ten lines make a film')
  return code.replace(ADDRESS, service.url)
}

async function createApiKey(): Promise<string> {
  const { token } = await service.person()
  const { data, error } = await openKinora<AllPaths>({ baseUrl: service.url, token }).POST('/api/auth/api-key/create', {
    body: { name: 'pack' },
  })
  assert.ok(data, error?.message)
  return data.key
}

/** Signs a new user up; returns the session cookie. */
async function signUp(): Promise<{ name: string; value: string; url: string }> {
  const body = { name: 'Ann', email: 'ann@example.com', password: 'a long password' }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${service.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '') ?? []
  return { name, value, url: service.url }
}

const dependencies = ['openapi-fetch', 'openapi-typescript-helpers', 'eventsource-parser']
const { folder, files } = await installPackage(client, dependencies.map(folderOf))
const inFolder = (...parts: string[]) => path.join(folder, ...parts)

test('package: contents → build, README and licence, no sources', () => {
  const others = files.filter((file) => !/^dist\/[\w-]+\.(js|d\.ts)$/.test(file))
  assert.deepEqual(others.sort(), ['LICENSE', 'README.md', 'package.json'])
  assert.ok(files.includes('dist/index.js') && files.includes('dist/index.d.ts'))
})

test('package: engines → each dependency accepts the oldest Node that the package promises', async () => {
  const manifestOf = async (name: string) =>
    JSON.parse(await readFile(inFolder('node_modules', name, 'package.json'), 'utf8'))
  const oldestOf = ({ engines = {} }: { engines?: { node?: string } }) => {
    const [, major, minor = 0] = /^>=\s*(\d+)(?:\.(\d+))?/.exec(engines.node ?? '>=0') ?? assert.fail(engines.node)
    return Number(major) * 1000 + Number(minor)
  }
  const promised = oldestOf(await manifestOf('@kinora/client'))
  for (const name of dependencies) assert.ok(oldestOf(await manifestOf(name)) <= promised, name)
})

test('package: JavaScript in Node → the example of the README makes a film', async () => {
  await writeFile(inFolder('film.js'), await readmeExample())
  const env = { PATH: process.env.PATH, KINORA_API_KEY: await createApiKey() }
  const { stdout } = await run(process.execPath, ['film.js'], { cwd: folder, env })
  assert.match(stdout, /COMPLETED 100\n/)
  const film = await fetch(stdout.trim().split('\n').at(-1) ?? '')
  assert.equal(film.headers.get('content-type'), 'video/mp4')
})

const compilers = {
  'TypeScript of this repository': path.resolve(client, '../node_modules/typescript'),
  'TypeScript 5': folderOf('typescript'),
}
const settings = {
  'nodenext with Node types': { module: 'nodenext', lib: ['es2022'], types: ['node'] },
  'bundler with DOM types': {
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom'],
    types: [],
  },
}
for (const [compiler, compilerDir] of Object.entries(compilers)) {
  for (const [name, options] of Object.entries(settings)) {
    test(`package: ${compiler}, ${name}, strict → the example compiles, mistakes are errors`, async () => {
      const key = "const process = { env: { KINORA_API_KEY: 'key' } }\n"
      const film = `${options.types.length > 0 ? '' : key}${await readmeExample()}`
      const wrong = film.replace('duration: 4', "duration: '4'").replace('video.videoUrl', 'video.videoUri')
      assert.notEqual(wrong, film)
      await writeFile(inFolder('film.ts'), film)
      await writeFile(inFolder('wrong.ts'), wrong)
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        // TypeScript's own declarations, which take most of the time; those of the packages are checked.
        skipDefaultLibCheck: true,
        target: 'es2022',
        ...options,
      }
      const typeRoots = [path.dirname(folderOf('@types/node'))]
      const tsconfig = { compilerOptions: { ...compilerOptions, typeRoots }, files: ['film.ts', 'wrong.ts'] }
      await writeFile(inFolder('tsconfig.json'), JSON.stringify(tsconfig))
      const tsc = run(process.execPath, [path.join(compilerDir, 'bin/tsc'), '--pretty', 'false'], { cwd: folder })
      const { stdout } = await tsc.then(
        () => assert.fail('the mistake is not found'),
        (error) => error as { stdout: string },
      )
      const problems = stdout.match(/^\S+ error TS\d+/gm)?.map((problem) => problem.replace(/\(.*\)/, ''))
      assert.deepEqual(problems, ['wrong.ts: error TS2322', 'wrong.ts: error TS2551'], stdout)
    })
  }
}

test('package: browser page with a session cookie → makes a film without options', async () => {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--no-sandbox', '--disable-background-networking', '--disable-component-update'],
    headless: true,
  })
  after(() => browser.close())
  const page = await browser.newPage()
  const imports = {
    '@kinora/client': '/trial/node_modules/@kinora/client/dist/index.js',
    'openapi-fetch': '/trial/node_modules/openapi-fetch/dist/index.mjs',
    'eventsource-parser': '/trial/node_modules/eventsource-parser/dist/index.js',
  }
  assert.ok(existsSync(inFolder(imports['eventsource-parser'].replace('/trial/', ''))))
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`
  await page.route(`${service.url}/trial/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/trial/') await route.fulfill({ contentType: 'text/html', body: html })
    else await route.fulfill({ path: inFolder(pathname.replace('/trial/', '')), contentType: 'text/javascript' })
  })
  await page.context().addCookies([await signUp()])
  await page.goto(`${service.url}/trial/`)
  const result = await page.evaluate(`(async () => {
    const { openKinora } = await import('@kinora/client')
    const kinora = openKinora()
    return kinora.generateAndWait(${JSON.stringify(generateBody)})
  })()`)
  const { data, error } = result as { data?: { status: string; videoUrl: string }; error?: object }
  assert.equal(error, undefined)
  assert.equal(data?.status, 'COMPLETED')
})
