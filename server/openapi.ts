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
import { catalogue, providersOf } from './src/video/catalogue.ts'

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
  const app = await openApp(readConfig(env, providersOf(catalogue())), pino({ level: 'silent' }))
  const auth = openSignIn(app)
  const http = await openHttp(app, auth)
  try {
    await http.ready()
    return `${JSON.stringify(http.swagger(), null, 2)}\n`
  } finally {
    await http.close()
    await auth.close()
    await app.close()
    await rm(dataDir, { recursive: true })
  }
}

if (import.meta.main) {
  const text = await describeApi()
  await writeFile(openApiFile, text)
  await writeFile(clientTypesFile, await describeClientTypes(text))
}
