/** How the studio is built: one page, chunks by route, every text file beside its compressed forms. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = import.meta.dirname
const service = process.env.KINORA_URL ?? 'http://localhost:8080'
const proxied = { target: service, headers: { origin: service } }

export default defineConfig({
  root: here,
  plugins: [react(), fontFirst(), compressed()],
  resolve: {
    alias: {
      // The client's source, so that one build makes both and a type error shows where it is.
      '@kinora/client': path.join(here, '../client/src/index.ts'),
    },
  },
  build: {
    target: 'es2023',
    // A file inlined as data: would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // While one works on it: the service of `npm start`, which takes sign-ins only from its own address.
  server: { port: 5173, proxy: Object.fromEntries(['/api', '/files', '/docs'].map((path) => [path, proxied])) },
})

/** The one font file that every page needs is asked for with the page, before the style sheet has named it. */
function fontFirst(): Plugin {
  return {
    name: 'kinora-font-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        if (!font) throw new Error('The studio is built without its font.')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

/** Compressed once here instead of at every request: the server hands out what fits the browser. */
function compressed(): Plugin {
  let outDir = ''
  return {
    name: 'kinora-compressed',
    apply: 'build',
    configResolved: (config) => {
      outDir = path.resolve(config.root, config.build.outDir)
    },
    // After a build that succeeded alone, so that the reason of one that failed is not hidden by a missing folder.
    writeBundle: () => {
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg)$/.test(name)) continue
        const file = path.join(outDir, name)
        const text = readFileSync(file)
        writeFileSync(`${file}.br`, brotliCompressSync(text))
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
      }
    },
  }
}
