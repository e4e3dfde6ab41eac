/**
 * What a vendor publishes, compared with the routes of the catalogue at its account: models that are new or gone, other
 * prices, other values, each with the changed file of the model where one can be made. Nothing here asks anybody.
 */
import type { Mode } from '../film/mode.ts'
import { boundedPublished, type Listing, type Published } from '../provider/published.ts'
import { sourceOf } from './catalogue.ts'
import { type Chosen, includes } from './constraints.ts'
import { draftModel, type Endpoint, idOf, type Part, partOf } from './draft.ts'
import { canDo, inputOf, listOf, type Model, modesOfRoute } from './model.ts'
import type { ModelEntry, Route } from './model-file.ts'
import { costOf } from './price.ts'
import { sampleRequests } from './samples.ts'

export const FINDING_KINDS = ['new', 'gone', 'repriced', 'values'] as const
export type FindingKind = (typeof FINDING_KINDS)[number]
/** `name`: the vendor's name of the model. `model`: its id in the catalogue; of a new one what it would be. */
export type Finding = {
  kind: FindingKind
  name: string
  model: string
  text: string
  /** The changed file; null: none can be made. */
  draft: Partial<ModelEntry> | null
}
const NAME = /^[\w.:@/ -]{1,200}$/
/** Of an account; also of the new names that are looked at. */
const FINDINGS_MAX = 200
const FRESH_MAX = 1_000
const NAMED_MAX = 5

type Context = { account: string; models: readonly Model[]; listing: Listing; asOf: string; since: Date }
/** A route at the account, as it is written. `index`: in the file. */
type Used = { model: Model; entry: ModelEntry; route: Route; index: number }

/** @param context `since`: older models that no route names are no finding */
export function findingsOf(context: Context): Finding[] {
  const { account, models } = context
  // A name that no request could have is none, and of one that is there twice the first counts.
  const named = new Map<string, Published>()
  for (const each of context.listing.models)
    if (NAME.test(each.model) && !named.has(each.model)) named.set(each.model, each)
  const used = models.flatMap((model): Used[] => {
    const entry = sourceOf(model)?.entry
    const routes = entry?.routes ?? []
    return routes.flatMap((route, index) =>
      entry && route.account === account ? [{ model, entry, route, index }] : [],
    )
  })
  const names = new Set(used.flatMap((each) => [...namesOf(each).keys()]))
  const fresh = [...named.values()]
    .filter(({ model, createdAt }) => !names.has(model) && (!createdAt || createdAt >= context.since))
    .slice(0, FRESH_MAX)
    .map(boundedPublished)
  const found = [
    ...used.flatMap((each) => ofRoute(each, context, named, fresh)),
    ...[...Map.groupBy(fresh, ({ model }) => idOf(model))].flatMap(([id, same]) => ofNew(id, same, context)),
  ]
  // A model may have two routes at an account.
  const byKey = Map.groupBy(found, ({ kind, name, model }) => JSON.stringify([kind, name, model]))
  return [...byKey.values()].flatMap(([first]) => first ?? []).slice(0, FINDINGS_MAX)
}

/** The vendor's names of a route, each with its modes. */
export function namesOf({ model, route }: Pick<Used, 'model' | 'route'>): Map<string, Mode[]> {
  const modes = modesOfRoute(route, model)
  const nameOf = (mode: Mode) => (typeof route.model === 'object' ? route.model[mode] : route.model) ?? model.id
  return Map.groupBy(modes, nameOf)
}

function ofRoute(
  used: Used,
  context: Context,
  named: ReadonlyMap<string, Published>,
  fresh: readonly Published[],
): Finding[] {
  const { model, route } = used
  const { listing, account } = context
  const finding = (kind: FindingKind, name: string, text: string, draft: Finding['draft']): Finding => ({
    ...{ kind, name, model: model.id, text, draft: draft && dated(draft, context) },
  })
  // With the workflow that it may have in a file of its own.
  const opened = model.routes[used.index] ?? route
  const lacked = modesOfRoute(route, model).flatMap((mode) => listing.lacks?.(inputOf(opened, mode)) ?? [])
  const [missing] = lacked
  if (missing) {
    const what = [...new Set(lacked.map((each) => each.what))]
    return [finding('gone', model.id, `${account} has no ${what.join(', ')}`, withFiles(used, lacked))]
  }
  return [...namesOf(used)].flatMap(([name, modes]) => {
    const published = named.get(name)
    if (!published) {
      if (!listing.isWhole && !listing.gone.includes(name)) return []
      // A server of one's own names its models as it likes.
      const same = fresh.find((each) => each.values && isLike(each.model, model.id))
      if (same) return []
      return [finding('gone', name, `${account} lists ${name} no more`, without(used, modes))]
    }
    const found = boundedPublished(published)
    const price = otherPrice(used, found, context.asOf)
    const values = otherValues(used, found, modes, context)
    return [
      ...(price ? [finding('repriced', name, price.text, price.draft)] : []),
      ...(values ? [finding('values', name, values.text, values.draft)] : []),
    ]
  })
}

const dated = (draft: Partial<ModelEntry>, { asOf }: Context): Partial<ModelEntry> => ({ ...draft, asOf })

/** The file with another route, or without it. */
function withRoute({ entry, index }: Used, route: Route | null): ModelEntry | null {
  const routes = entry.routes.flatMap((each, i) => (i === index ? (route ?? []) : each))
  return routes.length === 0 ? null : { ...entry, routes }
}

/** The file without modes of a route. Null: no route would be left. */
function without(used: Used, modes: readonly Mode[]): ModelEntry | null {
  const { model, input } = used.route
  const left = (each: object | undefined) =>
    Object.fromEntries(Object.entries(each ?? {}).filter(([mode]) => !(modes as readonly string[]).includes(mode)))
  if (typeof model !== 'object' || Object.keys(left(model)).length === 0) return withRoute(used, null)
  const isByMode = Object.keys(input ?? {}).some((mode) => mode in model)
  return withRoute(used, {
    ...used.route,
    model: left(model),
    ...(isByMode && { input: left(input) }),
  } as Route)
}

/** The file with the files that a server of one's own has instead. Null: not all have one. */
function withFiles(used: Used, lacked: { what: string; instead: string | null }[]): ModelEntry | null {
  if (lacked.some(({ instead }) => instead === null)) return null
  let text = JSON.stringify(used.route)
  for (const { what, instead } of lacked) text = text.replaceAll(what, () => JSON.stringify(instead).slice(1, -1))
  return withRoute(used, JSON.parse(text))
}

function otherPrice(used: Used, { cost, unitUsd }: Published, asOf: string): Pick<Finding, 'text' | 'draft'> | null {
  const { model, route } = used
  const own = route.cost
  if (!own) return null
  if (cost) {
    const published = { per: 'second' as const, usd: cost.usd, asOf, source: cost.source }
    const requests = sampleRequests(model, { ...wordsOf(own.usd), ...cost.usd }, route).filter((each) =>
      canDo(route, each),
    )
    const [other] = requests.flatMap((request) => {
      const [before, now] = [costOf(own, request), costOf(published, request)]
      return before === null || now === null || Math.abs(before - now) < 1e-6 ? [] : [{ request, before, now }]
    })
    if (!other) return null
    return {
      text: `${filmText(other.request)} costs $${other.now}, not $${other.before}`,
      draft: withRoute(used, { ...route, cost: published }),
    }
  }
  const amounts = typeof own.usd === 'number' ? [own.usd] : Object.values(own.usd)
  if (!unitUsd || own.per !== unitUsd.per || amounts.some((usd) => Math.abs(usd - unitUsd.usd) < 1e-6)) return null
  const draft = amounts.length > 1 ? null : withRoute(used, { ...route, cost: { ...unitUsd, asOf } })
  return { text: `a ${unitUsd.per} costs $${unitUsd.usd}, not ${amounts.map((usd) => `$${usd}`).join(' or ')}`, draft }
}
const wordsOf = (usd: number | { [words: string]: number }) => (typeof usd === 'number' ? { '*': usd } : usd)
const filmText = ({ mode, duration, quality }: Chosen): string => `${mode}, ${duration} s in ${quality},`

const FIELDS = ['duration', 'quality', 'aspectRatio'] as const

/** Values of the modes of a name that the vendor has not, or that the route leaves out. */
function otherValues(
  used: Used,
  found: Published,
  modes: readonly Mode[],
  { account }: Context,
): Pick<Finding, 'text' | 'draft'> | null {
  if (found.fields.length === 0) return null
  const part = partOf({ ...found, account }, [])
  const texts: string[] = []
  let draft: ModelEntry | null = used.entry
  for (const field of FIELDS) {
    const published = publishedValues(part, field)
    if (!published) continue
    const own = new Map(
      modes
        .filter((mode) => part.modes.includes(mode))
        .map((mode) => [mode, ownValues(used, mode, field) ?? published]),
    )
    // A schema of several modes does not tell which of them has a value.
    const anyMode = new Set([...own.values()].flat())
    const more = published.filter((each) => !anyMode.has(each))
    const less = [...anyMode].filter((each) => !published.includes(each))
    // Of modes that the fields of a request do not show, such as extend, nothing is known.
    if (own.size === 0 || more.length + less.length === 0) continue
    const words = [more.length > 0 && `also ${more.join(', ')}`, less.length > 0 && `not ${less.join(', ')}`]
    texts.push(`${field}: ${words.filter(Boolean).join('; ')}`)
    const values = new Map(
      [...own].map(([mode, each]) => [mode, [...each.filter((one) => !less.includes(one)), ...more]]),
    )
    draft = draft && withValues({ ...used, entry: draft }, field, values)
  }
  return texts.length > 0 ? { text: texts.join('. '), draft } : null
}

const publishedValues = ({ shape }: Part, field: (typeof FIELDS)[number]): readonly unknown[] | null => {
  const values = shape[field]
  return values === undefined || typeof values === 'string' ? null : listOf(values)
}

function ownValues({ model, route }: Pick<Used, 'model' | 'route'>, mode: Mode, field: string): unknown[] | null {
  const values = listOf(model.constraints.get(mode)?.get(field)?.values ?? null)
  return values?.filter((each) => includes(route.serves?.[field] ?? null, each)) ?? null
}

/** The file whose route has these values in these modes, and whose other routes have what they had. */
function withValues(
  used: Used,
  field: (typeof FIELDS)[number],
  values: ReadonlyMap<Mode, readonly unknown[]>,
): ModelEntry | null {
  const { model, entry, index } = used
  const of = new Map(
    model.summary.modes.map((mode) => [mode, listOf(model.constraints.get(mode)?.get(field)?.values ?? null)]),
  )
  const wanted = model.routes.map(
    (route, i) =>
      new Map(
        modesOfRoute(route, model).map((mode) => [
          mode,
          (i === index && values.get(mode)) || ownValues({ model, route }, mode, field),
        ]),
      ),
  )
  // What a mode has: what some route makes, in the order of the file, and what is new.
  const all = new Map(
    [...of].map(([mode, own]) => {
      const made = new Set(wanted.flatMap((each) => each.get(mode) ?? []))
      return [
        mode,
        own && sorted([...own.filter((each) => made.has(each)), ...[...made].filter((each) => !own.includes(each))]),
      ]
    }),
  )
  const routes = entry.routes.map((route, i) => {
    const lists = [...(wanted[i] ?? [])]
    const serves = [...new Set(lists.flatMap(([, list]) => list ?? []))]
    const isExact = lists.every(
      ([mode, list]) => !list || (all.get(mode) ?? []).every((each) => list.includes(each) === serves.includes(each)),
    )
    if (!isExact) return null
    const isWhole = lists.every(([mode, list]) => !list || list.length === all.get(mode)?.length)
    const { [field]: _, ...others } = route.serves ?? {}
    const next = { ...others, ...(isWhole ? {} : { [field]: sorted(serves) }) }
    const { serves: __, ...rest } = route
    return (Object.keys(next).length > 0 ? { ...rest, serves: next } : rest) as Route
  })
  if (routes.some((route) => route === null)) return null
  const isChanged = (mode: string) => String(all.get(mode as Mode)) !== String(of.get(mode as Mode))
  const [first = ''] = Object.keys(entry.modes)
  const shapes = Object.entries(entry.modes).map(([mode, shape]) => {
    // What is left out is as in the first mode.
    const isWritten = isChanged(mode) || (isChanged(first) && shape[field] === undefined)
    const list = all.get(mode as Mode)
    return [mode, isWritten && list ? { ...shape, [field]: list } : shape]
  })
  return { ...entry, modes: Object.fromEntries(shapes), routes: routes as Route[] }
}

const sorted = (values: readonly unknown[]): unknown[] =>
  values.every((each) => typeof each === 'number') ? values.toSorted((a, b) => Number(a) - Number(b)) : [...values]

/** A model that no route at the account names: a route more of one that the catalogue has, or a new file. */
function ofNew(id: string, found: readonly Published[], { account, models, asOf }: Context): Finding[] {
  const endpoints = found.map(
    (each): Endpoint => ({ ...each, account, company: each.company ?? companyOf(each.model, models) }),
  )
  const [first, ...others] = endpoints
  if (!first) return []
  const name = first.model
  const { unitUsd } = first
  // Others of its prices are multiples of it, which no list tells.
  const unit = unitUsd ? `; there a ${unitUsd.per} costs $${unitUsd.usd}, or a multiple` : ''
  const left = found.length > NAMED_MAX ? ` and ${found.length - NAMED_MAX} more` : ''
  const names = found.slice(0, NAMED_MAX).map(({ model }) => model)
  const text = `${account} has ${names.join(', ')}${left}${unit}`
  const finding = (model: string, draft: Finding['draft']): Finding[] => [{ kind: 'new', name, model, text, draft }]
  const like = first.values && models.find((model) => isLike(name, model.id))
  const known = like ?? models.find((model) => model.id === id)
  const entry = known && sourceOf(known)?.entry
  if (known && entry && first.values) {
    // Its name there is another one, and its values are known.
    const routes = entry.routes.map((route) => (route.account === account ? { ...route, model: name } : route))
    return finding(known.id, { ...entry, asOf, routes })
  }
  if (first.fields.length === 0 && !first.values) return finding(known?.id ?? id, null)
  const draft = draftModel([first, ...others], asOf).entry
  if (!known || !entry) return finding(id, draft)
  const [route] = draft.routes ?? []
  const serves = Object.fromEntries(
    FIELDS.flatMap((field) => {
      const values = publishedValues(partOf(first, []), field)
      const own = listOf([...known.constraints.values()][0]?.get(field)?.values ?? null)
      return values && own && !own.every((each) => values.includes(each))
        ? [[field, own.filter((each) => values.includes(each))]]
        : []
    }),
  )
  const added = route && ({ ...route, ...(Object.keys(serves).length > 0 && { serves }) } as Route)
  return finding(known.id, added ? { ...entry, asOf, routes: [...entry.routes, added] } : null)
}

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const isLike = (name: string, id: string): boolean => letters(name).includes(letters(id))

/** Of a model of the same family, else the owner in the vendor's name. */
function companyOf(name: string, models: readonly Model[]): string {
  const [owner = '', family = ''] = name.split('/')
  const start = family === '' ? owner : `${owner}/${family}`
  const same = models.find((model) =>
    model.routes.some((route) => [...namesOf({ model, route }).keys()].some((each) => each.startsWith(start))),
  )
  return same?.company ?? owner.replaceAll('-', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}
