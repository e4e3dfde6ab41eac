/** What a film would cost and whether its maker has that much now. Nothing is made, frozen or promised. */
import type { App } from '../app.ts'
import { balance } from '../credit/ledger.ts'
import type { Request } from './catalogue.ts'
import { checkOrder } from './generate-request.ts'

/** Whole credits: the price, and what is available now. */
export type Quote = { credits: number; available: number; affordable: boolean }

/** Checks a request as generate does, and answers its price beside the balance. @throws AppError 400 (see checkOrder) */
export async function quote(app: App, userId: string, request: Request): Promise<Quote> {
  const { credits } = await checkOrder(app, userId, request)
  const { available } = await balance(app, userId)
  return { credits, available, affordable: available >= credits }
}
