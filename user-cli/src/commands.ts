/** The commands but those that have files of their own. */
import { creditCsvHeader, creditCsvRow, type DataOf, type Kinora, type Schemas, type Video } from '@kinora/client'
import { type CommandName, numberOf, textOf } from './arguments.ts'
import { connect, removeLogin } from './config.ts'
import { type Context, dataOf } from './context.ts'
import { checkTarget } from './download.ts'
import { CommandError, EXIT, usageError } from './exit.ts'
import { describe, finish, generate, showFilm } from './generate.ts'
import { login } from './login.ts'
import { safeText, table } from './output.ts'
import {
  archiveProject,
  deleteProject,
  generateProject,
  listProjects,
  newProject,
  quoteProject,
  renderProject,
  showProject,
} from './project.ts'

type Command = { operandName: string | null; run: (context: Context) => Promise<void> }

const ID = 'the id of a film'
const PROJECT = 'the id of a project'
const PAGE_MAX = 100

export const commands: Record<CommandName, Command> = {
  login: { operandName: null, run: login },
  logout: { operandName: null, run: logout },
  models: { operandName: null, run: listModels },
  generate: { operandName: 'a prompt', run: generate },
  list: { operandName: null, run: list },
  get: { operandName: ID, run: get },
  download: { operandName: ID, run: downloadFilm },
  cancel: { operandName: ID, run: cancel },
  balance: { operandName: null, run: balance },
  history: { operandName: null, run: history },
  'project list': { operandName: null, run: listProjects },
  'project new': { operandName: 'a name', run: newProject },
  'project show': { operandName: PROJECT, run: showProject },
  'project quote': { operandName: PROJECT, run: quoteProject },
  'project generate': { operandName: PROJECT, run: generateProject },
  'project render': { operandName: PROJECT, run: renderProject },
  'project archive': { operandName: PROJECT, run: archiveProject },
  'project delete': { operandName: PROJECT, run: deleteProject },
}

async function logout({ output }: Context): Promise<void> {
  const isRemoved = removeLogin()
  output.result(
    { removed: isRemoved },
    isRemoved ? 'The key is removed from this machine; it stays valid until you delete it.' : 'No key was stored.',
  )
}

type Pricing = NonNullable<DataOf<'get', '/api/v1/config/models'>['models'][number]['pricing']>
const perUnit: Record<Pricing['per'], string> = { second: '/s', clip: '' }

async function listModels({ output }: Context): Promise<void> {
  const { models } = dataOf(await connect().GET('/api/v1/config/models'))
  const rows = models
    .filter(({ enabled }) => enabled)
    .map(({ id, minDuration, maxDuration, resolutions, aspectRatios, pricing }) => [
      id,
      minDuration === maxDuration ? `${minDuration} s` : `${minDuration}–${maxDuration} s`,
      aspectRatios.join(' '),
      resolutions
        .map((each) => (pricing ? `${each} ${pricing.credits[each] ?? '?'}${perUnit[pricing.per]}` : `${each} ?`))
        .join(', '),
    ])
  output.result(models, table([['MODEL', 'LENGTH', 'ASPECT RATIOS', 'CREDITS'], ...rows]))
}

const getVideo = async (kinora: Kinora, uuid: string, signal: AbortSignal): Promise<Video> =>
  dataOf(await kinora.GET('/api/v1/video/{uuid}', { params: { path: { uuid } }, signal }))

async function list({ values, output, signal }: Context): Promise<void> {
  const limit = numberOf('limit', values.limit, 10_000) ?? 20
  const [status, q] = [textOf(values.status)?.toUpperCase() as Video['status'] | undefined, textOf(values.search)]
  const kinora = connect()
  const videos: Schemas['ListedVideo'][] = []
  for (let cursor: string | null = null; videos.length < limit; ) {
    const query = { ...(status ? { status } : {}), ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) }
    const pageSize = Math.min(PAGE_MAX, limit - videos.length)
    const page: DataOf<'get', '/api/v1/video/list'> = dataOf(
      await kinora.GET('/api/v1/video/list', { params: { query: { ...query, pageSize } }, signal }),
    )
    videos.push(...page.videos)
    cursor = page.nextCursor
    if (cursor === null) break
  }
  const rows = videos.map((each) => [
    each.uuid,
    each.status,
    each.model,
    String(each.creditsUsed),
    safeText(each.prompt || each.mode),
  ])
  output.result(videos, rows.length > 0 ? table([['ID', 'STATUS', 'MODEL', 'CREDITS', 'PROMPT'], ...rows]) : '')
}

async function get({ values, operand, output, signal }: Context): Promise<void> {
  const kinora = connect()
  const uuid = operand ?? ''
  const file = textOf(values.output)
  if (!values.wait && file === undefined) {
    const video = await getVideo(kinora, uuid, signal)
    output.result(video, describe(video))
    return
  }
  if (file !== undefined) checkTarget(file, values.force === true)
  await finish({ output, signal, file, uuid, repeat: '' }, (options) => kinora.wait(uuid, options))
}

async function downloadFilm({ values, operand, output, signal }: Context): Promise<void> {
  const uuid = operand ?? ''
  const file = textOf(values.output) ?? `${uuid}.mp4`
  checkTarget(file, values.force === true)
  const video = await getVideo(connect(), uuid, signal)
  if (video.status === 'FAILED')
    throw new CommandError(EXIT.filmFailed, 'VIDEO_FAILED', video.error ?? 'The film failed.', video.failure)
  if (video.status !== 'COMPLETED') {
    throw new CommandError(
      EXIT.failed,
      'NOT_READY',
      `The film is not ready yet; wait for it with: kinora get ${uuid} --output ${file}`,
    )
  }
  await showFilm(output, video, file, signal)
}

async function cancel({ operand, output, signal }: Context): Promise<void> {
  const path_ = { uuid: operand ?? '' }
  const task = dataOf(await connect().POST('/api/v1/video/{uuid}/cancel', { params: { path: path_ }, signal }))
  output.result(task, `${task.uuid}: ${task.message}`)
}

async function balance({ output, signal }: Context): Promise<void> {
  const credits = dataOf(await connect().GET('/api/v1/credit/balance', { signal }))
  const { available, frozen, used, expired, clawedBack, total, owed, expiringSoon } = credits
  const rows = {
    ...{ available, 'reserved for films in progress': frozen, used, expired, 'claimed back': clawedBack, total },
    ...(owed > 0 ? { owed } : {}),
    'expiring soon': expiringSoon,
  }
  output.result(credits, table(Object.entries(rows).map(([name, value]) => [name, String(value)])))
}

async function history({ values, output, signal }: Context): Promise<void> {
  const isCsv = values.csv === true
  if (isCsv && output.isJson) throw usageError('Choose one of --csv and --json.')
  const limit = numberOf('limit', values.limit, 1_000_000) ?? (isCsv ? Number.POSITIVE_INFINITY : 20)
  const kinora = connect()
  const rows: Schemas['CreditTransaction'][] = []
  let count = 0
  for (let cursor: string | null = null; count < limit; ) {
    const query = { pageSize: Math.min(PAGE_MAX, limit - count), ...(cursor ? { cursor } : {}) }
    const page: Schemas['CreditHistory'] = dataOf(
      await kinora.GET('/api/v1/credit/history', { params: { query }, signal }),
    )
    if (isCsv) process.stdout.write((count === 0 ? creditCsvHeader : '') + page.transactions.map(creditCsvRow).join(''))
    else rows.push(...page.transactions)
    count += page.transactions.length
    cursor = page.nextCursor
    if (cursor === null) break
  }
  if (isCsv) return
  const cells = rows.map(({ createdAt, transType, credits, balanceAfter, remark }) => [
    ...[String(createdAt), transType, credits > 0 ? `+${credits}` : String(credits), String(balanceAfter)],
    safeText(remark ?? ''),
  ])
  output.result(rows, table([['TIME', 'TYPE', 'CREDITS', 'BALANCE', 'REMARK'], ...cells]))
}
