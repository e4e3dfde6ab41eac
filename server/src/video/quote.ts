/** The price of a film and whether the user can pay it now. A quote creates, freezes and reserves nothing. */
import type { App } from '../app.ts'
import { balance } from '../credit/ledger.ts'
import type { Request } from './catalogue.ts'
import { checkGenerateRequest } from './generate-request.ts'

/** Whole credits: the price, and what is available now. */
export type Quote = { credits: number; available: number; affordable: boolean }

/** Validates a request as generate does. @throws AppError 400 (see checkGenerateRequest) */
export async function quote(app: App, userId: string, request: Request): Promise<Quote> {
  const { credits } = await checkGenerateRequest(app, userId, request)
  const { available } = await balance(app, userId)
  return { credits, available, affordable: available >= credits }
}
