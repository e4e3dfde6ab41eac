/** What is retained in memory, without what is not referred to any more. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

export function retainedMemory(): NodeJS.MemoryUsage {
  // Buffers that one collection finds unreachable are freed by the next.
  collect()
  collect()
  return process.memoryUsage()
}
