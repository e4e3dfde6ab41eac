/** Whether a dynamic import failed, as it does after a deployment: a page of the old build imports chunks that are gone. */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message)
