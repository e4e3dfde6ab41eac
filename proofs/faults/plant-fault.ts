/** Plants the fault that TEST_FAULT names as its module loads: `node --import proofs/faults/plant-fault.ts`. */
import { registerHooks } from 'node:module'
import { faultyText } from './fault.ts'
import { fileUrl, plantedFault } from './planted-faults.ts'

const fault = plantedFault()
if (fault) {
  const { href } = fileUrl(fault)
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      return url === href ? { ...loaded, source: faultyText(fault, String(loaded.source)) } : loaded
    },
  })
}
