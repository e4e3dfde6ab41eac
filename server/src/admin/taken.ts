/** Administrators take drafts of models that a comparison has made, and give them back. */
import type { App } from '../app.ts'
import { everyModel, sourceOf } from '../catalogue/catalogue.ts'
import { baseOf, fileText, needsPrice, pricedDraft } from '../catalogue/compare.ts'
import type { FindingKind } from '../catalogue/findings.ts'
import type { ModelEntry } from '../catalogue/model-file.ts'
import { problemsOfDraft, readTaken } from '../catalogue/taken.ts'
import { call } from '../db/call.ts'
import { AppError } from '../errors.ts'

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
export type TakenView = {
  model: string
  version: number
  reason: string
  actorEmail: string | null
  createdAt: Date
  isOverridden: boolean
}
/** `comparedAt`: null while it never succeeded. `publishes`: whether the vendor has a list. */
export type ComparedAccount = { account: string; publishes: boolean; comparedAt: Date | null; problem: string | null }

const draftOf = (text: string): Partial<ModelEntry> => JSON.parse(text)
const isOwn = (id: string): boolean => {
  const model = everyModel().get(id)
  return model !== undefined && sourceOf(model)?.of === 'own'
}

export async function findingsForAdministrators(
  app: App,
): Promise<{ findings: FindingView[]; accounts: ComparedAccount[]; taken: TakenView[] }> {
  const { sql, providers } = app
  const [findings, compared, taken] = await Promise.all([
    sql<Omit<FindingView, 'needsPrice'>[]>`
      select account, kind, name, model, text, found_at, draft, md5(draft) as digest, problems
      from kinora.catalogue_finding
      where account = any(${[...providers.ids]})
      order by draft is null, account, kind, name
    `,
    sql<Omit<ComparedAccount, 'publishes'>[]>`
      select account, compared_at, problem from kinora.catalogue_comparison
    `,
    sql<Omit<TakenView, 'isOverridden'>[]>`
      select distinct on (t.id) t.id as model, t.version, t.reason, u.email as actor_email, t.created_at
      from kinora.catalogue_taken t
      left join public."user" u on u.id = t.actor_id::text
      order by t.id, t.version desc
    `,
  ])
  const accounts = providers.ids.map(async (account): Promise<ComparedAccount> => {
    const { comparedAt = null, problem = null } = compared.find((each) => each.account === account) ?? {}
    return { account, publishes: (await providers.open(account))?.adapter.readList !== undefined, comparedAt, problem }
  })
  return {
    findings: findings.map((each) => ({ ...each, needsPrice: each.draft !== null && needsPrice(draftOf(each.draft)) })),
    accounts: await Promise.all(accounts),
    taken: taken.map((each) => ({ ...each, isOverridden: isOwn(each.model) })),
  }
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

/** Puts the draft of a finding in force after the check of a file. @throws AppError */
export async function takeDraft(app: App, taking: Taking): Promise<'taken' | 'unchanged'> {
  const { account, kind, name, model, digest, usdPerSecond, creditsPerSecond, ...by } = taking
  // What another process took a moment ago.
  await readTaken(app)
  const [finding] = await app.sql<{ draft: string | null; base: string | null; digest: string; text: string }[]>`
    select draft, base, md5(draft) as digest, text from kinora.catalogue_finding
    where account = ${account} and kind = ${kind} and name = ${name} and model = ${model}
  `
  if (!finding) throw new AppError('NOT_FOUND', 'There is no such finding any more.')
  if (finding.draft === null) throw new AppError('CONFLICT', 'No draft can be made of it: write the file of the model.')
  if (isOwn(model))
    throw new AppError('CONFLICT', `The file ${model}.json of CATALOGUE_DIR wins over a draft: change or remove it.`)
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
  const problems = await problemsOfDraft(model, entry)
  if (problems.length > 0) throw new AppError('INVALID_REQUEST', `The draft has a mistake: ${problems.join('; ')}.`)
  const outcome = await call(app.sql, 'catalogue_take', {
    ...{ account, kind, name, digest },
    id: model,
    entry,
    reason: finding.text.startsWith(`${account} `) ? finding.text : `${account}: ${finding.text}`,
    ...by,
  })
  // This process follows at once; the others find the change by their polls.
  await readTaken(app)
  if (outcome === 'changed') throw new AppError('CONFLICT', CHANGED)
  return outcome
}
const CHANGED = 'The draft is another one than was shown: look at it again.'

/** Removes the draft of a model that is in force, if it is still this version. */
export async function restoreModel(
  app: App,
  change: { model: string; version: number; reason: string } & By,
): Promise<'restored' | 'unchanged'> {
  const { model, ...by } = change
  const outcome = await call(app.sql, 'catalogue_restore', { id: model, ...by })
  await readTaken(app)
  return outcome
}
