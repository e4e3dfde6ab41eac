/** Bodies as HTML forms and payment-b's clients write them: `line_items[0][price]=…` is a value inside objects. */

export type Form = { readonly [name: string]: string | Form }

const NAME_PARTS = /^([^[\]]+)((?:\[[^[\]]*\])*)$/
const DEPTH_MAX = 8

/** A later value for the same name wins; a name that is not well-formed is left out. */
export function readForm(params: URLSearchParams): Form {
  const root = empty()
  for (const [name, value] of params) {
    const [, first, rest = ''] = NAME_PARTS.exec(name) ?? []
    if (first === undefined) continue
    const path = [first, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, part = '']) => part)]
    const last = path.pop()
    if (last === undefined || path.length > DEPTH_MAX) continue
    let node = root
    for (const part of path) {
      const inner = node[part]
      const next = typeof inner === 'object' ? inner : empty()
      node[part] = next
      node = next
    }
    node[last] = value
  }
  return root as Form
}

type Node = { [name: string]: string | Node }

/** Without a prototype, so that no name means anything but itself. */
const empty = (): Node => Object.create(null) as Node

export function textIn(form: Form, ...path: string[]): string | null {
  let node: string | Form | undefined = form
  for (const part of path) node = typeof node === 'object' ? node[part] : undefined
  return typeof node === 'string' ? node : null
}

/** The texts of an object, e.g. of `metadata`. */
export function textsIn(form: Form, ...path: string[]): Record<string, string> {
  let node: string | Form | undefined = form
  for (const part of path) node = typeof node === 'object' ? node[part] : undefined
  if (typeof node !== 'object') return {}
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
