/**
 * The models' files are read again when they change and on SIGHUP. Invariant: a mistake leaves the models in force as they are, and is shown
 * until it is repaired: in the log, in a metric, to administrators, and by `kinora doctor`, which reads the files itself.
 */
import { ConfigError } from '../config/config.ts'
import { catalogueFile } from '../config/package-dir.ts'
import { catalogue, checkRoutes, isChanged, readModels, replaceCatalogue } from './catalogue.ts'
import type { CatalogueSettings } from './model.ts'

/** What the last reading came to. `problems`: of files that are not in force; none while all are. */
export type CatalogueState = { readAt: Date; problems: string[] }

/** A poll finds what no event tells: the folder of a Kubernetes volume changes by a symbolic link. */
const POLL_MS = 5_000

let state: CatalogueState = { readAt: new Date(), problems: [] }
export const catalogueState = (): CatalogueState => state

/** Reads the files and takes them, or keeps the models in force. @param folder of the models */
export async function reloadCatalogue(
  settings: CatalogueSettings,
  readAt: Date,
  folder = catalogueFile('models'),
): Promise<CatalogueState> {
  try {
    const models = readModels(folder)
    await checkRoutes(models, settings)
    replaceCatalogue(models)
    state = { readAt, problems: [] }
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [`catalogue/models: ${(error as Error).message}`]
    state = { readAt, problems }
  }
  return state
}

/** Reads the files again on each change until it is closed. @param report is told what each reading came to */
export function watchCatalogue(
  settings: CatalogueSettings,
  now: () => Date,
  report: (state: CatalogueState, models: number) => void,
): { close: () => void } {
  const reload = async () => report(await reloadCatalogue(settings, now()), catalogue().size)
  const onSignal = () => void reload()
  const timer = setInterval(() => {
    if (isChanged(catalogueFile('models'))) void reload()
  }, POLL_MS)
  timer.unref()
  process.on('SIGHUP', onSignal)
  return {
    close: () => {
      clearInterval(timer)
      process.removeListener('SIGHUP', onSignal)
    },
  }
}
