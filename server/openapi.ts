/**
 * `npm run openapi`: writes openapi.json and openapi-operator.json, which the service also serves, and the client's
 * types that are generated from them. The server URL in them is a placeholder.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import {
  clientTypesFiles,
  describeClientTypes,
  describeKeyedOperations,
  keyedOperationsFile,
} from '../client/generate.ts'
import { describePythonClient, pythonFiles } from '../python-client/generate.ts'
import { openApp } from './src/app.ts'
import { readConfig } from './src/config/config.ts'
import { openApiDocuments } from './src/http/openapi/openapi.ts'
import { openHttp } from './src/http/server.ts'
import { openSignIn } from './src/http/sign-in/auth.ts'
import { accounts } from './src/provider/accounts.ts'

export const openApiFiles = {
  openapi: new URL('../openapi.json', import.meta.url),
  'openapi-operator': new URL('../openapi-operator.json', import.meta.url),
}
export type DocumentName = keyof typeof openApiFiles
export const documentNames = Object.keys(openApiFiles) as DocumentName[]
export const EXAMPLE_SERVER = 'http://localhost:8080'

/** The texts of the documents. No database is needed: routes describe themselves. */
export async function describeApi(): Promise<Record<DocumentName, string>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kinora-openapi-'))
  const nowhere = 'http://127.0.0.1:9'
  const env = {
    PUBLIC_URL: EXAMPLE_SERVER,
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://127.0.0.1:9/none',
    AUTH_SECRET: 'needed by nothing here, but no default',
    AI_CALLBACK_SECRET: 'needed by nothing here, but no default',
    PROVIDER_A_URL: nowhere,
    PROVIDER_B_URL: nowhere,
  }
  const app = await openApp(readConfig(env, accounts()), pino({ level: 'silent' }))
  const auth = openSignIn(app)
  const http = await openHttp(app, auth)
  try {
    await http.ready()
    const documents = openApiDocuments(http)
    const text = (name: DocumentName) => `${formatted(documents[name])}\n`
    return { openapi: text('openapi'), 'openapi-operator': text('openapi-operator') }
  } finally {
    await http.close()
    await auth.close()
    await app.close()
    await rm(dataDir, { recursive: true })
  }
}

const LINE_CHARACTERS_MAX = 120

/**
 * JSON in which what fits on a line has one, a list of plain values fills its lines, and the only field of an object
 * opens on the line of the object: a third of the lines that each value on its own would take, and easier to compare.
 * @param column where the value begins
 */
function formatted(value: unknown, indentation = '', column = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const inner = `${indentation}  `
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => ({ name: Array.isArray(value) ? '' : `${JSON.stringify(key)}: `, each }))
  const partsAt = (start: string, from: number) =>
    fields.map(({ name, each }) => name + formatted(each, start, from + name.length))
  const parts = partsAt(inner, inner.length)
  const line = `${open}${parts.join(', ')}${close}`
  if (!line.includes('\n') && column + line.length < LINE_CHARACTERS_MAX) return line
  const isPlain = fields.every(({ each }) => typeof each !== 'object')
  if (fields.length === 1 && !isPlain) return `${open}${partsAt(indentation, column + 1)[0]}${close}`
  const lines = Array.isArray(value) && isPlain ? filled(parts, LINE_CHARACTERS_MAX - inner.length) : parts
  return `${open}\n${lines.map((each) => inner + each).join(',\n')}\n${indentation}${close}`
}

/** Joins texts to lines of at most so many characters. */
function filled(texts: string[], charactersMax: number): string[] {
  const lines: string[] = []
  for (const text of texts) {
    const joined = `${lines.at(-1)}, ${text}`
    if (lines.length === 0 || joined.length >= charactersMax) lines.push(text)
    else lines[lines.length - 1] = joined
  }
  return lines
}

if (import.meta.main) {
  const texts = await describeApi()
  for (const name of documentNames) {
    await writeFile(openApiFiles[name], texts[name])
    await writeFile(clientTypesFiles[name], await describeClientTypes(texts[name]))
  }
  const python = describePythonClient(texts.openapi)
  await writeFile(pythonFiles.types, python.types)
  await writeFile(pythonFiles.operations, python.operations)
  await writeFile(keyedOperationsFile, describeKeyedOperations(Object.values(texts)))
}
