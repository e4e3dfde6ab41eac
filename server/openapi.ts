/**
 * `npm run openapi`: writes openapi.json, which the service also serves at /openapi.json, and the client's types that are
 * generated from it. The server URL in it is a placeholder.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { clientTypesFile, describeClientTypes } from '../client/generate.ts'
import { openApp } from './src/app.ts'
import { readConfig } from './src/config/config.ts'
import { openHttp } from './src/http/server.ts'
import { openSignIn } from './src/http/sign-in/auth.ts'
import { accounts } from './src/provider/accounts.ts'

export const openApiFile = new URL('../openapi.json', import.meta.url)
export const EXAMPLE_SERVER = 'http://localhost:8080'

/** The text of openapi.json. No database is needed: routes describe themselves. */
export async function describeApi(): Promise<string> {
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
    return `${formatted(http.swagger())}\n`
  } finally {
    await http.close()
    await auth.close()
    await app.close()
    await rm(dataDir, { recursive: true })
  }
}

const LINE_CHARACTERS_MAX = 120

/** JSON in which what fits on a line has one: a quarter shorter than with each value on its own, and easier to compare. */
function formatted(value: unknown, indentation = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indentation}  `
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  const parts = entries.map(([key, each]) => {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `
    return name + formatted(each, inner)
  })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const line = `${open}${parts.join(', ')}${close}`
  if (!line.includes('\n') && indentation.length + line.length <= LINE_CHARACTERS_MAX) return line
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indentation}${close}`
}

if (import.meta.main) {
  const text = await describeApi()
  await writeFile(openApiFile, text)
  await writeFile(clientTypesFile, await describeClientTypes(text))
}
