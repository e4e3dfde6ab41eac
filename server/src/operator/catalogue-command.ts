/** `kinora catalogue`: what is served by what, at which cost, price and margin; the check of all files; the request of one film. */
import { catalogue, checkRoutes, listedModels } from '../catalogue/catalogue.ts'
import { filmSize } from '../catalogue/film-size.ts'
import { type CatalogueSettings, type Model, modesOfRoute, routeOf, servedRoutes } from '../catalogue/model.ts'
import type { Route } from '../catalogue/model-file.ts'
import { creditUsdOf } from '../catalogue/price.ts'
import { figuresOf, sampleOf } from '../catalogue/route-figures.ts'
import type { Config } from '../config/config.ts'
import { newId } from '../id.ts'
import { creditUsdRange } from '../payment/plans.ts'
import { readArguments, UsageError } from '../process/command-arguments.ts'
import { accounts } from '../provider/accounts.ts'
import { type OpenProvider, openProviders } from '../provider/open.ts'
import type { Handle, Task } from '../provider/provider.ts'
import { mapRequest } from '../provider/request-mapping.ts'

const POLL_MS = 5_000
const PROMPT = 'A paper boat in a rain gutter, dawn'

/** @returns the exit status */
export async function catalogueCommand(config: Config, args: string[]): Promise<number> {
  const { values, positionals } = readArguments('catalogue', {
    args,
    allowPositionals: true,
    options: { route: { type: 'string' }, send: { type: 'boolean' } },
  })
  const [action, id, ...rest] = positionals
  if (rest.length > 0) throw new UsageError(`kinora catalogue: ${rest.join(' ')} is not known.`)
  switch (action) {
    case undefined:
      return listModels(config)
    case 'check':
      return checkModels()
    case 'try':
      return tryModel(config, id, values)
    default:
      throw new UsageError(`kinora catalogue: ${action} is not known; write check, or try <model>.`)
  }
}

/** A line for each route that is served, by the shortest film of each mode's defaults, after what a credit is worth. */
function listModels(config: Config): number {
  const range = creditUsdRange()
  const creditUsd = creditUsdOf(config)
  if (creditUsd !== null) {
    const sold = range ? `; credits are sold for $${range.cheapest.toFixed(4)} to $${range.dearest.toFixed(4)}` : ''
    console.log(`A credit is worth $${creditUsd.toFixed(4)}${sold}.`)
  }
  for (const model of listedModels(catalogue(), config)) {
    console.log(`${model.id} – ${model.name}, ${model.company}${model.asOf ? `, as of ${model.asOf}` : ''}`)
    for (const route of servedRoutes(model, config)) console.log(`  ${routeLine(model, route, config)}`)
  }
  return 0
}

function routeLine(model: Model, route: Route, settings: CatalogueSettings): string {
  const served = `${route.account} – ${modesOfRoute(route, model).join(', ')}`
  const figures = figuresOf(model, route, settings)
  if (!figures || figures.credits === null) return `${served} – no price`
  const { film, credits, costUsd, margin, marginOfCheapest } = figures
  const priced = `${film.seconds} s in ${film.quality}: ${credits} credits`
  if (costUsd === null || margin === null || marginOfCheapest === null) return `${served} – ${priced}, cost unknown`
  const [share, ofCheapest] = [margin, marginOfCheapest].map((each) => `${Math.round(100 * each)} %`)
  return `${served} – ${priced}, cost $${costUsd.toFixed(3)}, margin ${share}, ${ofCheapest} for the cheapest credits`
}

/** The files were read at the start; what is left are the expressions of routes whose accounts have no settings. */
async function checkModels(): Promise<number> {
  const every = Object.fromEntries(accounts().map(({ id }) => [id, UNUSED]))
  await checkRoutes(catalogue(), { providers: every, creditUsd: null })
  console.log(`${catalogue().size} models, no mistake`)
  return 0
}
const UNUSED = { adapter: '', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }

async function tryModel(
  config: Config,
  id: string | undefined,
  { route: account, send = false }: { route?: string | undefined; send?: boolean | undefined },
): Promise<number> {
  const model = id === undefined ? undefined : catalogue().get(id)
  if (!model) {
    throw new UsageError(`kinora catalogue try: write a model of the catalogue, such as ${[...catalogue().keys()][0]}.`)
  }
  const route =
    model.routes.find((each) => each.account === (account ?? servedRoutes(model, config)[0]?.account)) ??
    (account === undefined ? model.routes[0] : undefined)
  const request = route && sampleOf(model, route)
  if (!route || !request) {
    throw new UsageError(
      `kinora catalogue try: ${model.id} has no route ${account}; it has ${model.routes.map((each) => each.account).join(', ')}.`,
    )
  }
  const providers = openProviders(config.providers)
  try {
    const provider = await providers.open(route.account)
    const { name = model.id, input = provider?.adapter.input ?? {} } = routeOf(model, route.account, request)
    const size = filmSize(String(request.aspectRatio ?? '16:9'), String(request.quality))
    const task: Task = {
      videoId: newId(new Date()),
      callbackUrl: `${config.callbackUrl}/${route.account}`,
      model: name,
      input: await mapRequest(input, { prompt: PROMPT, model: name, ...request, ...size }),
    }
    console.log(`${route.account}: ${name}\n${JSON.stringify(task.input, null, 2)}`)
    if (!send) return 0
    if (!provider) throw new UsageError(`kinora catalogue try: the account ${route.account} has no settings.`)
    return await makeFilm(provider, task, model.deadlineSeconds)
  } finally {
    await providers.close()
  }
}

/** Makes one film at the vendor's price, outside the ledger. @returns the exit status: 1 without a film */
async function makeFilm(provider: OpenProvider, task: Task, deadlineS: number): Promise<number> {
  const outcome = await provider.submit(task)
  if (outcome.kind !== 'accepted') {
    console.log(JSON.stringify(outcome))
    return 1
  }
  const end = Date.now() + deadlineS * 1000
  for (let report = outcome.report; ; report = await pollOnce(provider, outcome.handle)) {
    if (report) console.log(JSON.stringify(report))
    if (report?.kind === 'completed') return 0
    if (report?.kind === 'failed' || Date.now() > end) return 1
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const pollOnce = async ({ poll }: OpenProvider, handle: Handle) => (await poll?.(handle)) ?? undefined
