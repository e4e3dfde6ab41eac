/** Reads a file in a worker (read-file.worker.ts), which has its own policy: WebAssembly may run there, and in no page. */
import { useEffect, useRef, useState } from 'react'
import type { ReadFile } from './credentials.ts'
import workerUrl from './read-file.worker.ts?worker&url'

/** The file that is being read, or was; `null`: none. Another one replaces it, and `choose(null)` ends the reading. */
export function useFileReading() {
  const [reading, setReading] = useState<({ file: File } & ReadFile) | null>(null)
  const worker = useRef<Worker | null>(null)
  const choose = (file: File | null) => {
    worker.current?.terminate()
    worker.current = file && openWorker()
    setReading(file && { file })
    if (!file || !worker.current) return
    const add = (known: ReadFile) => setReading((before) => (before?.file === file ? { ...before, ...known } : before))
    worker.current.onmessage = ({ data }: MessageEvent<ReadFile>) => add(data)
    // Its script could not be loaded, or it has not enough memory.
    worker.current.onerror = () => add({ isUnreadable: true })
    worker.current.postMessage(file)
  }
  useEffect(() => () => worker.current?.terminate(), [])
  return { reading, choose }
}

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string }
}
/** Trusted Types, where the browser has them: the one policy that the page's allows, for one address. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('kinora-worker', {
  createScriptURL: () => workerUrl,
})
const openWorker = () => new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' })
