/** The price of a film and whether the user can pay it now. A quote creates, freezes and reserves nothing. */
import { type Spender, withinBudgets } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import { balance } from '../credit/ledger.ts'
import { checkGenerateRequest, type GenerateInput } from './generate-request.ts'

/** Whole credits: the price, and what is available now, within the budget of the API key. */
export type Quote = { credits: number; available: number; affordable: boolean }

/** Validates a request as generate does. @throws AppError 400 (see checkGenerateRequest) */
export async function quote(app: App, spender: Spender, request: GenerateInput): Promise<Quote> {
  const { credits: each } = await checkGenerateRequest(app, spender.userId, request)
  const credits = each * (request.n ?? 1)
  const available = await withinBudgets(app, spender, (await balance(app, spender.userId)).available)
  return { credits, available, affordable: available >= credits }
}
