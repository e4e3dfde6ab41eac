/**
 * The models of catalogue/models, validated as a whole at start-up. Only these files decide which generate requests are valid and what
 * they cost.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from '../config/config.ts'
import { catalogueFile } from '../config/package-dir.ts'
import { problemsOfMapping } from '../provider/request-mapping.ts'
import { problemsOfModel } from './check.ts'
import { type CatalogueSettings, inputOf, type Model, modesOfRoute, openModel, servedRoutes } from './model.ts'
import { type Locate, readModelFile } from './model-file.ts'

export type Catalogue = ReadonlyMap<string, Model>

/** As the files have them. */
let ofFiles: Catalogue | undefined
/** Those of `ofFiles` without what is switched off. */
let inForce: Catalogue | undefined
let switches: { isOn: (subject: { model: string; account: string }) => boolean; settings: CatalogueSettings } | null =
  null
/** How the problems of a model name its file and line. */
const locates = new WeakMap<Model, Locate>()

/** Takes other models, all at once: a request that holds the former ones goes on with them. */
export function replaceCatalogue(models: Catalogue): void {
  ofFiles = models
  inForce = undefined
}

/** Takes what administrators have switched off; null: nothing. */
export function switchOff(
  isOn: ((subject: { model: string; account: string }) => boolean) | null,
  settings: CatalogueSettings,
): void {
  switches = isOn && { isOn, settings }
  inForce = undefined
}

/** The models by id, as new videos may use them: without what is switched off. @throws ConfigError */
export function catalogue(): Catalogue {
  inForce ??= switches === null ? everyModel() : new Map([...everyModel()].map(([id, model]) => [id, switched(model)]))
  return inForce
}

/** The models by id with all of their routes, for videos that were accepted, and for administrators. @throws ConfigError */
export function everyModel(): Catalogue {
  ofFiles ??= readModels(catalogueFile('models'))
  return ofFiles
}

/** A model without the routes that are off. One that is off, or has no other route with settings, keeps them: it is shown as unavailable. */
function switched(model: Model): Model {
  if (!switches) return model
  const { isOn, settings } = switches
  const routes = model.routes.filter(({ account }) => isOn({ model: model.id, account }))
  if (routes.length === model.routes.length) return model
  const isServed = servedRoutes({ routes }, settings).length > 0
  return isServed ? { ...model, routes } : { ...model, enabled: false }
}

/** Of the files that were read last, before they were read: a change meanwhile is one that was not read. */
let lastRead = ''
export const isChanged = (folder: string): boolean => signatureOf(folder) !== lastRead

/** Names, sizes and times of the files of a folder. */
function signatureOf(folder: string): string {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    const files = names.map((name) => {
      const { mtimeMs, size } = statSync(path.join(folder, name))
      return `${name} ${mtimeMs} ${size}`
    })
    return [folder, ...files.sort()].join('\n')
  } catch (error) {
    return `${folder}: ${(error as Error).message}`
  }
}

/** The models of a folder: those with a position first, then by id. @throws ConfigError that names file, line and problem of each mistake */
export function readModels(folder: string): Catalogue {
  lastRead = signatureOf(folder)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return parseModels(files.map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') })))
}

/** @throws ConfigError */
export function parseModels(files: { name: string; text: string }[]): Catalogue {
  const problems = files.length === 0 ? ['catalogue/models: there is no model; add a file'] : []
  const models: Model[] = []
  for (const { name, text } of files) {
    const { entry, problems: found, locate } = readModelFile(`catalogue/models/${name}`, text)
    problems.push(...found)
    if (!entry) continue
    if (name !== `${entry.id}.json`)
      problems.push(locate({ path: ['id'], text: `must be the name of the file, ${path.parse(name).name}` }))
    const model = openModel(entry)
    locates.set(model, locate)
    problems.push(...problemsOfModel(model).map(locate))
    models.push(model)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const position = (model: Model) => model.position ?? Number.POSITIVE_INFINITY
  models.sort((a, b) => (position(a) === position(b) ? (a.id < b.id ? -1 : 1) : position(a) - position(b)))
  return new Map(models.map((model) => [model.id, model]))
}

/**
 * Checks the expressions of the routes that are served: JSONata is loaded with the first that is more than a name.
 * @throws ConfigError that names file, line, field and problem of each that is none
 */
export async function checkRoutes(models: Catalogue, settings: CatalogueSettings): Promise<void> {
  const problems = await Promise.all([...models.values()].map((model) => mappingProblems(model, settings)))
  if (problems.flat().length > 0) throw new ConfigError(problems.flat())
}

async function mappingProblems(model: Model, settings: CatalogueSettings): Promise<string[]> {
  const locate = locates.get(model) ?? (({ text }) => `${model.id}: ${text}`)
  const served = new Set(servedRoutes(model, settings))
  const checks = model.routes.flatMap((route, i) => {
    if (!served.has(route)) return []
    const inputs = new Set(modesOfRoute(route, model).map((mode) => inputOf(route, mode)))
    return [...inputs].map(async (input) => {
      const found = await problemsOfMapping(input ?? {})
      return found.map(({ path: at, text }) => {
        const mode =
          input === route.input
            ? []
            : modesOfRoute(route, model)
                .filter((each) => inputOf(route, each) === input)
                .slice(0, 1)
        return locate({ path: ['routes', i, 'input', ...mode, ...at], text })
      })
    })
  })
  return (await Promise.all(checks)).flat()
}

/** The models that users see: those of the catalogue that a provider with settings serves. */
export const listedModels = (models: Catalogue, settings: CatalogueSettings): Model[] =>
  [...models.values()].filter((model) => model.listed && servedRoutes(model, settings).length > 0)

/** The models that films can be made with now. */
export const usableModels = (models: Catalogue, settings: CatalogueSettings): Model[] =>
  listedModels(models, settings).filter(({ enabled, price }) => enabled && price !== null)

/** Listed in the catalogue, but none of their accounts has settings. */
export const unservedModels = (models: Catalogue, settings: CatalogueSettings): Model[] =>
  [...models.values()].filter((model) => model.listed && servedRoutes(model, settings).length === 0)
