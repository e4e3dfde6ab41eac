/** The studio's build: one page, one chunk a route, and every text file also compressed with Brotli and gzip. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { lingui } from '@lingui/vite-plugin'
import { parseAst } from 'rolldown/parseAst'
import { build, defineConfig, minifySync, type Plugin, Visitor } from 'vite'

const here = import.meta.dirname
const service = process.env.KINORA_URL ?? 'http://localhost:8080'
/** The comment that Lingui's macros leave before each message. */
const MACRO_MARK = '/*i18n*/'
/** Browsers get Preact in the place of React (58 kB more, gzip): decisions/0066-preact-in-browsers.md. */
const preact = {
  'react-dom/client': 'preact/compat/client',
  'react-dom': 'preact/compat',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react/jsx-dev-runtime': 'preact/jsx-runtime',
  react: 'preact/compat',
}
const proxied = { target: service, headers: { origin: service } }

export default defineConfig(({ isSsrBuild }) => ({
  root: here,
  plugins: [
    // Keeps the English texts in the code, so that they load with their pages; by default the build leaves their ids
    // alone.
    lingui({ cwd: here, macroTransform: { macro: { descriptorFields: 'message' } }, failOnCompileError: true }),
    compileEnglish(),
    ...(isSsrBuild ? [] : [inlineEarly(), preloadFont(), preloadPages(), precompress()]),
  ],
  resolve: {
    alias: {
      // The client's source instead of its build, so that one build compiles both.
      '@kinora/client': path.join(here, '../client/src/index.ts'),
      ...(isSsrBuild ? {} : preact),
    },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // Inlined assets are data: URLs, which the Content-Security-Policy forbids.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the Content-Security-Policy forbids.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One file of 16 kB, gzip, instead of one to five for each page.
    cssCodeSplit: false,
    // What all pages use is one chunk, so that a first load is the entry, this one, the page's and a few small ones.
    // The texts of its modules are made in functions: it is evaluated before the language is there. So is what the
    // pages of sign-in have in common.
    rolldownOptions: {
      output: {
        codeSplitting: !isSsrBuild && {
          groups: [
            {
              name: 'shared',
              // Not what lists of several pages, charts and reports alone need, which the stage does not have.
              test: /^(?!.*([iI]nfinite|react-virtual|virtual-core|data-table|day-chart|period-select)).*(node_modules|\/client\/|\/studio\/src\/(ui|shell|video|[^/]+$))/,
              minShareCount: 4,
            },
            {
              name: 'sign-in',
              test: /\/studio\/src\/sign-in\/(?!search)/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              // What stage, library and player share: small files compress worse than one.
              name: 'film',
              test: /\/studio\/src\/(studio\/(recent-query|sample|waiting-picture|own-link|upscale-button|cancel-button)|cast\/frame-button|library\/player\.module|library\/(video-player|favourite-button|arrange|deletion)|video\/(unplayable-film|elapsed))/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              // What the studio and a shot of a project share.
              name: 'generate',
              test: /\/studio\/src\/(studio\/(film-strip|generate-form(-skeleton)?|input-(fields|slot)|model-(field|row)|prompt-(help|templates)|field-controls)|cast\/first-member)\.tsx/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              // What is loaded with a film: the stage, a set, a take and the library share it.
              name: 'stage-film',
              test: /\/studio\/src\/studio\/(stage-film|film-actions)\.tsx/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // Small ones together: the entry has the name of each.
            {
              name: 'mark',
              test: /\/studio\/src\/video\/(ai-mark|drawn-note)\./,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'admin',
              test: /\/studio\/src\/admin\/[^/]+\.module\.css/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              // What the form shares with the dialog of a larger copy, but for what sends a file.
              name: 'form',
              test: /\/studio\/src\/(studio\/(?!upload-|last-frame)|cast\/(load-cast-form|references|cast\.ts)|ui\/file-drop)|react-query.*useMutationState|\/client\/src\/request-schema/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  // The development server forwards API requests to `npm start`, with that service's origin, or its CSRF check would
  // refuse them.
  server: { port: 5173, proxy: Object.fromEntries(['/api', '/files', '/docs'].map((path) => [path, proxied])) },
}))

/** Writes the script that runs first into the HTML: as a file it would cost a round trip before the first read. */
function inlineEarly(): Plugin {
  const file = path.join(here, 'src/early.js')
  return {
    name: 'kinora-inline-early',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const { code } = minifySync(file, readFileSync(file, 'utf8'))
        return html.replace('<script id="early"></script>', () => `<script>${code}</script>`)
      },
    },
  }
}

/** Preloads the font file that every page needs, before the browser finds it in the style sheet. */
function preloadFont(): Plugin {
  return {
    name: 'kinora-preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        if (!font) throw new Error('The build has no Inter font file to preload.')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

/**
 * The module of each page, by its address, and what it reads: src/early.js asks for both before the router is there. A
 * read that the page does not make is lost, and one that is missing here is late; bench/first-load.ts reports both.
 * `kind`: for a signed-in `user`, for a `visitor` without a session, for both at the `entrance`, or `public`, where no
 * session is asked for. `hasFrame: false`: it stands for several pages, of which none is rendered ahead.
 */
const signInReads = ['/api/v1/config/sign-in']
const balance = '/api/v1/credit/balance'
const films = '/api/v1/explore?pageSize=48'
type Kind = 'user' | 'visitor' | 'entrance' | 'public'
const pages: { path: string; kind: Kind; module: string | string[]; reads?: string[]; hasFrame?: false }[] = [
  {
    path: '^/$',
    kind: 'visitor',
    module: 'welcome/welcome-page',
    reads: ['/api/v1/config/models', '/api/v1/config/plans'],
  },
  {
    path: '^/welcome',
    kind: 'public',
    module: 'welcome/welcome-page',
    reads: ['/api/v1/config/models', '/api/v1/config/plans'],
  },
  { path: '^/sign-in', kind: 'entrance', module: 'sign-in/sign-in-page', reads: signInReads },
  { path: '^/sign-up', kind: 'entrance', module: 'sign-in/sign-up-page', reads: signInReads },
  { path: '^/explore', kind: 'visitor', module: 'explore/explore-page', reads: [films, '/api/v1/config/models'] },
  { path: '^/explore', kind: 'user', module: 'explore/explore-page', reads: [films, '/api/v1/config/models', balance] },
  { path: '^/share/.', kind: 'public', module: 'share/shared-film-page', reads: ['/api/v1/share/:last'] },
  { path: '^/verify/?$', kind: 'public', module: 'verify/verify-page' },
  { path: '^/provenance/?$', kind: 'public', module: 'verify/provenance-page' },
  {
    path: '^/$',
    kind: 'user',
    module: 'studio/studio-page',
    reads: [
      '/api/v1/config/models',
      '/api/v1/config/templates',
      '/api/v1/asset?named=true&pageSize=100',
      '/api/v1/video/list?pageSize=40',
      balance,
      '/api/v1/credit/gift',
    ],
  },
  {
    path: '^/projects/.',
    kind: 'user',
    module: 'project/project-page',
    reads: ['/api/v1/config/models', '/api/v1/project/:last', balance],
  },
  {
    path: '^/projects/?$',
    kind: 'user',
    module: 'project/projects-page',
    reads: ['/api/v1/project?pageSize=25', balance],
  },
  {
    path: '^/library/.',
    kind: 'user',
    module: 'library/player-page',
    // What one does with a film follows from what the models can do.
    reads: ['/api/v1/video/:last', '/api/v1/config/models', balance],
  },
  {
    path: '^/library/?$',
    kind: 'user',
    module: 'library/library-page',
    reads: ['/api/v1/video/list?pageSize=48', balance],
  },
  {
    path: '^/credits',
    kind: 'user',
    module: 'credits/credits-page',
    reads: [balance, '/api/v1/credit/packages?pageSize=6'],
  },
  {
    path: '^/plans',
    kind: 'user',
    module: 'plans/plans-page',
    reads: ['/api/v1/config/plans', '/api/v1/billing/subscription', '/api/v1/config/models', balance],
  },
  {
    path: '^/keys',
    kind: 'user',
    module: 'keys/api-keys-page',
    reads: ['/api/auth/api-key/list?sortBy=createdAt', balance],
  },
  {
    path: '^/team',
    kind: 'user',
    module: 'team/team-page',
    reads: ['/api/v1/teams', '/api/v1/team', '/api/v1/team/members', balance],
  },
  { path: '^/webhooks/.', kind: 'user', module: 'webhooks/endpoint-page', reads: [balance] },
  {
    path: '^/webhooks/?$',
    kind: 'user',
    module: 'webhooks/webhooks-page',
    reads: ['/api/v1/webhook/endpoints', '/api/v1/credit/alert', balance],
  },
  { path: '^/account', kind: 'user', module: 'account/account-page', reads: [balance] },
  {
    path: '^/admin(/overview)?/?$',
    kind: 'user',
    module: ['admin/admin-layout', 'admin/overview-page'],
    reads: [balance],
  },
  { path: '^/admin/.', kind: 'user', module: 'admin/admin-layout', reads: [balance], hasFrame: false },
]

/** Writes the chunks of each page, without those of every page, and the page without its data into the HTML. */
function preloadPages(): Plugin {
  return {
    name: 'kinora-preload-pages',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { bundle, chunk: entry }) => {
        const chunks = Object.values(bundle ?? {}).filter((each) => each.type === 'chunk')
        const importsOf = (fileName: string, found = new Set<string>()): Set<string> => {
          if (!found.has(fileName)) {
            found.add(fileName)
            for (const each of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? [])
              importsOf(each, found)
          }
          return found
        }
        const ofEveryPage = importsOf(entry?.fileName ?? '')
        const written = pages.map(({ path: at, kind, module, reads = [] }) => {
          const found = [module].flat().map((name) => {
            const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${name}.tsx`))
            if (!chunk) throw new Error(`The build has no chunk for ${name}.`)
            return chunk.fileName
          })
          const files = new Set(found.flatMap((name) => [...importsOf(name)]).filter((file) => !ofEveryPage.has(file)))
          return { path: at, kind, reads, files: [...files].map((file) => `/${file}`) }
        })
        const templates = (await prerender()).join('\n')
        return html
          .replace('id="pages"></script>', () => `id="pages">${JSON.stringify({ pages: written })}</script>`)
          .replace('<!--prerendered-->', () => templates)
      },
    },
  }
}

/** @returns each page without its data, in each language, as an element that shows nothing by itself */
async function prerender(): Promise<string[]> {
  // Below this folder, from where the bundle finds the packages.
  const outDir = mkdtempSync(path.join(here, '.prerender-'))
  try {
    await build({
      configFile: path.join(here, 'vite.config.ts'),
      logLevel: 'warn',
      build: {
        ssr: path.join(here, 'src/prerender.tsx'),
        outDir,
        rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
      },
    })
    const rendered = JSON.stringify(
      pages.map(({ path: at, kind, hasFrame = true }) => (hasFrame ? { path: at, kind } : null)),
    )
    return ['en', 'zh-Hans'].flatMap((locale) => {
      const env = { ...process.env, NODE_ENV: 'production' }
      const html = execFileSync(process.execPath, [path.join(outDir, 'prerender.mjs'), locale, rendered], {
        env,
        encoding: 'utf8',
      })
      return (JSON.parse(html) as (string | null)[]).flatMap((text, index) =>
        text === null ? [] : [`<template data-page="${index}" lang="${locale}">${text}</template>`],
      )
    })
  } finally {
    rmSync(outDir, { recursive: true })
  }
}

/**
 * Compiles the English texts that the macros leave in the code: Lingui's runtime parses no messages in production, and
 * its parser would add 5 kB to the first load.
 */
function compileEnglish(): Plugin {
  return {
    name: 'kinora-compile-english',
    enforce: 'pre',
    transform: {
      filter: { code: MACRO_MARK },
      handler(code, id) {
        const messages: { start: number; end: number; value: string }[] = []
        new Visitor({
          ObjectExpression({ start, properties }) {
            if (!code.slice(0, start).trimEnd().endsWith(MACRO_MARK)) return
            for (const property of properties) {
              if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== 'message')
                continue
              const { value } = property
              if (value.type !== 'Literal' || typeof value.value !== 'string')
                throw new Error(`${id}: a message is no text.`)
              messages.push({ start: value.start, end: value.end, value: value.value })
            }
          },
        }).visit(parseAst(code, { lang: id.endsWith('x') ? 'tsx' : 'ts' }))
        // The values of a message may contain messages.
        messages.sort((a, b) => a.start - b.start)
        return messages.reduceRight(
          (text, { start, end, value }) =>
            text.slice(0, start) + JSON.stringify(compileMessageOrThrow(value)) + text.slice(end),
          code,
        )
      },
    },
  }
}

/** Compresses text files at build time instead of on each request; the server negotiates the encoding. */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'kinora-precompress',
    apply: 'build',
    configResolved: (config) => {
      outDir = path.resolve(config.root, config.build.outDir)
    },
    // writeBundle runs after a successful build only: in another hook the missing folder would hide the error of a
    // failed build.
    writeBundle: () => {
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg|wasm)$/.test(name)) continue
        const file = path.join(outDir, name)
        const text = readFileSync(file)
        // The best quality takes half a minute for 9 MB of WebAssembly, and saves a tenth.
        const isLarge = name.endsWith('.wasm')
        const quality = isLarge ? 5 : constants.BROTLI_MAX_QUALITY
        writeFileSync(`${file}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }))
        if (!isLarge) writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
      }
    },
  }
}
