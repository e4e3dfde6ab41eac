/**
 * A statement of the `sql` tag before it is sent: its text and values, with the fragments in it, from which it is built
 * again for another server with other names.
 */
import type { Sql } from '../db.ts'
import type { Flat } from './statement-user.ts'

export type Template = { strings: TemplateStringsArray; values: unknown[] }
/** Rewrites the names in a text. */
export type Rewrite = (strings: TemplateStringsArray) => TemplateStringsArray

/** What a statement that may be part of another one was made from. */
const templates = new WeakMap<object, Template>()

const fragmentOf = (value: unknown): Template | undefined =>
  typeof value === 'object' && value !== null ? templates.get(value) : undefined

/**
 * A statement that is sent when it is awaited, as the driver's are.
 * @param query the driver's, which is never sent
 */
export function lazyStatement<Query extends object>(
  query: Query,
  template: Template,
  send: () => Promise<unknown>,
): Query {
  let result: Promise<unknown> | undefined
  const proxy = new Proxy(query, {
    get: (target, name) => {
      if (name !== 'then' && name !== 'catch' && name !== 'finally') return Reflect.get(target, name) as unknown
      return (...handlers: []) => {
        result ??= send()
        return (result[name] as (...all: []) => unknown).call(result, ...handlers)
      }
    },
  })
  templates.set(proxy, template)
  return proxy
}

/** The driver's statement, with the fragments in it. */
export function build(template: Template, sql: Sql, rewrite: Rewrite): PromiseLike<unknown> {
  const convert = (value: unknown): unknown => {
    const fragment = fragmentOf(value)
    if (fragment) return build(fragment, sql, rewrite)
    return Array.isArray(value) && fragmentOf(value[0]) ? value.map(convert) : value
  }
  return sql(rewrite(template.strings), ...(template.values.map(convert) as never[]))
}

export function flatten(template: Template): Flat {
  const parameters: unknown[] = []
  const textOf = ({ strings, values }: Template): string =>
    strings.reduce((text, part, i) => {
      const value = values[i - 1]
      const all = Array.isArray(value) && fragmentOf(value[0]) ? value : [value]
      const texts = all.map((each) => {
        const fragment = fragmentOf(each)
        return fragment ? textOf(fragment) : `$${parameters.push(each)}`
      })
      return text + texts.join(' ') + part
    })
  return { text: textOf(template), parameters }
}

/** A name never spans a parameter, so each part is rewritten by itself. */
export function rewriteParts(strings: TemplateStringsArray, rewrite: (text: string) => string): TemplateStringsArray {
  const parts = strings.map(rewrite)
  return Object.assign(parts, { raw: parts })
}
