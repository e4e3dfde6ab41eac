/** `kinora catalogue`: what is served, cost, price and margin; the check of all files; the request of a film. */
import { readFileSync } from 'node:fs'
import { openApp } from '../app.ts'
import { catalogue, checkRoutes, everyModel, listedModels, parseModels } from '../catalogue/catalogue.ts'
import { compare, readDocument } from '../catalogue/compare.ts'
import { draftModel, endpointsIn } from '../catalogue/draft.ts'
import { filmSize } from '../catalogue/film-size.ts'
import { sampleMedia } from '../catalogue/inputs.ts'
import { type CatalogueSettings, type Model, modesOfRoute, routeOf } from '../catalogue/model.ts'
import type { Route } from '../catalogue/model-file.ts'
import { type LeftOut, leftOutOf } from '../catalogue/offer.ts'
import { creditUsdOf } from '../catalogue/price.ts'
import { figuresOf, sampleOf } from '../catalogue/route-figures.ts'
import { problemsOfTaken, readTaken } from '../catalogue/taken.ts'
import { promptTemplates } from '../catalogue/templates.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { openDb, type Sql } from '../db/db.ts'
import { newId } from '../id.ts'
import { FetchError } from '../net/fetch-error.ts'
import { openSafeFetch } from '../net/safe-fetch.ts'
import { creditsSold, plans } from '../payment/plans.ts'
import { olderPrices, priceProblems, pricesPaid } from '../payment/prices.ts'
import { readArguments, UsageError } from '../process/command-arguments.ts'
import { openLog } from '../process/log.ts'
import { accounts } from '../provider/accounts.ts'
import { type OpenProvider, openProviders } from '../provider/open.ts'
import type { Handle, Task } from '../provider/provider.ts'
import { mapRequest } from '../provider/request-mapping.ts'
import { counted } from '../text/counted.ts'
import { parseJson } from '../text/json-reader.ts'

const POLL_MS = 5_000
const PROMPT = 'A paper boat in a rain gutter, dawn'
/** Stands for the image or film of a field in the printed request. */
const linkOf = (field: string): string => `https://example.com/${field}`

/** @returns the exit status */
export async function catalogueCommand(config: Config, args: string[]): Promise<number> {
  const { values, positionals } = readArguments('catalogue', {
    args,
    allowPositionals: true,
    options: { route: { type: 'string' }, send: { type: 'boolean' }, model: { type: 'string' } },
  })
  const [action, id, ...rest] = positionals
  if (action === 'add') return addModel(config, positionals.slice(1), values.model ?? null)
  if (rest.length > 0) throw new UsageError(`kinora catalogue: ${rest.join(' ')} is not known.`)
  const unread = await withDatabase(config, (sql) => readTaken({ sql }))
  if (unread instanceof Error) console.error(`Drafts that administrators took are not known: ${unread.message}`)
  for (const problem of problemsOfTaken()) console.error(problem)
  switch (action) {
    case undefined:
      return await listModels(config)
    case 'check':
      return checkModels(config)
    case 'compare':
      return compareLists(config, id)
    case 'try':
      return tryModel(config, id, values)
    default:
      throw new UsageError(
        `kinora catalogue: ${action} is not known; write check, compare, try <model>, or add <page>.`,
      )
  }
}

/** A line for each route that is served, by the shortest film of each mode's defaults, after what a credit is worth. */
async function listModels(config: Config): Promise<number> {
  const creditUsd = creditUsdOf(config)
  if (creditUsd !== null) {
    const sold = creditsSold().map(({ name, creditUsd: usd }) => `${name} $${usd.toFixed(4)}`)
    const origin = config.creditUsd === null ? ', as the cheapest that is sold' : ' by CREDIT_USD'
    console.log(
      `Prices count a credit as $${creditUsd.toFixed(4)}${origin}. Sold: ${sold.join(', ') || 'none in USD'}.`,
    )
  }
  for (const model of listedModels(catalogue(config))) {
    console.log(`${model.id} – ${model.name}, ${model.company}${model.asOf ? `, as of ${model.asOf}` : ''}`)
    for (const route of model.routes) console.log(`  ${routeLine(model, route, config)}`)
    const left = leftOutOf(everyModel().get(model.id) ?? model, model).map(textOfLeftOut)
    if (left.length > 0) console.log(`  no account with settings makes: ${left.join('; ')}`)
  }
  const older = await withDatabase(config, olderPrices)
  if (older instanceof Error) console.error(`Subscriptions at older prices were not counted: ${older.message}`)
  else for (const sentence of older) console.log(sentence)
  return 0
}

function routeLine(model: Model, route: Route, settings: CatalogueSettings): string {
  const served = `${route.account} – ${modesOfRoute(route, model).join(', ')}`
  const figures = figuresOf(model, route, settings)
  if (!figures || figures.credits === null) return `${served} – no price`
  const { film, credits, costUsd, margins } = figures
  const priced = `${film.seconds} s in ${film.quality}: ${counted(credits, 'credit')}`
  if (costUsd === null) return `${served} – ${priced}, cost unknown`
  const ends = margins.length > 1 ? [margins[0], margins.at(-1)] : margins
  const shares = ends.map((each) => each && `${Math.round(100 * each.margin)} % (${each.name})`)
  return `${served} – ${priced}, cost $${costUsd.toFixed(3)}, margin ${shares.join(' to ') || 'unknown'}`
}

const textOfLeftOut = ({ field, values }: LeftOut): string =>
  values.length > 0 ? `${field} ${values.join(', ')}` : field

/** The files were read at the start; left are prices that were paid, and all routes' expressions, each tried. */
async function checkModels(config: Config): Promise<number> {
  const paid = await withDatabase(config, pricesPaid)
  if (paid instanceof Error) console.error(`The prices were not compared with what was paid: ${paid.message}`)
  const changed = priceProblems(plans(), paid instanceof Error ? [] : paid)
  if (changed.length > 0) throw new ConfigError(changed)
  promptTemplates()
  const every = Object.fromEntries(accounts().map(({ id }) => [id, UNUSED]))
  await checkRoutes(everyModel(), { providers: every, creditUsd: null }, true)
  console.log(`${counted(everyModel().size, 'model')}, no mistake`)
  return 0
}

/** Asks what vendors publish now, and stores what differs. @returns the exit status: 1 when a list cannot be read */
async function compareLists(config: Config, only: string | undefined): Promise<number> {
  const app = await openApp(config, openLog(config))
  try {
    if (only !== undefined && !app.providers.has(only))
      throw new UsageError(`kinora catalogue compare: the account ${only} has no settings.`)
    const found = await compare(app, { isNow: true, ...(only !== undefined && { only }) })
    for (const { account, findings, problem } of found) {
      if (problem !== null) console.log(`${account} – ${problem}`)
      else if (findings === null) console.log(`${account} – publishes no list`)
      else if (findings.length === 0) console.log(`${account} – as the catalogue has it`)
      for (const each of findings ?? []) {
        const draft = each.draft === null ? 'no draft' : (each.problems[0] ?? 'a draft is on Models')
        console.log(`${account} – ${each.kind} – ${each.model} – ${each.text} – ${draft}`)
      }
    }
    return found.some(({ problem }) => problem !== null) ? 1 : 0
  } finally {
    await app.close()
  }
}

/** @returns the database's error: it may not answer, or have no tables yet */
async function withDatabase<T>(config: Config, read: (sql: Sql) => Promise<T>): Promise<T | Error> {
  const sql = openDb(config.databaseUrl, { connections: 1, name: 'kinora catalogue', pooler: config.databasePooler })
  try {
    return await read(sql)
  } catch (error) {
    if (error instanceof TypeError || !(error instanceof Error)) throw error
    return error
  } finally {
    await sql.end({ timeout: 1 })
  }
}
const UNUSED = { adapter: '', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }

/**
 * Prints the first draft of a model's file, and after it, as errors, what its author has to decide.
 * @param sources pages of one model, addresses of their documents, or files with these. @returns the exit status
 */
async function addModel(config: Config, sources: string[], chosen: string | null): Promise<number> {
  if (sources.length === 0) throw new UsageError(`kinora catalogue add: ${SOURCES}.`)
  const fetch = openSafeFetch({ allow: config.fetchAllow })
  try {
    const documents: unknown[] = []
    let model = chosen
    for (const source of sources) {
      const found = documentOf(source, config)
      model ??= found.model
      documents.push(
        found.url === null
          ? parseJson(textOfFile(source))
          : await readDocument(fetch, found.url, { headers: found.headers }),
      )
    }
    const [first, ...others] = (await endpointsIn(documents, model)) ?? []
    if (!first) {
      console.error(`This describes no video model. ${SOURCES}; --model names one of a list.`)
      return 1
    }
    const draft = draftModel([first, ...others], new Date().toISOString().slice(0, 10))
    console.log(JSON.stringify(draft.entry, null, 2))
    const file = `${draft.entry.id}.json`
    console.error(`\nSave it as ${file} in the folder models of CATALOGUE_DIR, and decide:`)
    for (const sentence of [...problemsOfDraft(file, draft.entry), ...draft.notes]) console.error(`- ${sentence}`)
    return 0
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    console.error(error.message)
    return 1
  } finally {
    await fetch.close()
  }
}
const SOURCES =
  'Write the page of a model at fal.ai (one for each mode), replicate.com or openrouter.ai, the address of its OpenAPI, or a file with it'

/** @throws UsageError */
function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`kinora catalogue add: ${(error as Error).message}. ${SOURCES}.`)
  }
}

/** The document behind a vendor's page. `url` null: the source is a file. @throws UsageError when a key is needed */
function documentOf(source: string, { providers }: Config): Document {
  const page = URL.parse(source)
  if (!page || !/^https?:$/.test(page.protocol)) return { url: null, model: null, headers: {} }
  const name = page.pathname.replace(/^\/(models\/)?|\/(api|playground|examples)?$/g, '')
  const document = (url: string, headers = {}): Document => ({ url, model: name, headers })
  switch (page.pathname.includes('/openapi') ? '' : page.hostname) {
    case 'fal.ai':
      return document(`https://fal.ai/api/openapi/queue/openapi.json?endpoint_id=${encodeURIComponent(name)}`)
    case 'openrouter.ai':
      return document('https://openrouter.ai/api/v1/videos/models')
    case 'replicate.com': {
      const { apiKey, url } = providers.replicate ?? {}
      if (!apiKey)
        throw new UsageError('kinora catalogue add: Replicate tells nothing without PROVIDER_REPLICATE_API_KEY.')
      return document(`${url ?? 'https://api.replicate.com'}/v1/models/${name}`, { authorization: `Bearer ${apiKey}` })
    }
    default:
      return { url: source, model: null, headers: {} }
  }
}
type Document = { url: string | null; model: string | null; headers: Record<string, string> }

/** What `check` would say of the draft, and of what it lacks at the same time. */
function problemsOfDraft(file: string, entry: object): string[] {
  const problems = [entry, { company: '?', ...entry }].flatMap((each) => {
    try {
      parseModels([{ folder: 'models', name: file, text: `${JSON.stringify(each, null, 2)}\n` }])
      return []
    } catch (error) {
      if (error instanceof ConfigError) return error.problems
      throw error
    }
  })
  return [...new Set(problems)]
}

async function tryModel(
  config: Config,
  id: string | undefined,
  { route: account, send = false }: { route?: string | undefined; send?: boolean | undefined },
): Promise<number> {
  const model = id === undefined ? undefined : everyModel().get(id)
  if (!model) {
    throw new UsageError(
      `kinora catalogue try: write a model of the catalogue, such as ${[...everyModel().keys()][0]}.`,
    )
  }
  const route =
    model.routes.find((each) => each.account === (account ?? catalogue(config).get(model.id)?.routes[0]?.account)) ??
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
    const { name = model.id, input = provider?.adapter.input ?? {} } = routeOf(model, route.account, request) ?? {}
    const size = filmSize(String(request.aspectRatio ?? '16:9'), String(request.quality))
    const roles = [...(model.roles.get(request.mode)?.keys() ?? [])]
    const { named, facts } = sampleMedia(model, request.mode, linkOf)
    const task: Task = {
      videoId: newId(new Date()),
      callbackUrl: `${config.callbackUrl}/${route.account}`,
      model: name,
      input: await mapRequest(input, {
        prompt: PROMPT,
        model: name,
        watermark: config.vendorWatermark,
        ...request,
        ...facts,
        ...named,
        ...size,
      }).catch((error: Error) => {
        const input = `the input of ${model.id} at ${route.account}`
        throw new UsageError(`kinora catalogue try: ${input} cannot be computed: ${error.message}`)
      }),
    }
    console.log(`${route.account}: ${name}\n${JSON.stringify(task.input, null, 2)}`)
    if (!send) return 0
    if (roles.length > 0)
      throw new UsageError(
        `kinora catalogue try: --send has no ${roles.join(' and ')}, which the mode ${request.mode} needs.`,
      )
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
