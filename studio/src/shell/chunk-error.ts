/** After an update of the service the chunks of the old build are gone; a page that was open then cannot load its next one. */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message)
