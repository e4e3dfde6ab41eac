// slow
/**
 * Each account alone at the simulator: a film of every listed model and mode is sold, sent and taken there, and one of
 * each account is finished. `npm run films` finishes every one, in some minutes.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { catalogue, everyModel, replaceCatalogue, usableModels } from '../../src/catalogue/catalogue.ts'
import type { Chosen, RoleUse } from '../../src/catalogue/constraints.ts'
import { canDo, type Model } from '../../src/catalogue/model.ts'
import { QUALITIES } from '../../src/catalogue/model-file.ts'
import { sampleRequests } from '../../src/catalogue/samples.ts'
import type { Kind, Role } from '../../src/film/inputs.ts'
import type { Mode } from '../../src/film/mode.ts'
import { accounts } from '../../src/provider/accounts.ts'
import { openKinora } from '../support/harness.ts'
import { plain, send } from '../support/images.ts'
import { sharedSimulator } from '../support/simulator.ts'
import { sound as soundOf } from '../support/sounds.ts'
import { readRow, waitFor } from '../support/video-row.ts'
import { wishedBody } from '../support/wished-body.ts'
import { workOn } from '../support/work-until.ts'

const FINISHES_ALL = process.env.EVERY_FILM === '1'
const simulator = await sharedSimulator()
const { url } = simulator
/** The specification's accounts have other tests, and models without modes. */
const ids = accounts().flatMap(({ id }) => (id.startsWith('provider-') ? [] : [id]))
const env = ids.map((id) => [`PROVIDER_${id.toUpperCase()}_API_KEY`, 'simulator'])
const kinora = await openKinora({
  env: { ...Object.fromEntries(env), PROVIDER_SIMULATOR_URL: url, MAX_IN_PROGRESS: '0' },
})
const { app } = kinora
const files = everyModel()
after(() => replaceCatalogue(files))
const ann = await kinora.person({ credits: 1_000_000 })
const image = (await send(kinora, ann, await plain(640, 640))).data.url
// An upload and no link: some vendors need to know how long it is.
const uploaded = await kinora.call<{ url: string }>('POST', '/api/v1/asset', {
  as: ann,
  body: await soundOf('pcm-s16', 4),
  headers: { 'content-type': 'audio/wav' },
})
const sound = uploaded.data.url

/** The roles of the inputs of each order. */
const orders = new Map<string, Role[]>()

/** No film of less is extended, edited or moved by every vendor. */
const SECONDS_MIN = 4

/** The shortest of the mode, in the lowest quality. */
function smallest(model: Model, mode: Mode): Chosen {
  const wishes = sampleRequests(model, { 'duration=': 0 }).filter(
    (wish) => wish.mode === mode && model.routes.some((route) => canDo(route, wish)),
  )
  const size = ({ duration = SECONDS_MIN, quality }: Chosen) =>
    (Number(duration) < SECONDS_MIN ? 1000 : Number(duration)) * 10 + QUALITIES.indexOf(quality as never)
  return wishes.toSorted((a, b) => size(a) - size(b))[0] ?? assert.fail(`${model.id} takes nothing by ${mode}`)
}

/** Inputs that a mode may have besides those that it needs: one of each role. References of several kinds are there. */
function othersOf(model: Model, mode: Mode, film: string): object[] {
  const sources: Record<Kind, object> = { image: { url: image }, film: { video: film }, sound: { url: sound } }
  const optional = [...(model.roles.get(mode) ?? [])].filter(([, { from, kinds }]) => from === 0 && kinds.length === 1)
  return optional.map(
    ([
      role,
      {
        kinds: [kind = 'image'],
      },
    ]) => ({
      ...{ role, ...sources[kind] },
      ...(role === 'keyframe' && { at: 1 }),
    }),
  )
}

async function order(model: Model, mode: Mode, prompt: string, film = ''): Promise<string> {
  const sources = { image, film, sound, isOfEveryKind: true }
  const { quality, ...wished } = wishedBody(model, smallest(model, mode), sources)
  const inputs = [...(wished.inputs ?? []), ...othersOf(model, mode, film)] as { role: Role }[]
  const body = { ...wished, ...(inputs.length > 0 && { inputs }) }
  // An extension has the quality of its source.
  const isKept = model.modes[mode]?.inputs?.film?.quality === 'kept'
  const sent = { ...body, ...(body.prompt !== undefined && { prompt }), ...(!isKept && { quality }) }
  const { data, text } = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body: sent })
  assert.ok(data.uuid, `${JSON.stringify(sent)}: ${text}`)
  orders.set(
    data.uuid,
    inputs.map(({ role }) => role),
  )
  return data.uuid
}

async function finished(model: Model, mode: Mode, film?: string): Promise<string> {
  const uuid = await order(model, mode, 'A boat', film)
  const { status, error } = await kinora.finish(ann, uuid)
  assert.equal(status, 'COMPLETED', `${model.id} by ${mode}: ${error}`)
  await assertArrived(model, mode, uuid)
  return uuid
}

/** Sent, and taken by the simulator, where it stays unfinished. */
async function taken(model: Model, mode: Mode, film?: string): Promise<void> {
  const uuid = await order(model, mode, 'A boat [silent]', film)
  await waitFor(`${model.id} by ${mode} to be sent`, async () => {
    await workOn(app, ann.userId, uuid)
    return (await readRow(kinora, uuid)).status !== 'PENDING'
  })
  const { status, error, provider } = await readRow(kinora, uuid)
  assert.equal(status, 'GENERATING', `${model.id} by ${mode} at ${provider}: ${error}`)
  await assertArrived(model, mode, uuid)
}

/** The vendor, by its own fields, has each input in its role; the only name of some for keyframes are frames. */
async function assertArrived(model: Model, mode: Mode, uuid: string): Promise<void> {
  const task = (await simulator.tasks()).at(-1)
  const keyframe = (role: string) => (mode === 'keyframes' && /^(start|end)$/.test(role) ? 'keyframe' : role)
  const roles = (task?.inputs ?? []).map(({ role }) => keyframe(role)).sort()
  assert.deepEqual(roles, (orders.get(uuid) ?? []).sort(), `${model.id} by ${mode}`)
}

const takesFilm = (roles: ReadonlyMap<Role, RoleUse> = new Map()) =>
  [...roles.values()].some(({ from, kinds }) => from > 0 && kinds.includes('film'))

for (const id of ids) {
  const alone = new Map(
    [...files.values()].map((model) => [
      model.id,
      { ...model, routes: model.routes.filter(({ account }) => account === id) },
    ]),
  )
  replaceCatalogue(alone)
  const usable = usableModels(catalogue(app.config))
  assert.ok(usable.length > 0)
  const startOf = ({ summary, roles }: Model) => summary.modes.find((mode) => !takesFilm(roles.get(mode)))
  // A film to extend or upscale is one of another model where the account makes none of its own.
  const models = usable.toSorted((a, b) => Number(!startOf(a)) - Number(!startOf(b)))
  let own: string | undefined
  for (const model of models) {
    const { modes } = model.summary
    test(`${id}: ${model.id} alone by ${modes.join(', ')} → ${FINISHES_ALL ? 'films' : 'taken'}`, async () => {
      replaceCatalogue(alone)
      const start = startOf(model)
      if (start && (!own || modes.some((mode) => takesFilm(model.roles.get(mode))))) own = await finished(model, start)
      for (const mode of modes) {
        // What limits the submits of a time has its own tests.
        await app.sql`truncate kinora.provider_slot`
        const isSynchronous = id === 'localai'
        if (FINISHES_ALL || isSynchronous || model.modes[mode]?.prompt === 'none') await finished(model, mode, own)
        else await taken(model, mode, own)
      }
    })
  }
}
replaceCatalogue(files)
