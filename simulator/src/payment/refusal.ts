/** A request that a processor refuses. */
import { HTTPException } from 'hono/http-exception'

/** @param details what payment-b's API returns beside the message */
export const refusal = (status: 400 | 401 | 403 | 404 | 409, message: string, details: object = {}) =>
  new HTTPException(status, { message, cause: details })

/** @returns the record; @throws `otherwise` if there is none */
export function found<Item>(item: Item | undefined, otherwise: HTTPException): Item {
  if (item === undefined) throw otherwise
  return item
}
