/**
 * The models, validated as a whole at start-up and when their files change. Only these files decide which generate
 * requests are valid and what they cost.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from '../config/config.ts'
import { catalogueFolders, type Origin, TAKEN, type TakenFile, takenFiles } from '../config/package-dir.ts'
import type { Mode } from '../film/mode.ts'
import { problemsOfMapping } from '../provider/request-mapping.ts'
import { type Locate, readJsonFile } from '../text/json-file.ts'
import { problemsOfModel } from './check.ts'
import { filmSize } from './film-size.ts'
import { sampleMedia } from './inputs.ts'
import { type CatalogueSettings, inputOf, type Model, modesOfRoute, openModel, servedRoutes } from './model.ts'
import { type ModelEntry, ModelFile, type Route, WORKFLOW_FILE } from './model-file.ts'
import { offerOf } from './offer.ts'
import { sampleOf } from './route-figures.ts'
import { withWorkflows } from './workflow.ts'

/** A model's file in a folder of the catalogue; the id is that of model-file.ts. */
export const MODEL_FILE = /^models\/[a-z0-9][a-z0-9.-]{0,79}\.json$/

export type Catalogue = ReadonlyMap<string, Model>

/** As the files have them. */
let ofFiles: Catalogue | undefined
type Providers = CatalogueSettings['providers']
/** What the models of the files offer with a set of accounts, without what is switched off. */
let offers = new WeakMap<Providers, Catalogue>()
let isOn: ((subject: { model: string; account: string }) => boolean) | null = null
/**
 * Where a model comes from. `entry`: as it is written there. `locate`: how its problems name file and line.
 */
export type Source = { of: Origin; entry: ModelEntry; locate: Locate }
const sources = new WeakMap<Model, Source>()
export const sourceOf = (model: Model): Source | undefined => sources.get(model)

/** Takes other models, all at once: a request that holds the former ones goes on with them. */
export function replaceCatalogue(models: Catalogue): void {
  ofFiles = models
  offers = new WeakMap()
}

/** Takes what administrators have switched off; null: nothing. */
export function switchOff(isOnNow: typeof isOn): void {
  isOn = isOnNow
  offers = new WeakMap()
}

/**
 * The models by id, as new videos may use them: what each offers with the accounts that have settings, without what is
 * switched off. One that no account serves has no routes. @throws ConfigError
 */
export function catalogue({ providers }: Pick<CatalogueSettings, 'providers'>): Catalogue {
  const models = everyModel()
  const known = offers.get(providers)
  if (known) return known
  const found = new Map([...models].map(([id, model]) => [id, offered(model, providers)]))
  offers.set(providers, found)
  return found
}

/** The models by id with all of their routes, for accepted videos and administrators. @throws ConfigError */
export function everyModel(): Catalogue {
  if (ofFiles) return ofFiles
  // Before the files are read: a change meanwhile is one that was not read.
  signatureAtStart = catalogueSignature()
  ofFiles = readModels()
  return ofFiles
}

/** Of the files when they were read for the first time. */
export let signatureAtStart = ''

/** The offer of the routes that are on; of one that is off, or has no other, that of all, shown as unavailable. */
function offered(model: Model, providers: Providers): Model {
  const served = servedRoutes(model, { providers })
  const isRouteOn = ({ account }: Route) => isOn?.({ model: model.id, account }) ?? true
  const offer = offerOf(model, served.filter(isRouteOn))
  if (offer) return offer
  const off = offerOf(model, served)
  return off ? { ...off, enabled: false } : { ...model, routes: [] }
}

/**
 * The models of the release, what administrators took, and those of the operator, each replacing one of the same id:
 * those with a position first, then by id.
 * @throws ConfigError that names file, line and problem of each mistake
 */
export function readModels(folders = catalogueFolders()): Catalogue {
  const [release = [], ...own] = folders.map(({ name, path: folder }, i) =>
    modelNames(folder).map((file) => ({
      folder: `${name}/models`,
      name: file,
      path: path.join(folder, 'models', file),
      of: i === 0 ? ('release' as const) : ('own' as const),
    })),
  )
  // One that was taken by other accounts than there are now must not keep the files from being read.
  const taken = takenFiles()
    .flatMap((file) => modelText(file) ?? [])
    .filter(isReadable)
  const chosen = new Map([...release, ...taken, ...own.flat()].map((file) => [file.name, file]))
  return parseModels(
    [...chosen.values()].map((file) => ('text' in file ? file : { ...file, text: readFileSync(file.path, 'utf8') })),
  )
}

/** A file that an administrator wrote. @returns null for another one than a model's */
export function modelText({ file, text }: TakenFile): ModelText | null {
  if (!MODEL_FILE.test(file)) return null
  const name = path.basename(file)
  // The workflows that it names are those of the release.
  const beside = path.join(catalogueFolders()[0]?.path ?? '', file)
  return { folder: `${TAKEN}/models`, name, path: beside, text, of: 'taken' }
}

function isReadable(file: ModelText): boolean {
  try {
    return parseModels([file]).size > 0
  } catch {
    return false
  }
}

function textBeside(file: string | undefined, name: string): string | null {
  const beside = file && path.join(path.dirname(file), name)
  return beside && existsSync(beside) ? readFileSync(beside, 'utf8') : null
}

function jsonNames(folder: string): string[] {
  const models = path.join(folder, 'models')
  return existsSync(models) ? readdirSync(models).filter((name) => name.endsWith('.json')) : []
}
const modelNames = (folder: string): string[] => jsonNames(folder).filter((name) => !WORKFLOW_FILE.test(name))

/** Names, sizes and times of all files, which differ after a change, or why a folder cannot be read. */
export function catalogueSignature(folders = catalogueFolders()): string {
  return folders
    .map(({ path: folder }) => {
      try {
        return signatureOf(folder)
      } catch (error) {
        return (error as Error).message
      }
    })
    .join('\n')
}

function signatureOf(folder: string): string {
  const names = [
    ...jsonNames(folder).map((name) => path.join('models', name)),
    'providers.json',
    'plans.json',
    'templates.json',
  ]
  return names
    .map((name) => {
      const file = path.join(folder, name)
      const found = statSync(file, { throwIfNoEntry: false })
      return `${file} ${found?.mtimeMs} ${found?.size}`
    })
    .join('\n')
}

/** A file's text. `path`: where it lies, and the workflows that it names. */
export type ModelText = { folder?: string; name: string; path?: string; text: string; of?: Source['of'] }

/** @throws ConfigError */
export function parseModels(files: ModelText[]): Catalogue {
  const problems = files.length === 0 ? ['catalogue/models: there is no model; add a file'] : []
  const models: Model[] = []
  for (const { folder = 'catalogue/models', name, path: file, text, of = 'release' } of files) {
    const { value, problems: found, locate } = readJsonFile(`${folder}/${name}`, text, ModelFile)
    problems.push(...found)
    if (!value) continue
    const { entry, problems: ofWorkflows } = withWorkflows(value, (workflow) => textBeside(file, workflow))
    problems.push(...ofWorkflows.map(locate))
    if (name !== `${entry.id}.json`)
      problems.push(locate({ path: ['id'], text: `must be the name of the file, ${path.parse(name).name}` }))
    const model = openModel(entry)
    sources.set(model, { of, entry: value, locate })
    problems.push(...problemsOfModel(model).map(locate))
    models.push(model)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const position = (model: Model) => model.position ?? Number.POSITIVE_INFINITY
  models.sort((a, b) => (position(a) === position(b) ? (a.id < b.id ? -1 : 1) : position(a) - position(b)))
  return new Map(models.map((model) => [model.id, model]))
}

/**
 * Checks the expressions of the routes that are served: the process of JSONata starts with the first that is more than
 * a name.
 * @param isTried whether each also makes a request of the model's shortest film, which takes up to a second of an
 * endless one
 * @throws ConfigError that names file, line, field and problem of each that is none
 */
export async function checkRoutes(models: Catalogue, settings: CatalogueSettings, isTried = false): Promise<void> {
  const problems = await Promise.all([...models.values()].map((model) => mappingProblems(model, settings, isTried)))
  if (problems.flat().length > 0) throw new ConfigError(problems.flat())
}

async function mappingProblems(model: Model, settings: CatalogueSettings, isTried: boolean): Promise<string[]> {
  const locate = sourceOf(model)?.locate ?? (({ text }) => `${model.id}: ${text}`)
  const served = new Set(servedRoutes(model, settings))
  const checks = model.routes.flatMap((route, i) => {
    if (!served.has(route)) return []
    return modesOfRoute(route, model).map(async (mode) => {
      const input = inputOf(route, mode)
      const found = await problemsOfMapping(input ?? {}, isTried ? trialOf(model, route, mode) : undefined)
      const at = input === route.input ? [] : [mode]
      return found.map(({ path: fields, text }) => ({ path: ['routes', i, 'input', ...at, ...fields], text }))
    })
  })
  // One sentence for a field: an expression without end is ended by either of two limits, in each mode anew.
  const byField = Map.groupBy((await Promise.all(checks)).flat(), ({ path }) => path.join('.'))
  return [...byField.values()].flatMap(([first]) => (first ? [locate(first)] : []))
}

/** The fields of a request that expressions name. */
function trialOf(model: Model, route: Route, mode: Mode): object | undefined {
  const sample = sampleOf(model, route, mode)
  if (!sample) return undefined
  const size = filmSize(String(sample.aspectRatio ?? '16:9'), String(sample.quality))
  const { named, facts } = sampleMedia(model, mode, (kind) => `https://example.com/${kind}`)
  return { prompt: 'A boat', model: model.id, watermark: false, ...sample, ...size, ...facts, ...named }
}

/** The models that users see: those that a provider with settings serves. */
export const listedModels = (offers: Catalogue): Model[] =>
  [...offers.values()].filter(({ listed, routes }) => listed && routes.length > 0)

/** The models that films can be made with now. */
export const usableModels = (offers: Catalogue): Model[] =>
  listedModels(offers).filter(({ enabled, price }) => enabled && price !== null)

/** Those of the files that are listed, but whose accounts have no settings. */
export const unservedModels = (settings: Pick<CatalogueSettings, 'providers'>): Model[] =>
  [...everyModel().values()].filter((model) => model.listed && servedRoutes(model, settings).length === 0)
