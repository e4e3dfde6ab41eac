/** Finds texts in the studio's sources outside Lingui: in JSX, in attributes that users read, in strings. */
import { parseAst } from 'rolldown/parseAst'

type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** Attributes and props whose value a user reads. */
const READ =
  /^(label|legend|title|alt|hint|placeholder|text|submitLabel|aria-(label|description|valuetext|placeholder|roledescription))$/
/** Props named `name` are read in these components; elsewhere they name a form field. */
const NAMED = /^(Fact|State)$/
/** Attributes whose strings are for programs. */
const FOR_PROGRAMS = /^(className|style|search|params|accept|d|viewBox|transform|sizes|key|data-.*|on[A-Z].*)$/
/** Elements whose text is code, or a key of the keyboard. */
const CODE = /^(code|kbd|pre)$/
/** Calls whose strings are for programs. */
const PROGRAM_CALLS =
  /^(querySelector|querySelectorAll|closest|matches|matchMedia|getElementById|createElement|Error|TypeError|RegExp|test|includes|startsWith|endsWith|addEventListener|removeEventListener|getRouteApi|raw)$/
/** Names that are the same in every language. */
const NAMES =
  /^(Kinora|Edge|Opera|Firefox|Chrome|Safari|Node|Android|Windows|Linux|ChromeOS|English|Enter|Escape|Tab|Ctrl|Files|Arrow\w+|Home|End)$/

/** @returns each text as `line: text` */
export function untranslatedTexts(code: string): string[] {
  const found: string[] = []
  const report = (node: Node, text: string) =>
    found.push(`${code.slice(0, node.start).split('\n').length}: ${text.replace(/\s+/g, ' ').trim()}`)
  walk(parseAst(code, { lang: 'tsx' }) as unknown as Node, [], (node, ancestors) => {
    const text = textOf(node)
    if (text === null || !/\p{L}/u.test(text) || NAMES.test(text.trim()) || isTranslated(ancestors)) return
    if (node.type === 'JSXText') {
      if (!ancestors.some((each) => CODE.test(elementName(each)))) report(node, text)
      return
    }
    const attribute = ancestors.findLast(({ type }) => /^(JSXAttribute|JSXElement)$/.test(type))
    if (attribute?.type === 'JSXAttribute') {
      const name = nameOf(attribute.name)
      const element = elementName(ancestors[ancestors.indexOf(attribute) - 1])
      const isRead = READ.test(name) || (name === 'name' && NAMED.test(element))
      if (isRead && isBranch(attribute.value, node) && !/^https?:/.test(text)) return report(node, text)
      if (FOR_PROGRAMS.test(name) && !looksRead(text)) return
      if (isBranch(attribute.value, node)) return
    }
    const container = ancestors.findLast(({ type }) => /^(JSXExpressionContainer|JSXElement)$/.test(type))
    const isChild = container?.type === 'JSXExpressionContainer' && attribute?.type === 'JSXElement'
    if (isChild && isBranch(container, node)) return report(node, text)
    if (looksRead(text) && !isForPrograms(node, ancestors)) report(node, text)
  })
  return found
}

/** Words with a space between them, or one capitalised word. */
const looksRead = (text: string): boolean =>
  /\p{L}[\p{L}’'.,:;…{}]* +[{“(]?\p{L}/u.test(text) ||
  /^\p{Lu}\p{Ll}+[.:…]?$/u.test(text.trim()) ||
  /^\d+ \p{L}+/u.test(text)

function textOf(node: Node): string | null {
  if (node.type === 'JSXText') return String(node.value)
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return null
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}')
}

/** Whether a text is inside a macro: t`…`, t({ … }), plural(…), <Trans>. */
const isTranslated = (ancestors: Node[]): boolean =>
  ancestors.some(
    (each) =>
      elementName(each) === 'Trans' ||
      (each.type === 'TaggedTemplateExpression' && /^(t|raw)$/.test(calleeName(each.tag))) ||
      (each.type === 'CallExpression' && /^(t|plural|select)$/.test(nameOf(each.callee))),
  )

function isForPrograms(node: Node, ancestors: Node[]): boolean {
  const parent = ancestors.at(-1)
  if (!parent) return true
  if (
    ancestors.some(
      ({ type }) =>
        /^(Import|Export(All|Named)Declaration.source|TS)/.test(type) && !/^TS(As|Satisfies|NonNull)/.test(type),
    )
  )
    return true
  if (parent.type === 'Property' && parent.key === node) return true
  if (parent.type === 'BinaryExpression' && /^[!=]==?$|^in$/.test(String(parent.operator))) return true
  if (/^(SwitchCase|ExpressionStatement|MemberExpression)$/.test(parent.type)) return true
  const call = ancestors.findLast(({ type }) => type === 'CallExpression' || type === 'NewExpression')
  return call !== undefined && PROGRAM_CALLS.test(calleeName(call.callee))
}

/** The node is the value, or a branch of it, and not inside a function or an object. */
function isBranch(value: unknown, node: Node): boolean {
  if (value === node) return true
  if (!isNode(value)) return false
  if (value.type === 'JSXExpressionContainer') return isBranch(value.expression, node)
  if (value.type === 'ConditionalExpression') return isBranch(value.consequent, node) || isBranch(value.alternate, node)
  return value.type === 'LogicalExpression' && (isBranch(value.left, node) || isBranch(value.right, node))
}

const nameOf = (node: unknown): string => (isNode(node) && typeof node.name === 'string' ? node.name : '')
const calleeName = (node: unknown): string =>
  isNode(node) && node.type === 'MemberExpression' ? nameOf(node.property) : nameOf(node)
const elementName = (node: Node | undefined): string =>
  node?.type === 'JSXElement' && isNode(node.openingElement)
    ? nameOf(node.openingElement.name)
    : node?.type === 'JSXOpeningElement'
      ? nameOf(node.name)
      : ''

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function walk(node: Node, ancestors: Node[], visit: (node: Node, ancestors: Node[]) => void): void {
  visit(node, ancestors)
  const path = [...ancestors, node]
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, path, visit)
}
