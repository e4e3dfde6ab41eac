/** Calls of the processors' APIs that read an account: one path, or a list with all of its pages. */
import type { App } from '../app.ts'
import type { Processor } from '../config/processors.ts'
import { openHttpClient } from '../net/http-client.ts'
import { at } from '../text/json-reader.ts'
import { AccountError, isTransient } from './account-reader.ts'
import { idAt } from './effect.ts'
import type { Account, Sent } from './processor.ts'
import { processors } from './processors.ts'

/** A client of a processor's API; null: not configured. */
export function openAccount(app: Pick<App, 'config'>, processor: Processor, timeoutS: number): Account | null {
  const settings = app.config.payments[processor]
  if (!settings) return null
  const client = openHttpClient(timeoutS)
  const headers = processors[processor].headersOf(settings)
  const read = async (path: string): Promise<unknown> => {
    const result = await client.call('GET', `${settings.url}${path}`, { headers, bytesMax: BODY_BYTES_MAX })
    if (result.kind !== 'response') throw new AccountError(`${processor} did not answer: ${result.reason}.`, 0)
    if (result.status < 300) return result.body
    throw new AccountError(`${processor} answered HTTP ${result.status}.`, result.status, result.retryAfterS)
  }
  const send = async (path: string, body: string, own: Record<string, string>): Promise<Sent> => {
    const result = await client.call('POST', `${settings.url}${path}`, { headers: { ...headers, ...own }, body })
    if (result.kind !== 'response') throw new AccountError(`${processor} did not answer: ${result.reason}.`, 0)
    const { status } = result
    const error = new AccountError(`${processor} answered HTTP ${status}.`, status, result.retryAfterS)
    if (isTransient(error)) throw error
    return { body: result.body, isRefused: status >= 300, status }
  }
  return { read, send, close: client.close }
}

/** A page of 100 invoices. */
const BODY_BYTES_MAX = 16 * 1024 * 1024
const READ_TIMEOUT_S = 5
/** A payment with as many lines is left to an operator; none of ours comes near. */
const ITEMS_MAX = 1_000

/** What an event lacks, a list with all of its pages; null when it cannot be read now. Never throws. */
export async function readLacking(app: App, processor: Processor, path: string): Promise<unknown> {
  const account = openAccount(app, processor, READ_TIMEOUT_S)
  if (!account) return null
  try {
    const first = await account.read(path)
    const items = at(first, 'data')
    if (!Array.isArray(items)) return first
    for (let page = first; at(page, 'has_more') === true; ) {
      if (items.length >= ITEMS_MAX) throw new Error('there are too many of them')
      page = await account.read(`${path}&starting_after=${idAt(items.at(-1))}`)
      items.push(...((at(page, 'data') as unknown[] | undefined) ?? []))
    }
    return { data: items, has_more: false }
  } catch (err) {
    app.log.warn({ err, processor, path }, 'what a payment event lacks could not be read')
    return null
  } finally {
    await account.close()
  }
}
