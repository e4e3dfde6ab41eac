/** Administrators write files of the catalogue, take drafts that a comparison has made, and take both back. */
import type { App } from '../app.ts'
import { everyModel, sourceOf } from '../catalogue/catalogue.ts'
import { baseOf, fileText, needsPrice, pricedDraft } from '../catalogue/compare.ts'
import type { FindingKind } from '../catalogue/findings.ts'
import type { ModelEntry } from '../catalogue/model-file.ts'
import { modelFileOf, problemsOfFile, readTaken } from '../catalogue/taken.ts'
import { catalogueTexts, type Origin } from '../config/package-dir.ts'
import { call } from '../db/call.ts'
import type { Sql } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { parsePlans } from '../payment/plans.ts'
import { lostProblems, priceProblems, pricesPaid } from '../payment/prices.ts'

export type FindingView = {
  account: string
  kind: FindingKind
  name: string
  model: string
  text: string
  foundAt: Date
  /** The changed file; null: none can be made. */
  draft: string | null
  /** Of the draft. */
  digest: string | null
  /** What the check says of the draft. */
  problems: string[]
  needsPrice: boolean
}
/** `isOverridden`: a file of CATALOGUE_DIR wins. */
export type TakenView = Version & { file: string; isOverridden: boolean }
/** `actorEmail`: null for a deleted account. */
type Version = { version: number; reason: string; actorEmail: string | null; createdAt: Date }
/** `of`: null: there is no such file. `text`: in force. `versions`: the newest, which is in force, first. */
export type FileView = { file: string; of: Origin | null; text: string; versions: Version[] }
/** `comparedAt`: null while it never succeeded. `publishes`: whether the vendor has a list. */
export type ComparedAccount = { account: string; publishes: boolean; comparedAt: Date | null; problem: string | null }

const draftOf = (text: string): Partial<ModelEntry> => JSON.parse(text)
const textInForce = (file: string) => catalogueTexts(file).at(-1) ?? null
const isOwn = (file: string): boolean => textInForce(file)?.of === 'own'

export async function findingsForAdministrators(app: App): Promise<{
  findings: FindingView[]
  accounts: ComparedAccount[]
  taken: TakenView[]
  files: Pick<FileView, 'file' | 'of'>[]
}> {
  const { sql, providers } = app
  const [findings, compared, written] = await Promise.all([
    sql<Omit<FindingView, 'needsPrice'>[]>`
      select account, kind, name, model, text, found_at, draft, md5(draft) as digest, problems
      from kinora.catalogue_finding
      where account = any(${[...providers.ids]})
      order by draft is null, account, kind, name
    `,
    sql<Omit<ComparedAccount, 'publishes'>[]>`
      select account, compared_at, problem from kinora.catalogue_comparison
    `,
    readVersions(sql, null),
  ])
  const taken = written.filter(({ file }, i) => file !== written[i - 1]?.file)
  const accounts = providers.ids.map(async (account): Promise<ComparedAccount> => {
    const { comparedAt = null, problem = null } = compared.find((each) => each.account === account) ?? {}
    return { account, publishes: (await providers.open(account))?.adapter.readList !== undefined, comparedAt, problem }
  })
  return {
    findings: findings.map((each) => ({ ...each, needsPrice: each.draft !== null && needsPrice(draftOf(each.draft)) })),
    accounts: await Promise.all(accounts),
    taken: taken.map((each) => ({ ...each, isOverridden: isOwn(each.file) })),
    files: [
      ...['plans.json', 'templates.json'].map((file) => ({ file, of: textInForce(file)?.of ?? null })),
      ...[...everyModel()].map(([id, model]) => ({ file: modelFileOf(id), of: sourceOf(model)?.of ?? null })),
    ],
  }
}

/** By file, the newest first. @param file null: of all */
const readVersions = (sql: Sql, file: string | null) => sql<(Version & { file: string })[]>`
  select t.file, t.version, t.reason, u.email as actor_email, t.created_at
  from kinora.catalogue_taken t
  left join public."user" u on u.id = t.actor_id::text
  where ${file}::text is null or t.file = ${file}
  order by t.file, t.version desc
`

/** A file of the catalogue as it is in force, to be edited. */
export async function readFile(app: App, file: string): Promise<FileView> {
  await readTaken(app)
  const { of = null, text = '' } = textInForce(file) ?? {}
  const versions = await readVersions(app.sql, file)
  return { file, of, text, versions: versions.map(({ file: _, ...version }) => version) }
}

/** For metrics: how many findings there are of each kind, and the accounts whose last comparison failed. */
export async function comparisonCounts({ sql, providers }: App) {
  const [findings, failing] = await Promise.all([
    sql<{ kind: FindingKind; count: number }[]>`
      select kind, count(*)::integer as count
      from kinora.catalogue_finding
      where account = any(${[...providers.ids]})
      group by kind
    `,
    sql<{ account: string }[]>`select account from kinora.catalogue_comparison where problem is not null`,
  ])
  return {
    findings: new Map(findings.map(({ kind, count }) => [kind, count])),
    failing: new Set(failing.map(({ account }) => account)),
  }
}

type By = { actorId: string; requestId: string | null; now: Date }
/** `digest`: of the draft that the administrator has seen. */
type Taking = Pick<FindingView, 'account' | 'kind' | 'name' | 'model'> &
  By & {
    digest: string
    usdPerSecond?: number | undefined
    creditsPerSecond?: number | undefined
  }

/** `version`: the one that was edited, 0 for a file of the release. */
type Writing = By & { file: string; version: number; text: string; reason: string }

/** Puts a text in force after the check of a file. @throws AppError */
export async function writeFile(app: App, { text: entry, ...writing }: Writing): Promise<'taken' | 'unchanged'> {
  await readTaken(app)
  const { file } = writing
  const former = textInForce(file)?.text ?? null
  await checkFile(app, file, entry)
  if (former === entry) return 'unchanged'
  return inForce(app, await call(app.sql, 'catalogue_put', { ...writing, entry, former }), FILE_CHANGED)
}
const FILE_CHANGED = 'The file has changed since you opened it: load it again, and repeat your change.'

/** @throws AppError for one of CATALOGUE_DIR, or a mistake */
async function checkFile(app: App, file: string, text: string): Promise<void> {
  if (isOwn(file))
    throw new AppError('CONFLICT', `The file ${file} of CATALOGUE_DIR wins over this one: change or remove it there.`)
  if (file === 'plans.json') await checkPlans(app, text)
  else refuse(await problemsOfFile(file, text))
}

/** Checks also that what was paid is there, at its price. @throws AppError */
async function checkPlans({ sql }: App, text: string): Promise<void> {
  refuse(await problemsOfFile('plans.json', text))
  const [plans, paid] = [parsePlans(text), await pricesPaid(sql)]
  refuse([...priceProblems(plans, paid), ...lostProblems(plans, paid)])
}

function refuse(problems: string[]): void {
  if (problems.length > 0) throw new AppError('INVALID_REQUEST', `The file has a mistake: ${problems.join('; ')}.`)
}

/** This process follows at once; the others find the change by their polls. @throws AppError */
async function inForce(app: App, outcome: 'taken' | 'unchanged' | 'changed', changed: string) {
  await readTaken(app)
  if (outcome === 'changed') throw new AppError('CONFLICT', changed)
  return outcome
}

/** Puts the draft of a finding in force after the check of a file. @throws AppError */
export async function takeDraft(app: App, taking: Taking): Promise<'taken' | 'unchanged'> {
  const { account, kind, name, model, digest, usdPerSecond, creditsPerSecond, ...by } = taking
  const file = modelFileOf(model)
  // What another process took a moment ago.
  await readTaken(app)
  const [finding] = await app.sql<{ draft: string | null; base: string | null; digest: string; text: string }[]>`
    select draft, base, md5(draft) as digest, text from kinora.catalogue_finding
    where account = ${account} and kind = ${kind} and name = ${name} and model = ${model}
  `
  if (!finding) throw new AppError('NOT_FOUND', 'There is no such finding any more.')
  if (finding.draft === null) throw new AppError('CONFLICT', 'No draft can be made of it: write the file of the model.')
  if (finding.digest !== digest) throw new AppError('CONFLICT', CHANGED)
  if (finding.base !== baseOf(model))
    throw new AppError(
      'CONFLICT',
      `The file of ${model} has changed since it was compared: wait for the night, or run kinora catalogue compare ${account}.`,
    )
  const price =
    creditsPerSecond !== undefined ? { creditsPerSecond } : usdPerSecond !== undefined ? { usdPerSecond } : null
  const draft = draftOf(finding.draft)
  const entry = fileText(price ? pricedDraft(draft, price, by.now.toISOString().slice(0, 10)) : draft)
  await checkFile(app, file, entry)
  const [newest] = await readVersions(app.sql, file)
  const outcome = await call(app.sql, 'catalogue_take', {
    ...{ account, kind, name, model, digest, entry },
    former: textInForce(file)?.text ?? null,
    version: newest?.version ?? 0,
    reason: finding.text.startsWith(`${account} `) ? finding.text : `${account}: ${finding.text}`,
    ...by,
  })
  return inForce(app, outcome, CHANGED)
}
const CHANGED = 'The draft is another one than was shown: look at it again.'

/** Removes the version of a file that is in force, if it is still this one. */
export async function restoreFile(
  app: App,
  change: { file: string; version: number; reason: string } & By,
): Promise<'restored' | 'unchanged'> {
  if (change.file === 'plans.json') await checkPlans(app, await plansBefore(app, change.version))
  const outcome = await call(app.sql, 'catalogue_restore', change)
  await readTaken(app)
  return outcome
}

/** What counts when this version is taken back. */
async function plansBefore({ sql }: App, version: number): Promise<string> {
  const [before] = await sql<{ entry: string }[]>`
    select entry from kinora.catalogue_taken where file = 'plans.json' and version < ${version} order by version desc limit 1
  `
  return before?.entry ?? catalogueTexts('plans.json').find(({ of }) => of === 'release')?.text ?? ''
}
