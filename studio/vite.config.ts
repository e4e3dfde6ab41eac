/** The studio's build: one page, one chunk a route, and every text file also compressed with Brotli and gzip. */
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
  plugins: [react(), preloadFont(), precompress()],
  resolve: {
    alias: {
      // The client's source instead of its build, so that one build compiles both.
      '@kinora/client': path.join(here, '../client/src/index.ts'),
    },
  },
  build: {
    target: 'es2023',
    // Inlined assets are data: URLs, which the Content-Security-Policy forbids.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the Content-Security-Policy forbids.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // The development server forwards API requests to `npm start`, with that service's origin, or its CSRF check would refuse them.
  server: { port: 5173, proxy: Object.fromEntries(['/api', '/files', '/docs'].map((path) => [path, proxied])) },
})

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

/** Compresses text files at build time instead of on each request; the server negotiates the encoding. */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'kinora-precompress',
    apply: 'build',
    configResolved: (config) => {
      outDir = path.resolve(config.root, config.build.outDir)
    },
    // writeBundle runs after a successful build only: in another hook the missing folder would hide the error of a failed build.
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
