/** What a film costs, how it would be made, and whether the user can pay. A quote creates and reserves nothing. */
import { type Spender, withinBudgets } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import { routesFor } from '../catalogue/model.ts'
import { balance } from '../credit/ledger.ts'
import { AppError } from '../errors.ts'
import type { Mode } from '../film/mode.ts'
import { counted } from '../text/counted.ts'
import { checkGenerateRequest, type FilmInput } from './generate-request.ts'
import { usualSecondsOf } from './usual-seconds.ts'

/**
 * `credits`: the price; `ceiling`: it is the most, as the length of the film is not known before; `available`: what is
 * available now, within the budget of the API key (of a browser token its own budget); both whole. `provider`: the kind
 * of the account that is tried first, by its adapter. `estimatedSeconds`: how long such films take there.
 */
export type Quote = {
  credits: number
  ceiling: boolean
  available: number
  affordable: boolean
  mode: Mode
  provider: string
  estimatedSeconds: number
}

/** A price does not depend on the prompt, so a request without one is quoted too; one that is stated is checked. */
const ANY_PROMPT = 'any'

/** Validates a request as generate does. @throws AppError 400 (see checkGenerateRequest) */
export async function quote(app: App, spender: Spender, request: FilmInput): Promise<Quote> {
  // Where inputs decide the length, they may decide the prompt too.
  const wanted = request.duration === undefined ? request : { prompt: ANY_PROMPT, ...request }
  const checked = await checkGenerateRequest(app, spender, wanted)
  const { credits: each, model, chosen } = checked
  const credits = each * (request.n ?? 1)
  const { left, shown } = await withinBudgets(app, spender, (await balance(app, spender.userId)).available)
  const account = routesFor(model, chosen)[0]?.account ?? ''
  return {
    credits,
    ceiling: checked.secondRate !== null && chosen.isLengthOpen === true,
    available: shown,
    affordable: left >= credits,
    mode: chosen.mode,
    provider: app.config.providers[account]?.adapter ?? account,
    estimatedSeconds: usualSecondsOf(app, model, account),
  }
}

/** @throws AppError INVALID_REQUEST when films cost more than the caller wants to pay */
export function requireAtMost(maxCredits: number | undefined, credits: number, films: number): void {
  if (credits <= (maxCredits ?? credits)) return
  const what = films === 1 ? 'This film costs' : `These ${films} films cost`
  throw new AppError(
    'INVALID_REQUEST',
    `${what} ${counted(credits, 'credit')}, more than the maxCredits of ${maxCredits}.`,
  )
}
