/**
 * `kinora samples`: has a sample film made of each served model that lacks one, from one prompt, after the operator's
 * yes. The films are made by the workers of the running service, as those of an account that pays for them. Each
 * becomes a sample when it is completed, also when this command has ended before.
 */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { forEachConcurrently } from '../async/for-each-concurrently.ts'
import { catalogue, usableModels } from '../catalogue/catalogue.ts'
import { isUpscaler, routesFor } from '../catalogue/model.ts'
import { costOf } from '../catalogue/price.ts'
import { withModelValues } from '../catalogue/request.ts'
import { readSwitches } from '../catalogue/switches.ts'
import { readTaken } from '../catalogue/taken.ts'
import { sessionUrl } from '../config/config.ts'
import { balance } from '../credit/ledger.ts'
import { isBanned } from '../db/banned.ts'
import { openDb } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { isFinal } from '../film/fields.ts'
import { readArguments, UsageError } from '../process/command-arguments.ts'
import { shutdownRequested } from '../process/process.ts'
import { counted } from '../text/counted.ts'
import { generate } from '../video/generate.ts'
import { checkGenerateRequest, type FilmInput } from '../video/generate-request.ts'
import { get } from '../video/library.ts'
import { addSample, forgetEarlier, readSamples, sampleRows } from '../video/model-samples.ts'

const PROMPT =
  'A red paper boat drifts down a rainy city street at dusk, lights mirrored in the water, slow tracking shot'
const ASPECT_RATIO = '16:9'
/** Films at a time. The account has a limit too, whose refusal is waited out. */
const CONCURRENCY = 4
const ASK_EVERY_MS = 1_000
/** Key of the advisory lock: an arbitrary number, the same in every process. */
const SAMPLES_LOCK = 7_415_061_899
/** A film that no worker has taken for so long is reported. */
const UNTAKEN_AFTER_MS = 60_000

export type SamplesArgs = {
  prompt: string
  /** Ids; empty: all. */
  models: string[]
  /** Link to the image for models that make films of images alone. */
  image: string | undefined
  /** The address of the account that pays; undefined: the oldest administrator's. */
  user: string | undefined
  /** Also for models that have a sample. */
  again: boolean
  yes: boolean
}

export function readSamplesArgs(args: string[]): SamplesArgs {
  const { values } = readArguments('samples', {
    args,
    options: {
      prompt: { type: 'string', default: PROMPT },
      model: { type: 'string', multiple: true, default: [] },
      image: { type: 'string' },
      user: { type: 'string' },
      again: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
    },
  })
  const { prompt, model: models, image, user, again, yes } = values
  return { prompt, models, image, user, again, yes }
}

/** `ask`: null without a terminal; its answer is null when the command is interrupted. */
export type Terminal = {
  print: (line: string) => void
  ask: ((question: string) => Promise<string | null>) | null
  interrupted: AbortSignal
}

export function openTerminal(): Terminal {
  const interrupted = new AbortController()
  void shutdownRequested().then(() => interrupted.abort())
  const { signal } = interrupted
  return {
    print: console.log,
    ask: process.stdin.isTTY ? (question) => askAt(question, signal) : null,
    interrupted: signal,
  }
}

/** Without the raw mode of a terminal, in which an interrupt would be a character. */
function askAt(question: string, signal: AbortSignal): Promise<string | null> {
  process.stdout.write(question)
  const lines = createInterface({ input: process.stdin, terminal: false, signal })
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('close', () => resolve(null))
  })
}

type Film = {
  modelId: string
  userId: string
  request: FilmInput
  facts: string
  credits: number
  usd: number | null
}
/** `videoId`: of a sample that is being made. */
type Started = { modelId: string; userId: string; videoId: string }
type Plan = { films: Film[]; started: Started[]; leftOut: string[] }
type Payer = { userId: string; email: string }

/**
 * One at a time: two that read the same list would pay for its films twice. The lock is of a session, and ends with it.
 * @returns the exit status: 1 when a film was not made @throws UsageError without a terminal and without --yes
 */
export async function samplesCommand(app: App, args: SamplesArgs, terminal: Terminal): Promise<number> {
  const session = openDb(sessionUrl(app.config), { connections: 1, name: 'kinora samples', lasting: true })
  try {
    const [{ isFirst }] = await session<[{ isFirst: boolean }]>`
      select pg_try_advisory_lock(${SAMPLES_LOCK}) as is_first
    `
    if (isFirst) return await run(app, args, terminal)
    terminal.print('Another kinora samples is asking or making films, so this one made nothing: wait for its end.')
    return 1
  } finally {
    await session.end({ timeout: 5 })
  }
}

async function run(app: App, args: SamplesArgs, terminal: Terminal): Promise<number> {
  const { print, ask } = terminal
  await Promise.all([readSwitches(app), readTaken(app)])
  const payer = await payerOf(app, args.user)
  const plan = await planOf(app, payer, args)
  const { available } = await balance(app, payer.userId)
  for (const line of linesOf(plan, payer, available, args.prompt)) print(line)
  const credits = creditsOf(plan.films)
  if (credits > available) {
    print(
      `${payer.email} has too few credits: grant some on the page Users, name another account with --user, or fewer models.`,
    )
    return 1
  }
  if (plan.films.length > 0 && !args.yes) {
    if (!ask) throw new UsageError('kinora samples: nothing was made. Run it at a terminal, which asks, or add --yes.')
    const answer = await ask('Make them? [y/N] ')
    if (!/^y(es)?$/i.test(answer?.trim() ?? '')) {
      print('Nothing was made.')
      return 1
    }
  }
  return await makeAll(app, plan, terminal)
}

/** @throws UsageError */
async function payerOf({ sql, now }: App, email: string | undefined): Promise<Payer> {
  const chosen = email === undefined ? sql`u.role = 'admin'` : sql`u.email = ${email.trim().toLowerCase()}`
  const [payer] = await sql<Payer[]>`
    select u.id::uuid as user_id, u.email from public."user" u
    where ${chosen} and not ${isBanned(sql, now())} order by u."createdAt" limit 1
  `
  if (payer) return payer
  throw new UsageError(
    email === undefined
      ? 'kinora samples: there is no administrator; name the account that pays with --user.'
      : `kinora samples: there is no user with the e-mail address ${email}.`,
  )
}

/** @throws UsageError for a model that films cannot be made with */
async function planOf(app: App, { userId }: Payer, args: SamplesArgs): Promise<Plan> {
  const usable = usableModels(catalogue(app.config))
  const unknown = args.models.find((id) => !usable.some((model) => model.id === id))
  if (unknown !== undefined)
    throw new UsageError(
      `kinora samples: no film can be made with "${unknown}"; choose of ${usable.map(({ id }) => id).join(', ')}.`,
    )
  const [made, started] = await Promise.all([readSamples(app), startedSamples(app)])
  const plan: Plan = { films: [], started: [], leftOut: [] }
  for (const { id, name, sample = [], summary } of usable) {
    if (isUpscaler({ summary }) || (args.models.length > 0 && !args.models.includes(id))) continue
    const underWay = started.find(({ modelId }) => modelId === id)
    if (underWay) plan.started.push(underWay)
    else if (!args.again && (made.has(id) || sample.length > 0))
      plan.leftOut.push(`${id} has a sample; --again makes another.`)
    else {
      const image = imageFields(summary.modes, args.image)
      if (image === null) plan.leftOut.push(`${id} makes films of images alone; --image has the link to one.`)
      else
        await addFilm(app, plan, { modelId: id, userId, prompt: args.prompt, image }).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
          plan.leftOut.push(`${name}: ${error.message}`)
        })
    }
  }
  return plan
}

/** Samples whose film is being made: an earlier run was interrupted. */
async function startedSamples(app: App): Promise<Started[]> {
  const rows = await sampleRows(app)
  const states = await Promise.all(rows.map(({ userId, videoId }) => stateOf(app, userId, videoId)))
  return rows.flatMap(({ model, userId, videoId }, i) =>
    states[i] === null ? [{ modelId: model, userId, videoId }] : [],
  )
}

/** @returns the fields with the image; null when the model needs one that is not given */
function imageFields(modes: string[], image: string | undefined): Partial<FilmInput> | null {
  if (modes.includes('text-to-video')) return {}
  if (image === undefined) return null
  return modes.includes('image-to-video') ? { startImageUrl: image } : { referenceImageUrls: [image] }
}

/** Adds the shortest film of the model, with its other defaults. @throws AppError when its request is refused */
async function addFilm(
  app: App,
  plan: Plan,
  { modelId, userId, prompt, image }: { modelId: string; userId: string; prompt: string; image: Partial<FilmInput> },
): Promise<void> {
  const wanted = { model: modelId, prompt, ...image }
  const request = withModelValues(catalogue(app.config), wanted, { aspectRatio: ASPECT_RATIO })
  const { model, chosen, credits } = await checkGenerateRequest(app, { userId, key: null }, request)
  const [route] = routesFor(model, chosen)
  const usd = route?.cost ? costOf(route.cost, chosen) : null
  const facts = `${chosen.duration} s, ${chosen.quality}, ${chosen.mode}, at ${route?.account}`
  plan.films.push({ modelId, userId, request, facts, credits, usd })
}

function linesOf({ films, started, leftOut }: Plan, payer: Payer, available: number, prompt: string): string[] {
  const waiting = started.map(({ modelId }) => `${modelId}: the film of an earlier run is being made.`)
  if (films.length === 0)
    return [...leftOut, ...waiting, ...(started.length === 0 ? ['There is nothing to make.'] : [])]
  const known = films.flatMap(({ usd }) => usd ?? [])
  const unknown = films.length - known.length
  const costs = [
    ...(known.length > 0 ? [usdText(known.reduce((sum, usd) => sum + usd, 0))] : []),
    ...(unknown > 0 ? [`the cost of ${unknown} is not in the catalogue`] : []),
  ]
  return [
    ...leftOut,
    ...waiting,
    `Prompt: ${prompt}`,
    ...films.map(
      ({ modelId, facts, credits, usd }) =>
        `${modelId} – ${facts} – ${counted(credits, 'credit')}, ${usd === null ? 'cost unknown' : usdText(usd)}`,
    ),
    `${counted(films.length, 'film')}: ${creditsOf(films)} of the ${counted(available, 'credit')} of ${payer.email}; at the providers ${costs.join(', ')}.`,
  ]
}

const usdText = (usd: number): string => `$${usd.toFixed(2)}`
const creditsOf = (films: Film[]): number => films.reduce((sum, { credits }) => sum + credits, 0)

/** @returns the exit status */
async function makeAll(app: App, { films, started }: Plan, { print, interrupted }: Terminal): Promise<number> {
  const failed: string[] = []
  let made = 0
  await forEachConcurrently([...started, ...films], CONCURRENCY, async (film) => {
    const problem = await makeOne(app, film, print, interrupted).catch((error: unknown) => (error as Error).message)
    if (problem === INTERRUPTED) return
    print(problem === null ? `${film.modelId}: made.` : `${film.modelId} failed: ${problem}`)
    if (problem === null) made += 1
    else failed.push(film.modelId)
  })
  const total = started.length + films.length
  if (total === 0) return 0
  print(
    `${made} of ${total} made.${failed.length > 0 ? ` Failed: ${failed.join(', ')}; run the command again for them.` : ''}`,
  )
  if (interrupted.aborted)
    print('Interrupted: films that were begun become samples when they are made. Run the command again for the rest.')
  return made === total ? 0 : 1
}

const INTERRUPTED = Symbol()

/** @returns the problem; null: the film is the sample of its model */
async function makeOne(
  app: App,
  film: Film | Started,
  print: Terminal['print'],
  signal: AbortSignal,
): Promise<string | null | typeof INTERRUPTED> {
  const { modelId, userId } = film
  const videoId = 'videoId' in film ? film.videoId : await begin(app, film, signal)
  if (videoId !== null) print(`${modelId}: being made.`)
  let untakenAtMs = Date.now() + UNTAKEN_AFTER_MS
  while (videoId !== null && !signal.aborted) {
    const state = await stateOf(app, userId, videoId)
    if (state !== null) {
      if (state === 'made') await forgetEarlier(app, { model: modelId, userId, videoId })
      return state === 'made' ? null : state.problem
    }
    if (Date.now() > untakenAtMs) {
      print(`${modelId}: still being made. Is a worker running? The page Films of the studio says what it waits for.`)
      untakenAtMs = Number.POSITIVE_INFINITY
    }
    await pause(signal)
  }
  return INTERRUPTED
}

/** Requests the film, once the account has room for it. @returns null when interrupted before */
async function begin(app: App, { modelId, userId, request }: Film, signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    try {
      const { uuid } = await generate(app, { userId, key: null }, request, null)
      await addSample(app, { model: modelId, userId, videoId: uuid })
      return uuid
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'TOO_MANY_IN_PROGRESS')) throw error
      await pause(signal)
    }
  }
  return null
}

/** @returns null while the film is being made */
async function stateOf(app: App, userId: string, videoId: string): Promise<'made' | { problem: string } | null> {
  try {
    const { status, failure } = await get(app, { userId, key: null }, videoId)
    if (!isFinal(status)) return null
    return failure ? { problem: `${failure.message} Its credits are back.` } : 'made'
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return { problem: 'the film was deleted.' }
    throw error
  }
}

const pause = (signal: AbortSignal): Promise<unknown> => sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => null)
