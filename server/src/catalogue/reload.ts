/**
 * The files of the catalogue are read again when they change and on SIGHUP. Invariant: a mistake leaves what is in
 * force as it is, and is shown until it is repaired: in the log, in a metric, to administrators, and by `kinora
 * doctor`, which reads the files itself.
 */
import { ConfigError } from '../config/config.ts'
import { catalogueFolders } from '../config/package-dir.ts'
import { type Price, readPlans, replacePlans } from '../payment/plans.ts'
import { priceProblems } from '../payment/prices.ts'
import { accounts, readAccounts, replaceAccounts } from '../provider/accounts.ts'
import {
  catalogueSignature,
  checkRoutes,
  everyModel,
  readModels,
  replaceCatalogue,
  signatureAtStart,
} from './catalogue.ts'
import type { CatalogueSettings } from './model.ts'
import { forgetTaken, problemsOfTaken } from './taken.ts'
import { readTemplates, replaceTemplates } from './templates.ts'

/** What the last reading came to. `problems`: of files that are not in force; none while all are. */
export type CatalogueState = { readAt: Date; problems: string[] }

/** A poll finds what no event tells: the folder of a Kubernetes volume changes by a symbolic link. */
const POLL_MS = 5_000

let state: CatalogueState = { readAt: new Date(), problems: [] }
export const catalogueState = (): CatalogueState => ({ ...state, problems: [...state.problems, ...problemsOfTaken()] })

/**
 * Reads the files and takes them: accounts, products, templates and models each as a whole, or not at all when one of
 * their files has a mistake. The settings of accounts are those of the start: a new account is used from the next one
 * on.
 */
export async function reloadCatalogue(
  settings: CatalogueSettings,
  readAt: Date,
  pricesPaid: () => Promise<Price[]>,
  folders = catalogueFolders(),
): Promise<CatalogueState> {
  const problems = [
    await problemsOf(() => {
      replaceAccounts(readAccounts(folders))
      forgetTaken()
    }),
    await problemsOf(async () => {
      const plans = readPlans(folders)
      const problems = priceProblems(plans, await pricesPaid())
      if (problems.length > 0) throw new ConfigError(problems)
      replacePlans(plans)
    }),
    await problemsOf(() => replaceTemplates(readTemplates(folders))),
    await problemsOf(async () => {
      const models = readModels(folders)
      await checkRoutes(models, settings, true)
      replaceCatalogue(models)
    }),
  ]
  state = { readAt, problems: problems.flat() }
  return state
}

async function problemsOf(read: () => void | Promise<void>): Promise<string[]> {
  try {
    await read()
    return []
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [`catalogue: ${(error as Error).message}`]
  }
}

/** What a reading came to. `isRestartNeeded`: an account differs from what it was at the start. */
export type CatalogueReport = CatalogueState & { models: number; isRestartNeeded: boolean }

/** Reads the files again on each change until it is closed. */
export function watchCatalogue(
  settings: CatalogueSettings,
  now: () => Date,
  pricesPaid: () => Promise<Price[]>,
  report: (reading: CatalogueReport) => void,
): { close: () => void } {
  const atStart = JSON.stringify(accounts())
  let lastRead = signatureAtStart
  // One after the other: the check of expressions takes time, and an earlier reading must not replace a later one.
  let reading = Promise.resolve()
  const reload = () => {
    lastRead = catalogueSignature()
    reading = reading.then(async () => {
      const { readAt, problems } = await reloadCatalogue(settings, now(), pricesPaid)
      report({ readAt, problems, models: everyModel().size, isRestartNeeded: JSON.stringify(accounts()) !== atStart })
    })
  }
  const timer = setInterval(() => {
    if (catalogueSignature() !== lastRead) reload()
  }, POLL_MS)
  timer.unref()
  process.on('SIGHUP', reload)
  return {
    close: () => {
      clearInterval(timer)
      process.removeListener('SIGHUP', reload)
    },
  }
}
