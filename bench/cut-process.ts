/** A process that renders one cut as a worker does, in the sandbox of this machine. */
import type { CutRecipe } from '../server/src/media/cut/cut.ts'
import { encodingProblem, renderCut } from '../server/src/media/cut/render.ts'
import { peakBytesOf, treeUsOf } from './environment.ts'

export type CutJob = { recipe: CutRecipe; files: string[]; outFile: string }
export type CutResult = { cpuMs: number; wallS: number; peakBytes: number; sizeBytes: number; copied: boolean }

process.once('message', async ({ recipe, files, outFile }: CutJob) => {
  // What happens once in a worker's life.
  await encodingProblem()
  const before = treeUsOf(process.pid)
  const startedAt = performance.now()
  let peakBytes = 0
  const onProgress = () => {
    peakBytes = Math.max(peakBytes, peakBytesOf(process.pid))
  }
  const { sizeBytes, copied } = await renderCut(recipe, files, outFile, { userId: 'user', onProgress })
  const wallS = (performance.now() - startedAt) / 1000
  process.send?.({
    cpuMs: (treeUsOf(process.pid) - before) / 1000,
    wallS,
    peakBytes,
    sizeBytes,
    copied,
  } satisfies CutResult)
})
