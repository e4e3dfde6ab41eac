/** `kinora project …`: films of several shots, from a text or CSV to one file. */
import { openAsBlob } from 'node:fs'
import { text as textFrom } from 'node:stream/consumers'
import { type DataOf, type Kinora, type Schemas, withModelValues } from '@kinora/client'
import { numberOf, textOf, textsOf } from './arguments.ts'
import { connect, source } from './config.ts'
import { type Context, dataOf } from './context.ts'
import { checkTarget, download } from './download.ts'
import { CommandError, EXIT, serviceError, usageError } from './exit.ts'
import { describe, finish, modelOf, withoutAbsent } from './generate.ts'
import { ask } from './login.ts'
import { safeText, table } from './output.ts'
import { progressLine } from './progress.ts'

const PAGE_MAX = 100
const SHOTS_MAX = 50

type Project = Schemas['Project']
type Quote = Schemas['ProjectQuote']
const placed = (id: string, signal: AbortSignal) => ({ params: { path: { id } }, signal })

export async function listProjects({ values, output, signal }: Context): Promise<void> {
  const limit = numberOf('limit', values.limit, 10_000) ?? 20
  const kinora = connect()
  const projects: Schemas['ListedProject'][] = []
  for (let cursor: string | null = null; projects.length < limit; ) {
    const query = { pageSize: Math.min(PAGE_MAX, limit - projects.length), ...(cursor ? { cursor } : {}) }
    const page: DataOf<'get', '/api/v1/project'> = dataOf(
      await kinora.GET('/api/v1/project', { params: { query }, signal }),
    )
    projects.push(...page.projects)
    cursor = page.nextCursor
    if (cursor === null) break
  }
  const rows = projects.map(({ id, shots, aspectRatio, name }) => [id, String(shots), aspectRatio, safeText(name)])
  output.result(projects, rows.length > 0 ? table([['ID', 'SHOTS', 'FORMAT', 'NAME'], ...rows]) : '')
}

/** Its shots are read from a file; without one it is empty. */
export async function newProject({ values, operand, output, signal }: Context): Promise<void> {
  const kinora = connect()
  const file = textOf(values.from)
  const read = file === undefined ? null : await readShots(file)
  const settings = await settingsOf(kinora, { values, signal })
  const fields = withoutAbsent({
    aspectRatio: textOf(values['aspect-ratio']) as Project['aspectRatio'] | undefined,
    fit: values.crop ? ('crop' as const) : undefined,
  })
  const made = dataOf(await kinora.POST('/api/v1/project', { body: { name: operand ?? '', ...fields }, signal }))
  if (read === null) return showMade(output, made)
  const { id } = made
  const added = await kinora.POST('/api/v1/project/{id}/shots', { ...placed(id, signal), body: { ...read, settings } })
  if (added.error) {
    // Otherwise each try with a mistake in the file would leave a project.
    await kinora.DELETE('/api/v1/project/{id}', placed(id, signal))
    throw serviceError(added.error)
  }
  showMade(output, added.data)
}

function showMade(output: Context['output'], project: Project): void {
  const next = `kinora project show ${project.id}`
  output.note(
    `${project.shots.length} ${project.shots.length === 1 ? 'shot' : 'shots'}; look at the prices with: ${next}`,
  )
  output.result(project, project.id)
}

async function readShots(file: string): Promise<{ csv: string } | { text: string }> {
  if (file === '-') return { text: await textFrom(process.stdin) }
  const text = await (async () => (await openAsBlob(file)).text())().catch(() => {
    throw usageError(`The file ${file} cannot be read.`)
  })
  return /\.csv$/i.test(file) ? { csv: text } : { text }
}

/** What the shots have beside what is read. */
async function settingsOf(kinora: Kinora, { values, signal }: Pick<Context, 'values' | 'signal'>) {
  const stated = withoutAbsent({
    aspectRatio: textOf(values['aspect-ratio']),
    duration: numberOf('duration', values.duration, 3600),
    quality: textOf(values.quality),
  })
  if (values.model === undefined) return stated
  const model = await modelOf(kinora, values.model, signal)
  // Each shot has a prompt of its own; this one only shows what else the model needs.
  const { prompt: _, ...settings } = withModelValues(model, { prompt: 'any', model: model.id, ...stated })
  return settings
}

export async function showProject({ values, operand, output, signal }: Context): Promise<void> {
  const id = operand ?? ''
  if (values.csv) {
    if (output.isJson) throw usageError('Choose one of --csv and --json.')
    const { url, headers } = source(`/api/v1/project/${encodeURIComponent(id)}/shots.csv`)
    await download(url, '-', signal, headers)
    return
  }
  const kinora = connect()
  const project = dataOf(await kinora.GET('/api/v1/project/{id}', placed(id, signal)))
  const quote = await quoteOf(kinora, id, [], signal)
  const sums = `${safeText(project.name)}: ${sumOf(quote)}\n${renderOf(quote)}`
  output.result({ ...project, quote }, `${rowsOf(project, quote)}\n\n${sums}`)
}

export async function quoteProject({ values, operand, output, signal }: Context): Promise<void> {
  const kinora = connect()
  const project = dataOf(await kinora.GET('/api/v1/project/{id}', placed(operand ?? '', signal)))
  const quote = await quoteOf(kinora, project.id, shotsOf(project, textsOf(values.shot)), signal)
  const shots = project.shots.filter(({ id }) => quote.shots.some(({ shot }) => shot === id))
  output.result(quote, [rowsOf(project, quote, shots), sumOf(quote)].join('\n\n'))
}

const quoteOf = async (kinora: Kinora, id: string, shots: string[], signal: AbortSignal): Promise<Quote> =>
  dataOf(
    await kinora.POST('/api/v1/project/{id}/quote', { ...placed(id, signal), body: shots.length > 0 ? { shots } : {} }),
  )

/** The ids of shots that are stated by their numbers. */
function shotsOf({ shots }: Project, stated: string[]): string[] {
  return stated.map((text) => {
    const number = numberOf('shot', text, SHOTS_MAX) ?? 0
    const shot = shots[number - 1]
    if (!shot) throw usageError(`The project has ${shots.length} shots, and no shot ${number}.`)
    return shot.id
  })
}

/** `quote`: of the shots that lack a take; the others cost what their takes did. */
function rowsOf({ shots: all }: Project, quote: Quote, shots = all): string {
  const rows = shots.map((shot) => {
    const { settings, takes, takeId, takeDeleted } = shot
    const take = takes.find(({ uuid }) => uuid === takeId)
    const price = quote.shots.find((each) => each.shot === shot.id)
    const state = takeDeleted ? 'take deleted' : !take ? 'no take' : take.waiting ? 'WAITING' : take.status
    return [
      String(all.indexOf(shot) + 1),
      state,
      price ? (price.credits === null ? 'refused' : String(price.credits)) : String(take?.creditsUsed ?? ''),
      settings.model ?? '',
      safeText(price?.refusal?.message ?? take?.failure?.message ?? settings.prompt ?? ''),
    ]
  })
  return table([['SHOT', 'STATE', 'CREDITS', 'MODEL', 'PROMPT'], ...rows])
}

function sumOf({ credits, ceiling, available, shots }: Quote): string {
  if (shots.length === 0) return 'each shot has a take.'
  const refused = shots.filter(({ refusal }) => refusal).length
  const many = `${shots.length} ${shots.length === 1 ? 'film' : 'films'}`
  const most = ceiling ? 'at most ' : ''
  return `${many} for ${most}${credits} credits of ${available}${refused > 0 ? `; ${refused} refused` : ''}.`
}

const renderOf = ({ render: { seconds, credits, refusal } }: Quote): string =>
  refusal ? `No film of all yet: ${safeText(refusal.message)}` : `The film of all: ${seconds} s, ${credits} credits.`

/** Says the sum and asks, unless --yes is stated. */
export async function generateProject({ values, operand, output, signal }: Context): Promise<void> {
  const kinora = connect()
  const project = dataOf(await kinora.GET('/api/v1/project/{id}', placed(operand ?? '', signal)))
  const { id } = project
  const shots = shotsOf(project, textsOf(values.shot))
  const quote = await quoteOf(kinora, id, shots, signal)
  // Without a shot that lacks a take the service decides: it may know the key.
  const isOpen = quote.shots.length > 0 && !quote.shots.some(({ refusal }) => refusal)
  if (isOpen && !values.yes) await confirm(sumOf(quote), output, signal)
  const body = { ...(shots.length > 0 && { shots }), ...(isOpen && { credits: quote.credits }) }
  const idempotencyKey = textOf(values['idempotency-key']) ?? crypto.randomUUID()
  if (values['no-wait']) {
    const params = { path: { id }, header: { 'idempotency-key': idempotencyKey } }
    const made = dataOf(await kinora.POST('/api/v1/project/{id}/generate', { params, body, signal }))
    output.result(made, made.videos.map(({ uuid }) => uuid).join('\n'))
    return
  }
  let isBegun = false
  const onProgress = (task: Parameters<typeof progressLine>[0]) => {
    isBegun = true
    output.note(progressLine(task))
  }
  try {
    const films = dataOf(await kinora.generateProjectAndWait(id, body, { signal, idempotencyKey, onProgress }))
    output.result(films, films.map(describe).join('\n\n'))
  } catch (error) {
    if (!signal.aborted) throw error
    const next = isBegun
      ? `The films go on; look at them with: kinora project show ${id}`
      : `The request may have arrived; go on with the same command with --idempotency-key ${idempotencyKey}`
    process.stderr.write(
      output.isJson ? `${JSON.stringify({ error: { code: 'INTERRUPTED', message: next } })}\n` : `${next}\n`,
    )
    throw error
  }
}

/** @throws CommandError when the user does not agree, or cannot be asked */
async function confirm(sum: string, output: Context['output'], signal: AbortSignal): Promise<void> {
  if (output.isJson || !process.stdin.isTTY) throw usageError(`This generates ${sum} Add --yes to agree.`)
  const answer = await ask(`This generates ${sum} Go on? [y/N] `, false, signal)
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(EXIT.failed, 'DECLINED', 'Nothing was generated.')
}

export async function renderProject({ values, operand, output, signal }: Context): Promise<void> {
  const kinora = connect()
  const id = operand ?? ''
  const file = textOf(values.output)
  if (file !== undefined && values['no-wait'])
    throw usageError('--no-wait does not wait for a film to write to --output.')
  if (file !== undefined) checkTarget(file, values.force === true)
  const idempotencyKey = textOf(values['idempotency-key']) ?? crypto.randomUUID()
  if (values['no-wait']) {
    const params = { path: { id }, header: { 'idempotency-key': idempotencyKey } }
    const cut = dataOf(await kinora.POST('/api/v1/project/{id}/render', { params, signal }))
    output.result(cut, cut.uuid)
    return
  }
  const repeat = `the same command with --idempotency-key ${idempotencyKey}`
  await finish({ output, signal, file, uuid: null, repeat }, (options) =>
    kinora.renderAndWait(id, { ...options, idempotencyKey }),
  )
}

export async function archiveProject({ values, operand, output, signal }: Context): Promise<void> {
  const id = operand ?? ''
  const file = textOf(values.output) ?? `${id}.zip`
  checkTarget(file, values.force === true)
  const { url, headers } = source(`/api/v1/project/${encodeURIComponent(id)}/archive`)
  const size = await download(url, file, signal, headers)
  if (file !== '-') output.result({ id, file, size }, `${file} ${size} bytes`)
}

export async function deleteProject({ operand, output, signal }: Context): Promise<void> {
  const deleted = dataOf(await connect().DELETE('/api/v1/project/{id}', placed(operand ?? '', signal)))
  output.result(deleted, `${deleted.id}: it is deleted; its takes stay, as films.`)
}
