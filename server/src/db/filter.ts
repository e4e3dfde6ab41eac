/**
 * The filters of a list. Each is one entry, from which the schema of a route's query, the type of a query and the
 * condition in SQL follow: no filter is accepted that does not narrow the list.
 */
import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import type { Fragment, Query } from './db.ts'

/** `where`: SQL condition of a row to be in the list. `Context`: beside the value, such as the time of the call. */
type Filter<Schema extends TSchema, Value, Context> = {
  schema: Schema
  where: (sql: Query, value: Value, context: Context) => Fragment
}
export type Filters = Readonly<Record<string, Filter<TSchema, never, never>>>
type ContextOf<F extends Filters> = F[keyof F]['where'] extends (sql: Query, value: never, context: infer C) => Fragment
  ? C
  : never

export const filter = <Schema extends TSchema, Context = unknown>(
  schema: Schema,
  where: (sql: Query, value: Static<Schema>, context: Context) => Fragment,
): Filter<Schema, Static<Schema>, Context> => ({ schema, where })

/** What a route has in its query. */
export type QueryOf<F extends Filters> = { [Name in keyof F]?: Static<F[Name]['schema']> }

/** The schemas of the filters in the query of a route. */
export const schemasOfFilters = <F extends Filters>(filters: F) =>
  Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)])) as {
    [Name in keyof F]: TOptional<F[Name]['schema']>
  }

/** Whether no filter narrows the list. */
export const isPlain = <F extends Filters>(filters: F, query: QueryOf<F>): boolean =>
  Object.keys(filters).every((name) => query[name] === undefined)

/** SQL condition: those of the filters in the query. */
export const matches = <F extends Filters>(
  sql: Query,
  filters: F,
  query: QueryOf<F>,
  ...[context]: unknown extends ContextOf<F> ? [] : [ContextOf<F>]
): Fragment =>
  Object.entries(filters).reduce<Fragment>((all, [name, { where }]) => {
    const value = query[name]
    return value === undefined ? all : sql`${all} and ${where(sql, value as never, context as never)}`
  }, sql`true`)
