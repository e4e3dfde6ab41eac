/**
 * Calls of SQL functions. Their names, parameters and results come from pg_catalog (bindings.ts, which `npm run schema`
 * writes): a parameter that is missing, unknown or of another type is an error of the compiler. A parameter is passed
 * by its name and cast to its type.
 */
import { composites, type Functions, functions } from './bindings.ts'
import type { Fragment, Query } from './db.ts'

type Name = keyof Functions
type Arguments<N extends Name> = Functions[N]['args']
/** Within a statement an argument may also be an expression of it, such as a column. */
type Expressions<N extends Name> = { [K in keyof Arguments<N>]: Arguments<N>[K] | Fragment }
/** Refuses what `Known` lacks, which a spread would bring past the compiler. */
export type NoOthers<Given, Known> = Given & Record<Exclude<keyof Given, keyof Known>, never>
type Types = Readonly<Record<string, string>>

/** Runs a function as a statement. @throws the error of the database */
export async function call<N extends Name, Given extends Arguments<N>>(
  sql: Query,
  name: N,
  args: NoOthers<Given, Arguments<N>>,
): Promise<Functions[N]['result']> {
  const called = expressionOf(sql, name, args)
  const result = await resultOf(sql, functions[name], called)
  return result as Functions[N]['result']
}

/** SQL expression: the call of a function within a statement. */
export const part = <N extends Name, Given extends Expressions<N>>(
  sql: Query,
  name: N,
  args: NoOthers<Given, Expressions<N>>,
): Fragment => expressionOf(sql, name, args)

async function resultOf(
  sql: Query,
  { returns, columns }: (typeof functions)[Name],
  called: Fragment,
): Promise<unknown> {
  switch (returns) {
    case 'nothing':
      await sql`select ${called}`
      return undefined
    case 'value':
      return (await sql`select ${called} as value`)[0]?.value
    case 'values':
      return (await sql`select value from ${called} value`).map(({ value }) => value)
    case 'row':
      return (await sql`select ${textOf(sql, columns)} from ${called}`)[0]
    case 'rows':
      return [...(await sql`select ${textOf(sql, columns)} from ${called}`)]
  }
}

/** SQL expression: a text without parameters. */
export function textOf(sql: Query, text: string): Fragment {
  const template = templates.get(text) ?? Object.assign([text], { raw: [text] })
  templates.set(text, template)
  return sql(template)
}

function expressionOf(sql: Query, name: Name, args: object): Fragment {
  const types: Types = functions[name].parameters
  const given = Object.entries(args).filter(([, value]) => value !== undefined)
  const parameters = given.map(([key, value]) => ({ key, isExpression: isExpression(value), type: typeOf(types, key) }))
  const id = [name, ...parameters.map(({ key, isExpression }) => `${key} ${isExpression}`)].join()
  const template = templates.get(id) ?? templateOf(parameters, `kinora.${name}(`, ')')
  templates.set(id, template)
  const values = given.map(([, value], i) => sentAs(sql, parameters[i]?.type ?? '', value))
  return sql(template, ...(values as never[]))
}

function typeOf(types: Types, key: string): string {
  const type = types[key]
  if (!type) throw new Error(`There is no parameter ${key}.`)
  return type
}

/** What is known of a statement's text is cached by the object. There are as many as there are calls in the code. */
const templates = new Map<string, TemplateStringsArray>()

type Parameter = { key?: string; isExpression: boolean; type: string }

/** The text around the parameters of a call, or of a row, whose attributes have no names. */
function templateOf(parameters: Parameter[], before: string, after: string): TemplateStringsArray {
  const names = parameters.map(({ key }) => (key ? `p_${key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)} => ` : ''))
  const casts = parameters.map(({ isExpression, type }) => (isExpression ? '' : castOf(type)))
  const texts = names.map((name, i) => (i === 0 ? before : `${casts[i - 1]}, `) + name)
  const parts = [...texts, texts.length === 0 ? before + after : `${casts.at(-1)}${after}`]
  return Object.assign(parts, { raw: parts })
}

/** The driver sends JSON as text. */
const castOf = (type: string): string =>
  type.startsWith('jsonb') ? `::${type.replace('jsonb', 'text')}::${type}` : `::${type}`

function sentAs(sql: Query, type: string, value: unknown): unknown {
  if (value === null || isExpression(value)) return value
  if (type === 'jsonb') return JSON.stringify(value)
  if (type === 'jsonb[]') return (value as unknown[]).map((element) => JSON.stringify(element))
  return type in composites ? rowOf(sql, type as keyof typeof composites, value as Record<string, unknown>) : value
}

function rowOf(sql: Query, type: keyof typeof composites, row: Record<string, unknown>): Fragment {
  const attributes = Object.entries(composites[type])
  const template =
    templates.get(type) ??
    templateOf(
      attributes.map(([, of]) => ({ type: of, isExpression: false })),
      'row(',
      `)::${type}`,
    )
  templates.set(type, template)
  return sql(template, ...(attributes.map(([key, of]) => sentAs(sql, of, row[key])) as never[]))
}

/** A query is a promise of its result; the simulation has one of its own. */
const isExpression = (value: unknown): value is Fragment =>
  typeof (value as { then?: unknown } | null)?.then === 'function'
