/** JSON files that an operator writes: checked by a schema, with file, line and remedy of each mistake. */
import {
  findNodeAtLocation,
  getNodePath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { Static, TSchema } from 'typebox'
import { type Problem, schemaProblems } from './schema-problems.ts'

/** Says a problem with the file and its line. */
export type Locate = (problem: Problem) => string

/** @param file its name for messages @param text of the file @returns `value`: null when there are problems */
export function readJsonFile<S extends TSchema>(
  file: string,
  text: string,
  schema: S,
): { value: Static<S> | null; problems: string[]; locate: Locate } {
  let tree: Node | undefined
  // A tree takes ten times the time of JSON.parse, and only a mistake needs it.
  const root = () => {
    tree ??= parseTree(text)
    return tree
  }
  const locate: Locate = ({ path, text: sentence }) => {
    const at = path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .replace(/^\./, '')
    return `${file}:${lineAt(text, nodeAt(root(), path)?.offset ?? 0)}: ${at ? `${at}: ` : ''}${sentence}`
  }
  const value = parsed(text)
  if (value === undefined) return { value: null, problems: [`${file}:${syntaxProblem(text)}`], locate }
  const repeated = membersIn(value) < membersInText(text) ? repeatedNames(root()) : []
  const problems = [...repeated, ...schemaProblems(schema, value)].map(locate)
  return { value: problems.length > 0 ? null : (value as Static<S>), problems, locate }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The line, and what is wrong there, of a text that is no JSON. */
function syntaxProblem(text: string): string {
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true, allowEmptyContent: false })
  const [error] = errors
  const problem = text.trim() === '' || !error ? 'the file is empty' : printParseErrorCode(error.error)
  return `${lineAt(text, error?.offset ?? 0)}: not valid JSON: ${problem}`
}

/** The value at a path, or of the nearest path above it that the file has. */
function nodeAt(root: Node | undefined, path: Problem['path']): Node | undefined {
  for (let length = path.length; root && length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length))
    if (node) return node
  }
  return root
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** JSON.parse takes the last of several members with one name, so that a value has fewer members than its text. */
const membersIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce(
        (sum: number, each) => sum + membersIn(each),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      )
    : 0

const membersInText = (text: string): number =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon).length

function repeatedNames(node: Node | undefined): Problem[] {
  if (!node) return []
  const { children = [] } = node
  const names = node.type === 'object' ? children.map((property) => property.children?.[0]?.value) : []
  const repeated = names.filter((name, i) => names.indexOf(name) < i)
  return [
    ...repeated.map((name) => ({ path: [...getNodePath(node), name], text: 'is written twice; remove one' })),
    ...children.flatMap(repeatedNames),
  ]
}
