/** All items of a list, page after page by its cursor. */
import { type KinoraError, KinoraStreamError, type Result } from './errors.ts'

type Options = { params?: { query?: object } }
type Page = { nextCursor: string | null; makers?: unknown }

/** @throws KinoraStreamError where a page cannot be read */
export async function* eachItem(
  read: (options: Options) => Promise<Result<unknown>>,
  options: Options = {},
): AsyncGenerator<unknown, void, undefined> {
  let query = options.params?.query
  while (true) {
    const { data, error } = await read({ ...options, params: { ...options.params, ...(query && { query }) } })
    if (error) throw new KinoraStreamError(error satisfies KinoraError)
    // Cast: `each` takes lists alone, whose pages have this form. Who made the items is beside them.
    const { nextCursor, makers: _makers, ...rest } = data as Page
    yield* Object.values(rest).find(Array.isArray) ?? []
    if (nextCursor === null) return
    query = { ...query, cursor: nextCursor }
  }
}
