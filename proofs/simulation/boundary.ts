/**
 * The modules that the simulation replaces, and the planted faults. Import this file before any module of the server.
 * Only what leaves the process is replaced: the HTTP requests of http-client.ts (undici), and the child processes that
 * inspect a film and evaluate expressions.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { codeFaultOf } from './faults.ts'

const source = new URL('../../server/src/', import.meta.url).href
const replaced = [
  { specifier: 'undici', importer: `${source}net/http-client.ts`, by: new URL('./network.ts', import.meta.url).href },
  {
    specifier: '../media/film/inspect.ts',
    importer: `${source}video/collect.ts`,
    by: new URL('./inspection.ts', import.meta.url).href,
  },
  {
    specifier: './expression.ts',
    importer: `${source}provider/request-mapping.ts`,
    by: new URL('./expressions.ts', import.meta.url).href,
  },
]
const fault = codeFaultOf(process.env.KINORA_SIMULATED_FAULT)

registerHooks({
  resolve: (specifier, context, next) => {
    const found = replaced.find((each) => each.specifier === specifier && each.importer === context.parentURL)
    return found ? { url: found.by, format: 'module-typescript', shortCircuit: true } : next(specifier, context)
  },
  load: (url, context, next) => {
    if (!fault || url !== source + fault.file) return next(url, context)
    const text = readFileSync(fileURLToPath(url), 'utf8')
    return { format: 'module-typescript', source: fault.plant(text), shortCircuit: true }
  },
})
