/** `kinora doctor`: checks this machine and its settings, and prints one line each: what – state – what to do. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { agesOf, sentencesOf } from '../catalogue/age.ts'
import { catalogue, checkRoutes, everyModel, listedModels, unservedModels } from '../catalogue/catalogue.ts'
import { lossesOf } from '../catalogue/route-figures.ts'
import { problemsOfTaken, readTaken } from '../catalogue/taken.ts'
import { promptTemplates } from '../catalogue/templates.ts'
import { type Config, ConfigError, readConfig } from '../config/config.ts'
import { openDb } from '../db/db.ts'
import { encodingProblem } from '../media/cut/render.ts'
import { describeLayers, openRoutes, openSandbox, setSandboxMode } from '../media/sandbox/sandbox.ts'
import { plans } from '../payment/plans.ts'
import { isPoolerRefusal, MORE_SESSIONS, USE_POOLER } from '../process/process.ts'
import { accounts } from '../provider/accounts.ts'
import { checksOf, databaseChecks, tracesCheck } from './doctor-checks.ts'
import { type Finding, good } from './finding.ts'

const NODE_MAJOR_MIN = 24

/** @returns the exit status: 0 when nothing keeps the service from working, otherwise 1 */
export async function doctorCommand(env: NodeJS.ProcessEnv): Promise<number> {
  const findings = await examine(env)
  for (const finding of findings) console.log(lineOf(finding))
  return findings.some(({ isFault }) => isFault) ? 1 : 0
}

async function examine(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { config, problems } = await settingsOf(env)
  const found = config ? await database(config) : null
  if (config && found && !found.isFault) await drafts(config)
  return [
    node(),
    ...(problems.length === 0
      ? [good('settings', 'complete')]
      : problems.map((problem) => bad('settings', 'wrong', problem))),
    ...(config?.misspelt ?? []).map((remedy) => ({ what: 'settings', state: 'misspelt', remedy, isFault: false })),
    ...(config
      ? [await dataFolder(config), ...(found ? [found] : []), models(config), ...taken(), prices(config), ages(config)]
      : []),
    ...(config && !found?.isFault ? await databaseChecks(config) : []),
    ...(config ? await serviceChecks(config) : []),
    ...(config ? await tracesCheck(config) : []),
    ...(await sandboxChecks(config?.mediaSandbox ?? 'auto')),
    await cutCheck(),
  ]
}

/** Those of the administrators' checklist. */
async function serviceChecks(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of Object.values(checksOf).flat()) findings.push(...(await check(config, null)))
  return findings
}

const lineOf = ({ what, state, remedy }: Finding): string => [what, state, ...(remedy ? [remedy] : [])].join(' – ')

const bad = (what: string, state: string, remedy: string): Finding => ({ what, state, remedy, isFault: true })

function node(): Finding {
  const version = process.versions.node
  if (Number.parseInt(version, 10) >= NODE_MAJOR_MIN) return good('Node', version)
  return bad('Node', `${version}, which is too old`, `install Node ${NODE_MAJOR_MIN} or newer`)
}

async function settingsOf(env: NodeJS.ProcessEnv): Promise<{ config: Config | null; problems: string[] }> {
  try {
    const config = readConfig(env, accounts())
    plans()
    promptTemplates()
    await checkRoutes(everyModel(), config)
    return { config, problems: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: null, problems: error.problems }
  }
}

async function dataFolder({ dataDir }: Config): Promise<Finding> {
  try {
    await stat(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK)
    return good('data folder', dataDir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return good('data folder', `${dataDir}, made at the first start`)
    return bad(
      'data folder',
      `${dataDir} cannot be written (${code})`,
      'give it to the user who runs Kinora, or set DATA_DIR',
    )
  }
}

/** Takes the drafts of administrators, which the models below are of. Before the tables are made there are none. */
async function drafts({ databaseUrl, databasePooler }: Config): Promise<void> {
  const sql = openDb(databaseUrl, { connections: 1, name: 'kinora doctor', pooler: databasePooler })
  await readTaken({ sql }).catch((error: { code?: string }) => {
    if (error.code !== '42P01' && error.code !== '42501') throw error
  })
  await sql.end({ timeout: 1 })
}

/** Ready models wait for an account, which is no fault. */
function models(config: Config): Finding {
  const [offered, waiting] = [listedModels(catalogue(config)), unservedModels(config)]
  const accounts = new Set(waiting.flatMap(({ routes }) => routes.map(({ account }) => account)))
  return {
    what: 'models',
    state: `${offered.length} offered`,
    remedy: waiting.length > 0 ? `set up ${[...accounts].sort().join(', ')} to offer ${waiting.length} more` : '',
    isFault: false,
  }
}

/** Files of administrators that this release refuses. The others are in force all the same. */
const taken = (): Finding[] =>
  problemsOfTaken().map((state) => ({ what: 'configuration', state, remedy: '', isFault: false }))

/** Films that are sold for less than they cost, which is no fault: an operator may want it. */
function prices(config: Config): Finding {
  const losses = lossesOf(listedModels(catalogue(config)), config)
  if (losses.length === 0) return good('prices', 'every film brings at least its cost')
  const names = losses.map(({ model, account, product }) => `${model} at ${account} with ${product}`)
  return {
    what: 'prices',
    state: `below cost: ${names.join(', ')}`,
    remedy: 'raise the prices or set CREDIT_USD lower; kinora catalogue has both',
    isFault: false,
  }
}

/** Values and prices that were not compared with the vendors' pages for long, and routes that end. */
function ages(config: Config): Finding {
  const [first, ...others] = sentencesOf(agesOf(everyModel().values(), config, new Date()))
  if (first === undefined) return good('age of the catalogue', 'current')
  return {
    what: 'age of the catalogue',
    state: [first, ...others].join('; '),
    remedy: 'run kinora catalogue compare; Models has its drafts',
    isFault: false,
  }
}

/** Reads only. The role is one that could do more than the service needs when it is a superuser. */
async function database({ databaseUrl, databasePooler }: Config): Promise<Finding> {
  const sql = openDb(databaseUrl, { connections: 1, name: 'kinora doctor', pooler: databasePooler })
  try {
    const [row] = await sql<[{ version: string; isSuperuser: boolean; role: string }]>`
      select current_setting('server_version') as version, rolsuper as is_superuser, rolname as role
      from pg_roles
      where rolname = current_user
    `
    if (!row.isSuperuser) return good('database', `PostgreSQL ${row.version}, as ${row.role}`)
    const remedy =
      'make a role without superuser for DATABASE_URL, and one that owns the tables for DATABASE_URL_DIRECT'
    return {
      what: 'database',
      state: `PostgreSQL ${row.version}, as the superuser ${row.role}`,
      remedy,
      isFault: false,
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (isPoolerRefusal(error)) return bad('database', message, USE_POOLER)
    if (code === '53300') return bad('database', `has no session left: ${message}`, MORE_SESSIONS)
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      const { hostname } = error as { hostname?: string }
      return bad('database', `the name ${hostname} does not resolve (${code})`, 'check the host in DATABASE_URL')
    }
    // A SQLSTATE: PostgreSQL has answered.
    if (/^[0-9A-Z]{5}$/.test(code ?? '')) return bad('database', `refuses: ${message}`, 'check DATABASE_URL')
    return bad('database', `does not answer (${code ?? message})`, 'check DATABASE_URL and that PostgreSQL runs')
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The layers of the media decoder's sandbox, and the escape routes that all of them together leave open. */
async function sandboxChecks(mode: Config['mediaSandbox']): Promise<Finding[]> {
  setSandboxMode(mode)
  const sandbox = await openSandbox()
  const open = openRoutes(sandbox)
  const found = describeLayers(sandbox).map(({ name, isActive, remedy }) => ({
    what: `decoder: ${name}`,
    state: isActive ? 'active' : 'missing',
    remedy: isActive ? '' : remedy,
    isFault: false,
  }))
  const routes =
    open.length === 0
      ? good('decoder: escape routes', 'none')
      : {
          what: 'decoder: escape routes',
          state: `open: ${open.join(', ')}`,
          remedy: 'set up the missing layers, or run the service where it can reach nothing else',
          isFault: mode === 'required',
        }
  const problems = sandbox.problems.map((problem) => ({
    what: 'decoder: tried without success',
    state: problem.replace(/\s+/g, ' ').slice(0, 300),
    remedy: '',
    isFault: false,
  }))
  return [...found, routes, ...problems]
}

/** Without encoders everything but cuts works. */
async function cutCheck(): Promise<Finding> {
  const problem = await encodingProblem().catch((error: Error) => error.message)
  return problem === null
    ? good('cuts', 'H.264 and AAC can be encoded')
    : { what: 'cuts', state: 'cannot be rendered', remedy: problem, isFault: false }
}
