/**
 * Whether the files of a page could not be loaded: without a network, and after a deployment, when a page of the old build imports
 * chunks that are gone. Vite loads a chunk's style sheets first, and throws an error of its own when one of them fails.
 */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|importing a module script|preload CSS/i.test(error.message)
