/**
 * The code of an operation by curl, in TypeScript and in Python, by the clients of this repository. Each is a whole
 * program, with the example of the document as its body and the reader's key from the environment.
 */
import { isOfOperator } from '../openapi/openapi.ts'
import type { Call } from './document.ts'

/** Values of parameters, in a sample and in a request that a reader tries out. A value of another name is its name. */
const VALUES: Record<string, string | number> = {
  uuid: '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50',
  subject: 'visitor-8812',
  version: 1,
  item: 'mail',
}
const ID = '01939b1e-7777-7000-8000-000000000001'
const placeholderOf = (name: string): string | number => VALUES[name] ?? (/id$/i.test(name) ? ID : name)

/** Operations that the clients have a method of their own for. */
const METHODS: Record<string, { ts: string; python: string }> = {
  streamVideoEvents: {
    ts: 'for await (const event of kinora.events()) console.log(event)',
    python: 'for event in kinora.events():\n    print(event)',
  },
  uploadAsset: {
    ts: `import { openAsBlob } from 'node:fs'\n\nconst { data, error } = await kinora.uploadAsset(await openAsBlob('boat.mp4'))\nconsole.log(error ?? data)`,
    python: 'print(kinora.upload("boat.mp4"))',
  },
}

/** The samples as fenced blocks, marked so that the page shows one language at a time. */
export function samplesOf(call: Call, baseUrl: string): string {
  const made = { sh: curl(call, baseUrl), ts: typescript(call, baseUrl), python: python(call, baseUrl) }
  return Object.entries(made)
    .map(([language, code]) => `\`\`\`${language} sample\n${code}\n\`\`\``)
    .join('\n\n')
}

/** An operation that takes no API key takes the token of a session. */
export const credentialOf = ({ operation: { security, tags = [] } }: Call): 'none' | 'key' | 'token' => {
  if (security?.length === 0) return 'none'
  return tags.some(isOfOperator) ? 'token' : 'key'
}

type Body = { type: string; example: unknown } | null

function bodyOf({ operation }: Call): Body {
  const [[type = '', media] = []] = Object.entries(operation.requestBody?.content ?? {})
  return type ? { type, example: media?.example } : null
}

const isJson = (body: Body): boolean => body?.type === 'application/json'
/** What the clients parse: all but archives, CSV and streams. */
const answersJson = ({ operation }: Call): boolean => 'application/json' in (operation.responses['200']?.content ?? {})

/** The required parameters in a place. */
function parametersIn({ operation }: Call, place: string): [name: string, value: string | number][] {
  const required = operation.parameters?.filter((each) => each.in === place && each.required) ?? []
  return required.map(({ name }) => [name, placeholderOf(name)])
}

function addressOf(call: Call, baseUrl: string): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => `${placeholderOf(name)}`)
  const query = parametersIn(call, 'query').map(([name, value]) => `${name}=${value}`)
  return baseUrl + path + (query.length > 0 ? `?${query.join('&')}` : '')
}

const HEADERS = { none: '', key: 'x-api-key: $KINORA_API_KEY', token: 'authorization: Bearer $KINORA_TOKEN' }

function curl(call: Call, baseUrl: string): string {
  const body = bodyOf(call)
  const header = HEADERS[credentialOf(call)]
  const text = isJson(body) ? JSON.stringify(body?.example ?? {}).replaceAll("'", "'\\''") : ''
  return [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}'${addressOf(call, baseUrl)}'`,
    ...(header ? [`-H "${header}"`] : []),
    ...(body ? [`-H 'content-type: ${body.type.replace('*/*', 'video/mp4')}'`] : []),
    ...(body ? [isJson(body) ? `-d '${text}'` : '--data-binary @boat.mp4'] : []),
    ...(answersJson(call) ? [] : ['-OJ']),
  ].join(' \\\n  ')
}

function typescript(call: Call, baseUrl: string): string {
  const credential = credentialOf(call)
  const name = credential === 'token' ? 'token: process.env.KINORA_TOKEN' : 'apiKey: process.env.KINORA_API_KEY'
  const isOperators = /^\/api\/(auth|v1\/admin)\//.test(call.path)
  const open = [
    `import { ${isOperators ? 'type AllPaths, ' : ''}openKinora } from '@kinora/client'`,
    '',
    `const kinora = openKinora${isOperators ? '<AllPaths>' : ''}({ baseUrl: '${baseUrl}'${credential === 'none' ? '' : `, ${name}`} })`,
  ].join('\n')
  const own = METHODS[call.operation.operationId]?.ts
  if (own) return own.startsWith('import') ? withImport(open, own) : `${open}\n${own}`
  if (!answersJson(call)) return fetched(call, baseUrl)
  const paged = call.operation.parameters?.some((each) => each.name === 'cursor')
  if (paged && call.method === 'GET') {
    const options = literal({ params: paramsOf(call) }, '')
    return `${open}\nfor await (const each of kinora.each('${call.path}'${options && `, ${options}`})) console.log(each)`
  }
  const body = bodyOf(call)
  const file = body && !isJson(body)
  const given = literal({ params: paramsOf(call), ...(isJson(body) ? { body: body?.example ?? {} } : {}) }, '')
  const options = file ? "{ body: await openAsBlob('boat.png', { type: 'image/png' }) }" : given
  const code = `const { data, error } = await kinora.${call.method}('${call.path}'${options && `, ${options}`})\nconsole.log(error ?? data)`
  return file ? withImport(open, `import { openAsBlob } from 'node:fs'\n\n${code}`) : `${open}\n${code}`
}

/** Two programs as one, with the imports first. */
function withImport(open: string, own: string): string {
  const [line = '', ...rest] = own.split('\n')
  return `${line}\n${open}\n${rest.slice(1).join('\n')}`
}

/** What is no JSON, by fetch. */
function fetched(call: Call, baseUrl: string): string {
  const headers = {
    none: '',
    key: "'x-api-key': process.env.KINORA_API_KEY ?? ''",
    token: "authorization: 'Bearer ' + process.env.KINORA_TOKEN",
  }
  return [
    "import { writeFile } from 'node:fs/promises'",
    '',
    `const response = await fetch('${addressOf(call, baseUrl)}', {`,
    ...(call.method === 'GET' ? [] : [`  method: '${call.method}',`]),
    `  headers: { ${headers[credentialOf(call)]} },`,
    '})',
    'if (!response.ok) throw new Error(await response.text())',
    "await writeFile('download', Buffer.from(await response.arrayBuffer()))",
  ].join('\n')
}

function paramsOf(call: Call): object | undefined {
  const places = ['path', 'query', 'header'].map(
    (place) => [place, Object.fromEntries(parametersIn(call, place))] as const,
  )
  const given = places.filter(([, values]) => Object.keys(values).length > 0)
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** A value as TypeScript: names without quotation marks, texts in single ones. */
function literal(value: unknown, indentation: string): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
  if (typeof value !== 'object' || value === null) return `${value}`
  const inner = `${indentation}  `
  const parts = Array.isArray(value)
    ? value.map((each) => literal(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${/^[a-zA-Z_]\w*$/.test(name) ? name : `'${name}'`}: ${literal(each, inner)}`)
  if (parts.length === 0) return Array.isArray(value) ? '[]' : indentation ? '{}' : ''
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' ']
  const line = open + space + parts.join(', ') + space + close
  if (!line.includes('\n') && line.length + indentation.length <= 100) return line
  return `${open}\n${parts.map((each) => `${inner}${each},\n`).join('')}${indentation}${close}`
}

/** `generateVideo` → `generate_video`: the methods of the Python client. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function python(call: Call, baseUrl: string): string {
  const credential = credentialOf(call)
  const given = { none: '', key: ', api_key=os.environ["KINORA_API_KEY"]', token: ', token=os.environ["KINORA_TOKEN"]' }
  const open = `${credential === 'none' ? '' : 'import os\n'}from kinora import Kinora\n\nkinora = Kinora("${baseUrl}"${given[credential]})`
  const { operationId, tags = [] } = call.operation
  const own = METHODS[operationId]?.python
  if (own) return `${open}\n${own}`
  const body = bodyOf(call)
  const example = body && (isJson(body) ? pythonLiteral(body.example ?? {}, '') : 'open("boat.png", "rb").read()')
  if (tags.some(isOfOperator)) {
    const path = addressOf(call, '')
    return `${open}\nprint(kinora.request("${call.method}", "${path}"${example ? `, ${example}` : ''}))`
  }
  const paths = parametersIn(call, 'path').map(([, value]) => pythonLiteral(value, ''))
  const others = ['query', 'header'].flatMap((place) => parametersIn(call, place))
  const named = others.map(([name, value]) => `${pythonName(name)}=${pythonLiteral(value, '')}`)
  const type = body && !isJson(body) ? ['content_type="image/png"'] : []
  const values = [...paths, ...(example ? [example] : []), ...named, ...type].join(', ')
  if (call.method === 'GET' && call.operation.parameters?.some((each) => each.name === 'cursor'))
    return `${open}\nfor each in kinora.${pythonPager(operationId)}(${values}):\n    print(each)`
  const called = `kinora.${snakeCase(operationId)}(${values})`
  if (answersJson(call)) return `${open}\nprint(${called})`
  return `${open}\nwith open("download", "wb") as file:\n    file.write(${called})`
}

/** The generator over all pages of a list. */
export const pythonPager = (operationId: string): string => snakeCase(operationId).replace(/^list/, 'iter')

/** A parameter as an argument: the words of Python and what is no name get another form. */
export const pythonName = (name: string): string =>
  ['from', 'in', 'is', 'class', 'global'].includes(name) ? `${name}_` : name.replaceAll('-', '_')

function pythonLiteral(value: unknown, indentation: string): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indentation}    `
  const parts = Array.isArray(value)
    ? value.map((each) => pythonLiteral(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const line = open + parts.join(', ') + close
  if (!line.includes('\n') && line.length + indentation.length <= 100) return line
  return `${open}\n${parts.map((each) => `${inner}${each},\n`).join('')}${indentation}${close}`
}
