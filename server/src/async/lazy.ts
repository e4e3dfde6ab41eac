/**
 * A value that is loaded at its first use, once (single-flight). A failed load is not cached: without memory or file
 * descriptors it fails, and the next use loads it again.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
