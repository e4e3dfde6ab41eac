/** What payment-b's calls read of their form-encoded bodies. */
import { type Customer, found, refusal, type Store } from '../store.ts'
import { SELLER } from './objects.ts'

export const missing = (object: string, id: string, param: string, status: 400 | 404 = 400) =>
  refusal(status, `No such ${object}: '${id}'`, { code: 'resource_missing', param })

export const customerOf = (store: Store, id: string): Customer =>
  found(store.customerBy(SELLER.name, id), missing('customer', id, 'customer'))

/** The fields `prefix[name]` by name. */
export function entriesOf(form: URLSearchParams, prefix: string): Record<string, string> {
  const fields = [...form].filter(([name]) => name.startsWith(`${prefix}[`) && name.endsWith(']'))
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]))
}

export function required(form: URLSearchParams, param: string): string {
  const value = form.get(param)
  if (value) return value
  throw refusal(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
}
