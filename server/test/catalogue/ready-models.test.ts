/** The ready models: each request makes a body that its vendor takes, and a price that covers the charge. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { problemIn } from '../../../simulator/src/vendor-body.ts'
import { everyModel } from '../../src/catalogue/catalogue.ts'
import {
  type Chosen,
  type Constraint,
  includes,
  narrowed,
  type RoleUse,
  shapeOf,
} from '../../src/catalogue/constraints.ts'
import { filmSize } from '../../src/catalogue/film-size.ts'
import { mediaOf, type Sent } from '../../src/catalogue/inputs.ts'
import { canDo, filmOf, inputOf, listOf, type Model, modesOfRoute, namesIn } from '../../src/catalogue/model.ts'
import type { Route } from '../../src/catalogue/model-file.ts'
import { costOf, priceOf } from '../../src/catalogue/price.ts'
import { accountsFor } from '../../src/catalogue/route-sequence.ts'
import { withReferenceFilms } from '../../src/catalogue/samples.ts'
import { KINDS, type Kind, LISTED_ROLES, ROLES, type Role } from '../../src/film/inputs.ts'
import type { Mode } from '../../src/film/mode.ts'
import { newId } from '../../src/id.ts'
import { creditUsdRange } from '../../src/payment/plans.ts'
import { accounts } from '../../src/provider/accounts.ts'
import type { Adapter } from '../../src/provider/provider.ts'
import { mapRequest } from '../../src/provider/request-mapping.ts'
import { plain } from '../support/images.ts'
import { serviceAccount } from '../support/service-account.ts'
import { sharedSimulator } from '../support/simulator.ts'
import { vendorFacts } from '../support/vendor-facts.ts'

/** The specification's models have no date. */
const ready = [...everyModel().values()].filter(({ asOf }) => asOf !== undefined)
const provider = { adapter: '', url: null, apiKey: 'key', webhookKey: null, timeoutS: 1 }
const settings = { providers: Object.fromEntries(accounts().map(({ id }) => [id, provider])), creditUsd: null }
const image = (name: string) => `https://images.example/${name}.png`
const LINKS: Record<Kind, string> = {
  image: 'https://images.example/',
  film: 'https://films.example/film.mp4',
  sound: 'https://sounds.example/sound.mp3',
}
const kindOfLink = (link: string): Kind => KINDS.find((kind) => kind !== 'image' && link === LINKS[kind]) ?? 'image'
const linkOf = (role: Role, kind: Kind) => (kind === 'image' ? image(role) : LINKS[kind])

/** The inputs of a request, as a provider gets them; `links`: what its upload returned. */
function sentBy(model: Model, { mode, ...request }: Chosen, links: Partial<Record<Kind, string>> = {}): Sent[] {
  return [...(model.roles.get(mode) ?? [])].flatMap(([role, { kinds }]) =>
    [request[role] ?? []].flat().map((each, i, all): Sent => {
      const kind = kinds.length === 1 ? (kinds[0] ?? 'image') : kindOfLink(String(each))
      const value = links[kind] ?? String(each)
      const facts = { seconds: 5 }
      return {
        role,
        kind,
        source: value,
        path: role,
        value,
        facts,
        // Spread over the film, from its start.
        ...(role === 'keyframe' && { at: (i * Number(request.duration)) / all.length }),
      }
    }),
  )
}

for (const model of ready) {
  test(`${model.id}: every allowed request at every route → a body that the vendor takes`, async () => {
    for (const [route, mode] of routesOf(model)) {
      const facts = factsOf(model, route, mode)
      const served = requestsOf(model, mode, route)
      assert.ok(served.length > 0, `${route.account} serves no request by ${mode}`)
      for (const [request, task] of served.flatMap((each) =>
        tasksOf(model, route, mode).map((task) => [each, task] as const),
      )) {
        const body = await bodyOf(model, route, request, { task })
        const [problem] = Value.Check(facts, body) ? [] : Value.Errors(facts, body)
        const where = `${route.account} ${nameOf(model, route, mode)}, ${JSON.stringify(request)}: ${JSON.stringify(body)}`
        assert.equal(problem && `${problem.instancePath}: ${problem.message}`, undefined, where)
        assert.deepEqual(clientProblem(route.account, nameOf(model, route, mode), body), null, where)
        assert.deepEqual(emptyFieldsOf(body), [], where)
      }
    }
  })

  test(`${model.id}: every allowed request → whole credits, which cover the cost of each route that serves it`, () => {
    const creditUsd = creditUsdRange()?.cheapest ?? 0
    for (const mode of model.summary.modes) {
      const stated = requestsOf(model, mode).map((request) => ({
        ...request,
        ...mediaOf(sentBy(model, request)).facts,
        // Of the account that serves it.
        filmAccount: undefined,
      }))
      for (const request of stated.flatMap((each) => [each, withReferenceFilms(model, each) ?? []].flat())) {
        const routes = model.routes.filter((route) => canDo(route, request))
        assert.ok(routes.length > 0, `no route for ${JSON.stringify(request)}`)
        const credits = priceOf(model, request, settings)
        assert.ok(
          credits !== null && Number.isInteger(credits) && credits > 0,
          `${credits} for ${JSON.stringify(request)}`,
        )
        const serving = accountsFor(model, request, settings)
        for (const { account, cost } of routes.filter((route) => serving.includes(route.account))) {
          const usd = cost ? costOf(cost, request) : 0
          assert.ok(usd !== null && credits * creditUsd >= usd, `${account}: ${usd} for ${JSON.stringify(request)}`)
        }
      }
    }
  })
}

for (const mode of ['edit', 'motion', 'lip-sync', 'avatar', 'keyframes', 'extend']) {
  test(`ready models: ${mode} → of two makers at least`, () => {
    const makers = new Set(ready.flatMap(({ roles, company }) => (roles.has(mode) ? [company] : [])))
    assert.ok(makers.size > 1, [...makers].join())
  })
}

test('ready models: a body of each route and mode → as in ready-models.txt, which UPDATE_SNAPSHOT=1 writes', async () => {
  const lines: string[] = []
  for (const model of ready) {
    lines.push(model.id)
    for (const [route, mode] of routesOf(model)) {
      for (const task of tasksOf(model, route, mode)) {
        const body = await bodyOf(model, route, exampleOf(model, route, mode), { task })
        const name = task === null ? mode : `${mode} of its own`
        lines.push(`  ${route.account} ${nameOf(model, route, mode)}, ${name}: ${JSON.stringify(body)}`)
      }
    }
  }
  const file = new URL('ready-models.txt', import.meta.url)
  const text = `${lines.join('\n')}\n`
  if (process.env.UPDATE_SNAPSHOT === '1') writeFileSync(file, text)
  assert.equal(text, readFileSync(file, 'utf8'))
})

test('VENDOR_WATERMARK: each watermark that a vendor leaves open, of every route and mode → as the setting says; no other field changes', async () => {
  const asked = new Set<string>()
  for (const model of ready) {
    for (const [route, mode] of routesOf(model)) {
      const example = exampleOf(model, route, mode)
      const [without, marked] = [
        await bodyOf(model, route, example),
        await bodyOf(model, route, example, { watermark: true }),
      ]
      const where = `${route.account} ${nameOf(model, route, mode)}, ${mode}`
      assert.deepEqual(JSON.parse(JSON.stringify(without).replace(WATERMARK, '$1true')), marked, where)
      assert.ok(Value.Check(factsOf(model, route, mode), marked), where)
      if (JSON.stringify(without) !== JSON.stringify(marked)) asked.add(model.name)
    }
  }
  const page = readFileSync(new URL('../../../docs/provenance.md', import.meta.url), 'utf8')
  const [, named = ''] = /`VENDOR_WATERMARK=on` .*?:\s([^.]+(?:\.\d[^.]*)*)\./s.exec(page) ?? []
  assert.deepEqual(named.split(/\s+/).join(' ').split(', '), [...asked].sort())
})
/** The watermark's own field, or `enabled` in it. */
const WATERMARK = /("\w*water_?mark\w*":(?:\{"enabled":)?)false/g

for (const { id, adapter: name } of accounts()) {
  const routes = ready.flatMap((model) =>
    routesOf(model)
      .filter(([{ account }]) => account === id)
      .map(([route, mode]) => ({ model, route, mode })),
  )
  if (routes.length === 0) continue
  test(`${id}: a body of each route and mode, submitted to the simulator’s dialect → accepted, each input in its role`, async () => {
    const { adapter }: { adapter: Adapter } = await import(`../../src/provider/adapter/${name}.ts`)
    // A submit that waits for its film would wait for ever.
    const prompt = adapter.capabilities.submit === 'synchronous' ? 'A boat' : 'A boat [silent]'
    const simulator = await sharedSimulator()
    const url = `${simulator.url}/${id}`
    const apiKey = id === 'vertex' ? serviceAccount() : 'key'
    const opened = adapter.open({ id, url, apiKey, webhookKey: null, timeoutS: 60 })
    const file = new Blob([new Uint8Array(await plain(320, 320))])
    const uploaded = await opened.upload?.({ file, contentType: 'image/png', name: 'start.png' })
    const link = uploaded?.kind === 'uploaded' ? uploaded.value : null
    const film = link === null ? null : await opened.upload?.({ file, contentType: 'video/mp4', name: 'film.mp4' })
    const links = { ...(link !== null && { image: link }), ...(film?.kind === 'uploaded' && { film: film.value }) }
    let lastTask: string | null = null
    const given: string[][] = []
    for (const { model, route, mode } of routes) {
      const example = exampleOf(model, route, mode)
      const input = await bodyOf(
        model,
        route,
        { ...example, prompt, duration: example.duration },
        { links, ...(filmOf(inputOf(route, mode)) === 'own' && { task: lastTask }) },
      )
      const videoId = newId(new Date())
      const callbackUrl = `https://kinora.example/api/v1/video/callback/${id}?ref=${videoId}`
      const task = { videoId, callbackUrl, model: nameOf(model, route, mode), input }
      const outcome = await opened.submit(task)
      assert.ok(outcome.kind === 'accepted', `${task.model}, ${mode}: ${JSON.stringify({ outcome, input })}`)
      lastTask = outcome.handle.taskId
      given.push(sentBy(model, example).map(nameOfInput).sort())
    }
    await opened.close()
    const read = (await simulator.tasks()).slice(-given.length)
    assert.deepEqual(
      read.map(({ inputs }) => inputs.map(nameOfInput).sort()),
      given,
    )
  })
}

/** A keyframe at the start may be the start image of its vendor. */
const nameOfInput = ({ role, kind }: { role: string; kind: string }): string =>
  `${role === 'keyframe' ? 'start' : role} ${kind}`

function routesOf(model: Model): [Route, Mode][] {
  return model.routes.flatMap((route) => modesOfRoute(route, model).map((mode): [Route, Mode] => [route, mode]))
}

/** The largest request of a route, with a seed where one would be random. */
function exampleOf(model: Model, route: Route, mode: Mode): Chosen {
  const requests = requestsOf(model, mode, route)
  const example = requests.findLast(({ seed }) => seed !== undefined) ?? requests.at(-1)
  assert.ok(example)
  return { seed: 7, ...example }
}

const nameOf = ({ id }: Model, { model }: Route, mode: Mode): string =>
  (typeof model === 'object' ? model[mode] : model) ?? id

function factsOf(model: Model, route: Route, mode: Mode): TSchema {
  const facts = vendorFacts[route.account]?.[nameOf(model, route, mode)]
  const schema = facts && ('~kind' in facts ? facts : (facts as Record<string, TSchema>)[mode])
  assert.ok(schema, `vendor-facts.ts lacks ${route.account} ${nameOf(model, route, mode)}, ${mode}`)
  return schema as TSchema
}

const RUNWAY_KINDS = { promptImage: 'image_to_video', videoUri: 'video_to_video', character: 'character_performance' }
/** What the types of the vendor's client say of a body, as its adapter completes it. */
function clientProblem(account: string, model: string, body: Record<string, unknown>) {
  if (account === 'runway') {
    const [kind = 'text_to_video'] = Object.entries(RUNWAY_KINDS).flatMap(([field, each]) =>
      field in body ? [each] : [],
    )
    return problemIn(account, `${kind} ${model}`, { model, ...body })
  }
  if (account === 'openrouter') return problemIn(account, 'videos', { model, ...body })
  if (account === 'google') {
    const format = { type: 'video', ...Object(body.response_format) }
    return problemIn(account, 'interactions', { model, ...body, response_format: format })
  }
  return problemIn(account, model, body)
}

/** The tasks by which a route takes a film; null: the film itself, or none. */
function tasksOf(model: Model, route: Route, mode: Mode): (string | null)[] {
  const input = model.roles.get(mode)?.has('film') ? inputOf(route, mode) : undefined
  if (filmOf(input) === 'own') return ['task-1']
  return namesIn(input).has('filmTask') ? [null, 'task-1'] : [null]
}

/** As it is sent: an array of JSONata has more properties. */
async function bodyOf(
  model: Model,
  route: Route,
  request: Chosen,
  {
    watermark = false,
    links = {},
    task = tasksOf(model, route, request.mode)[0],
  }: { watermark?: boolean; links?: Partial<Record<Kind, string>>; task?: string | null } = {},
): Promise<Record<string, unknown>> {
  const mapping = inputOf(route, request.mode)
  assert.ok(mapping)
  const size = filmSize(String(request.aspectRatio ?? '16:9'), String(request.quality))
  const name = nameOf(model, route, request.mode)
  const { named, facts } = mediaOf(
    sentBy(model, request, links).map((each) => ({ ...each, ...(each.role === 'film' && task && { task }) })),
  )
  const fields = { prompt: 'A boat', model: name, watermark, ...request, ...facts, ...named, ...size }
  return JSON.parse(JSON.stringify(await mapRequest(mapping, fields))) as Record<string, unknown>
}

/** The allowed requests of a mode: listed values, ends of ranges; fields without a default all absent, all present. */
function requestsOf(model: Model, mode: Mode, route?: Route): Chosen[] {
  const constraints = model.constraints.get(mode) ?? new Map<string, Constraint>()
  const fields = [...constraints].filter(([field]) => !(ROLES as readonly string[]).includes(field))
  const roles = [...(model.roles.get(mode) ?? [])]
  const given = (['from', 'to'] as const).map((count) => ({
    mode,
    ...Object.fromEntries(
      roles.flatMap(([role, use]) => (use[count] === 0 ? [] : [[role, inputsOf(model, mode, role, use, use[count])]])),
    ),
  }))
  return [false, true].flatMap((isFull) =>
    given
      .flatMap((request) => {
        let requests: Chosen[] = [request]
        for (const [field, constraint] of fields) {
          if (constraint.presence === 'forbidden') continue
          const isLeftOut =
            constraint.presence === 'optional' && constraint.default === undefined && !isFull && field !== 'aspectRatio'
          const values = isLeftOut ? [undefined] : gridOf(field, constraint)
          requests = requests.flatMap((each) =>
            values.map((value) => (value === undefined ? each : { ...each, [field]: value })),
          )
        }
        return requests
      })
      .map((request) => (route ? withoutUnserved(route, request) : request))
      .filter((request) => isAllowed(model, fields, request) && (!route || canDo(route, request))),
  )
}

/** A field without a default that the route does not take is left out. */
const withoutUnserved = ({ serves = {} }: Route, request: Chosen): Chosen =>
  Object.fromEntries(Object.entries(request).filter(([field]) => JSON.stringify(serves[field]) !== '[]')) as Chosen

/** As many of each kind as it takes, of every kind in turn. */
function inputsOf(model: Model, mode: Mode, role: Role, { kinds }: RoleUse, count: number): unknown {
  if (!LISTED_ROLES.includes(role)) return linkOf(role, kinds[0] ?? 'image')
  const stated = shapeOf(model, mode).inputs?.[role]
  const given: Kind[] = []
  for (let i = 0; given.length < count && i < count * kinds.length; i++) {
    const kind = kinds[i % kinds.length] ?? 'image'
    if (given.filter((each) => each === kind).length < (stated?.[kind]?.to ?? count)) given.push(kind)
  }
  return given.map((kind, i) => (kind === 'image' ? image(`${role}-${i + 1}`) : LINKS[kind]))
}

function gridOf(field: string, { values }: Constraint): readonly unknown[] {
  if (field === 'seed') return [7]
  if (values === null) return [undefined]
  if ('maxLength' in values) return ['dark, blurred']
  const list = listOf(values) ?? []
  const middle = Math.floor(list.length / 2)
  return list.length <= 8 ? list : [list[0], list[middle], list.at(-1)]
}

const isAllowed = (model: Model, fields: [string, Constraint][], request: Chosen): boolean =>
  fields.every(([field, constraint]) => {
    const { values, presence } = narrowed(model, request, field, constraint)
    const value = request[field]
    return value === undefined ? presence !== 'required' : presence !== 'forbidden' && includes(values, value)
  })

/** The paths of fields that say nothing. */
function emptyFieldsOf(value: unknown, path = ''): string[] {
  if (value === null || value === undefined || value === '' || Number.isNaN(value)) return [path]
  if (typeof value !== 'object') return []
  const entries = Object.entries(value)
  return entries.length === 0 ? [path] : entries.flatMap(([name, each]) => emptyFieldsOf(each, `${path}/${name}`))
}
