/** Module hooks of macros.ts, which run in a thread of their own. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from '@lingui/native-tools'

/** The client's source, as in the build of the studio. */
const client = new URL('../../client/src/index.ts', import.meta.url).href

export const resolve = (specifier, context, nextResolve) =>
  nextResolve(specifier === '@kinora/client' ? client : specifier, context)

export async function load(url, context, nextLoad) {
  if (!/\/studio\/src\/.+\.ts$/.test(url)) return nextLoad(url, context)
  const file = fileURLToPath(url)
  const source = await readFile(file, 'utf8')
  if (!source.includes("'@lingui/core/macro'")) return nextLoad(url, context)
  const { code } = await transform(source, path.basename(file), { macro: { descriptorFields: 'all' } })
  return { format: 'module', source: code, shortCircuit: true }
}
