/** Validation of search params. */

export const nonEmptyString = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : undefined

/** The router reads "30" in an address as a number. */
export const stringParam = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : nonEmptyString(value)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Anything else is as if absent: the API would refuse the request. */
export const uuidParam = (value: unknown): string | undefined =>
  typeof value === 'string' && UUID.test(value) ? value : undefined

/** A filter that is on, or absent. */
export const flagParam = (value: unknown): true | undefined => (value === true ? true : undefined)

type Optional<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/**
 * Types undefined search params as optional but keeps their keys: the router drops an undefined key from URLs, while it
 * would merge the raw value of an omitted key unvalidated.
 */
export const optionalParams = <T extends object>(fields: T): Optional<T> => fields as never

export type ParamReaders = Record<string, (value: unknown) => unknown>
type Read<Params extends ParamReaders> = { [Name in keyof Params]: ReturnType<Params[Name]> }

/** The validation of a route's search params: each is read by its own function, and optional. */
export const searchParams =
  <Params extends ParamReaders>(readers: Params) =>
  (search: Record<string, unknown>): Optional<Read<Params>> =>
    Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(search[name])])) as never
