/**
 * Preloaded into a server process of the soak, which Node starts with --expose-gc: when the parent asks for it, the
 * process collects its garbage and reports what is left.
 */
export type MemoryReport = { kind: 'memory'; heapMb: number; externalMb: number }

const MEGABYTE = 1024 ** 2

process.on('message', ({ kind }: { kind?: string }) => {
  if (kind !== 'memory?') return
  // Twice: what a finalizer releases goes with the second collection.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  // `external` includes array buffers.
  process.send?.({
    kind: 'memory',
    heapMb: heapUsed / MEGABYTE,
    externalMb: external / MEGABYTE,
  } satisfies MemoryReport)
})
