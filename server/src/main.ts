/**
 * kinora-server: `api`, `worker`, `all` (both in one process), `migrate`, `verify`, `reconcile`, `samples`,
 * `provenance`, `doctor`, and the commands of `operatorCommands`. The table of contents: config, database, then app,
 * HTTP and worker, which a graceful shutdown closes in reverse. `api --processes` runs a primary instead
 * (cluster/primary.ts), whose children run this file as `api`.
 */
import type { Logger } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { whenGift } from './account/gift-address.ts'
import { watchIncidents } from './admin/incidents.ts'
import { type App, openApp } from './app.ts'
import { agesOf } from './catalogue/age.ts'
import { catalogue, checkRoutes, everyModel, listedModels, unservedModels } from './catalogue/catalogue.ts'
import { watchCatalogue } from './catalogue/reload.ts'
import { lossesOf } from './catalogue/route-figures.ts'
import { watchSwitches } from './catalogue/switches.ts'
import { readTaken } from './catalogue/taken.ts'
import { promptTemplates } from './catalogue/templates.ts'
import { isChild, stopRequested } from './cluster/channel.ts'
import { readProcesses, runPrimary } from './cluster/primary.ts'
import { registerFormats, webhookFormats } from './compatible/compatible.ts'
import { type Config, ConfigError, readConfig } from './config/config.ts'
import { useCatalogueDir } from './config/package-dir.ts'
import { wipeSecrets } from './config/setting-reader.ts'
import { migrate, readArguments as readDivisionArguments, scopeOf } from './db/database.ts'
import { FIRST_MIGRATION } from './db/migrate.ts'
import { type Outage, openOutage } from './db/outage.ts'
import { ensureRoleLimits } from './db/role-limits.ts'
import { watchSchema } from './db/schema.ts'
import { SchemaTooNewError } from './errors.ts'
import { endIdleChildren } from './media/children.ts'
import { describeLayers, openRoutes, openSandbox, setSandboxMode } from './media/sandbox/sandbox.ts'
import { ensureAdministrator } from './operator/administrator.ts'
import { backupCommand } from './operator/backup-command.ts'
import { catalogueCommand } from './operator/catalogue-command.ts'
import { codesCommand } from './operator/codes-command.ts'
import { costsCommand } from './operator/costs-command.ts'
import { doctorCommand } from './operator/doctor-command.ts'
import { filesCommand } from './operator/files-command.ts'
import { inviteCommand } from './operator/invite-command.ts'
import { provenanceCheck, readProvenanceArgs, signAll } from './operator/provenance-command.ts'
import { providersCommand } from './operator/providers-command.ts'
import { readReconcileArgs, reconcileCommand } from './operator/reconcile-command.ts'
import { restoreCommand } from './operator/restore-command.ts'
import { openTerminal, readSamplesArgs, samplesCommand } from './operator/samples-command.ts'
import { switchCommand } from './operator/switch-command.ts'
import { upgradeCommand } from './operator/upgrade-command.ts'
import { promoteCommand, resetPasswordCommand } from './operator/user-commands.ts'
import { NOT_FINISHED, verifyCommand } from './operator/verify-command.ts'
import { plans } from './payment/plans.ts'
import { pricesPaid } from './payment/prices.ts'
import { readArguments, UsageError } from './process/command-arguments.ts'
import { openLog } from './process/log.ts'
import { exitStatusOf, explainStartError, notifyParent, shutdownRequested } from './process/process.ts'
import { accounts } from './provider/accounts.ts'
import { countFor, openMemoryCounters } from './rate-limit/memory.ts'
import { openSharedSlots } from './stream/slots.ts'
import { checkSigner } from './video/film-provenance.ts'
import { startWorker } from './worker/worker.ts'

const commands = ['api', 'worker', 'all', 'migrate', 'verify', 'reconcile', 'samples', 'provenance', 'doctor']
/** Commands that take the database as it is: they neither migrate it nor open the application. */
const operatorCommands: Record<string, (config: Config, args: string[]) => Promise<number>> = {
  'reset-password': resetPasswordCommand,
  promote: promoteCommand,
  backup: backupCommand,
  restore: restoreCommand,
  upgrade: upgradeCommand,
  providers: providersCommand,
  catalogue: catalogueCommand,
  costs: costsCommand,
  switch: switchCommand,
  files: filesCommand,
  invite: inviteCommand,
  codes: codesCommand,
}
const knownCommands = [...commands, ...Object.keys(operatorCommands)].join(', ')
const command = process.argv[2] ?? 'all'
/** `docker stop` sends SIGKILL ten seconds after SIGTERM; the process exits by itself before that. */
const SHUTDOWN_LIMIT_MS = 9_800

// New files are 0640 and new folders 0750; the umask of the shell or the container does not count.
process.umask(0o027)

try {
  useCatalogueDir(process.env.CATALOGUE_DIR)
  if (command === 'doctor') {
    readArguments(command, { args: process.argv.slice(3) })
    process.exit(await doctorCommand(process.env))
  }
  const provenance = command === 'provenance' ? readProvenanceArgs(process.argv.slice(3)) : null
  if (provenance?.file) process.exit(await provenanceCheck(process.env, provenance.file, provenance.url))
  if (command === 'help' || command === '--help') {
    console.log(`The commands are ${knownCommands}. What each takes: docs/deployment.md#operating-it, or kinora help.`)
    process.exit(0)
  }
  const config = readConfig(process.env, accounts())
  const secrets = wipeSecrets(process.env)
  const outage = openOutage()
  const log = openLog(config, outage.note)
  if (!isChild) for (const problem of config.misspelt) log.warn(problem)
  // Before the catalogue is read: a backup, or the draft of a file, needs none without a mistake.
  const operatorCommand = Object.hasOwn(operatorCommands, command) ? operatorCommands[command] : undefined
  if (operatorCommand) process.exit(await operatorCommand(config, process.argv.slice(3)))
  // Validates the files at start-up instead of at the first purchase, and the mappings before the first submit.
  plans()
  promptTemplates()
  await checkRoutes(everyModel(), config)
  if (!commands.includes(command)) {
    throw new UsageError(`There is no command "${command}": use one of ${knownCommands}.`)
  }
  if (command === 'verify') process.exit(await verifyLedger(config))
  const reconcileArgs = command === 'reconcile' ? readReconcileArgs(process.argv.slice(3)) : null
  const samplesArgs = command === 'samples' ? readSamplesArgs(process.argv.slice(3)) : null
  const processes = command === 'api' ? readProcesses(process.argv.slice(3)) : null
  const { parts, node } = readDivisionArguments(command, process.argv.slice(3))
  config.division = scopeOf(await migrateDatabase(config, log, parts), node)
  if (reconcileArgs) process.exit(await withApp(config, log, (app) => reconcileOnce(app, reconcileArgs)))
  if (samplesArgs) process.exit(await withApp(config, log, (app) => samplesCommand(app, samplesArgs, openTerminal())))
  if (provenance) process.exit(await withApp(config, log, (app) => signAll(app, openTerminal())))
  if (command === 'migrate') process.exit(0)
  process.exit(
    processes === null ? await serve(config, log, outage) : await servePrimary(config, log, processes, secrets),
  )
} catch (error) {
  const message = explainStartError(error)
  // The primary prints what its children report, once.
  if (!isChild) console.error(message)
  const status = exitStatusOf(error)
  notifyParent({ kind: 'failed', message, status, isFinal: error instanceof SchemaTooNewError })
  // `verify` and `restore` have 1 for differences that they have found.
  if (['verify', 'restore'].includes(command)) process.exit(NOT_FINISHED)
  process.exit(status)
}

/** `verify`: an interrupt stops it after it has printed where to go on. @returns the exit status */
async function verifyLedger(config: Config): Promise<number> {
  const interrupted = new AbortController()
  void shutdownRequested().then(() => interrupted.abort())
  return verifyCommand(config, process.argv.slice(3), interrupted.signal)
}

async function withApp<T>(config: Config, log: Logger, work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(config, log)
  try {
    // Products that administrators wrote in the browser: an event of one is not of an unknown product.
    await readTaken(app)
    return await work(app)
  } finally {
    await app.close()
  }
}

/** `reconcile`: applies and prints what no webhook brought. @returns the exit status: 1 when a processor failed */
async function reconcileOnce(app: App, args: ReturnType<typeof readReconcileArgs>): Promise<number> {
  const { lines, isComplete } = await reconcileCommand(app, args)
  for (const line of lines) console.log(line)
  return isComplete ? 0 : 1
}

/** @returns whether the database is divided */
async function migrateDatabase(
  { databaseUrl, databaseUrlDirect, databasePooler }: Config,
  log: Logger,
  parts: number | null,
): Promise<boolean> {
  const { applied, isDivided } = await migrate(databaseUrlDirect, {
    ...(parts === null ? {} : { parts }),
    warn: (message) => log.warn(message),
  })
  // A new database gets every migration there is, whose list says nothing.
  if (applied[0] === FIRST_MIGRATION) log.info('the database schema was created')
  else if (applied.length > 0) log.info({ applied }, 'the database was brought up to date')
  if (databasePooler === 'off') return isDivided
  const settings = await ensureRoleLimits(databaseUrl)
  if (settings.length > 0) log.info({ settings }, 'the limits of sessions were written to the role of DATABASE_URL')
  return isDivided
}

/**
 * Runs until a shutdown request, then drains HTTP and worker and closes what they use. It also ends, with status 1,
 * when another process migrates the database to a schema that this version is too old for.
 */
async function serve(config: Config, log: Logger, outage: Outage): Promise<number> {
  await checkSandbox(config, log)
  logOffer(config, log)
  const app = await openApp(config, log)
  outage.watch(log, () => probeDatabase(app))
  const switches = await watchSwitches(app)
  const incidents = await watchIncidents(app)
  const api = command === 'worker' ? null : await serveApi(app)
  if (command !== 'api') await checkSigner(app)
  const worker = command === 'api' ? null : startWorker(app, { formats: webhookFormats })

  // Signal handlers are installed before readiness is reported: from then on a stop is graceful.
  const shutdown = Promise.race([shutdownRequested(), stopRequested()])
  const schema = watchSchema(app.sql)
  const models = watchCatalogue(
    config,
    app.now,
    () => pricesPaid(app.sql),
    ({ problems, models, isRestartNeeded }) => {
      if (problems.length > 0) log.error({ problems }, 'the catalogue was not taken; what is in force stays')
      else log.info({ models }, 'the catalogue was read again')
      if (isRestartNeeded) log.warn('the accounts of providers.json have changed: they are used from the next start on')
    },
  )
  notifyParent({ kind: 'ready', url: config.publicUrl, port: config.port })
  const level = isChild ? 'debug' : 'info'
  log[level]({ command, url: config.publicUrl, version: manifest.version }, 'ready')
  const tooNew = await Promise.race([shutdown, schema.tooNew])
  schema.close()
  models.close()
  switches.close()
  incidents.close()
  if (tooNew && isChild) notifyParent({ kind: 'failed', message: tooNew.message, status: 1, isFinal: true })
  else if (tooNew) log.fatal(tooNew.message)

  log[level]('stopping')
  setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS)
  // The parts close in parallel, because each has its own drain limit of several seconds within the shutdown limit.
  await Promise.all([api?.drain(), worker?.stop()])
  await api?.close()
  outage.close()
  await endIdleChildren()
  await app.close()
  return tooNew ? 1 : 0
}

/** @throws while the database, or a node of it, is away */
async function probeDatabase({ sql, database }: App): Promise<void> {
  await sql`select`
  if ((await database.checkNodes()).some(({ error }) => error !== null)) throw new Error('a node is down')
}

/** What an operator learns from the settings: when new users have the gift, and what is offered. */
function logOffer(config: Config, log: Logger): void {
  if (isChild) return
  const gift = whenGift(config)
  if (gift) log.info(`the gift: ${[gift.state, gift.remedy].filter(Boolean).join('; ')}`)
  const [offered, waiting] = [listedModels(catalogue(config)), unservedModels(config)]
  log.info(
    { offered: offered.length, waiting: waiting.length },
    'models; those that wait have no account with settings',
  )
  const ages = agesOf(everyModel().values(), config, new Date())
  if (ages.old.length > 0 || ages.ending.length > 0)
    log.warn(
      { old: ages.old, ending: ages.ending },
      'parts of the catalogue are old or end; kinora catalogue compare finds what has changed',
    )
  const losses = lossesOf(offered, config)
  if (losses.length > 0)
    log.warn(
      { losses },
      'films of these routes cost more than the cheapest credits bring; kinora catalogue has the prices',
    )
}

/** `api --processes`: the primary, which holds no application: its children do. */
async function servePrimary(
  config: Config,
  log: Logger,
  processes: number,
  secrets: Record<string, string | undefined>,
): Promise<number> {
  await checkSandbox(config, log)
  logOffer(config, log)
  // Loaded on demand, as HTTP is.
  const { openProcessMetrics } = await import('./http/operations/process-metrics.ts')
  const addToMetrics = openProcessMetrics()
  const countStreams = openSharedSlots()
  const counters = openMemoryCounters(Date.now)
  // The children find the change of the catalogue by themselves.
  process.on('SIGHUP', () => log.debug('SIGHUP'))
  return runPrimary({
    script: import.meta.filename,
    processes,
    env: {
      ...secrets,
      ...(config.areConnectionsChosen ? {} : { DATABASE_CONNECTIONS: String(connectionsOfChild(processes)) }),
    },
    log,
    shutdown: shutdownRequested(),
    onChild: (channel) => {
      countFor(channel, counters)
      const onEnded = [addToMetrics(channel), countStreams(channel)]
      return () => {
        for (const end of onEnded) end()
      }
    },
  })
}

/** Three and more processes share 32 connections to the database(100 by default), at least 4 each. */
function connectionsOfChild(processes: number): number {
  return Math.max(4, Math.min(16, Math.floor(32 / processes)))
}

/**
 * Finds out which layers of the media decoder's sandbox are active, and logs them.
 * @throws ConfigError with MEDIA_SANDBOX=required, when an escape route is open
 */
async function checkSandbox({ mediaSandbox }: Config, log: Logger): Promise<void> {
  setSandboxMode(mediaSandbox)
  const found = openSandbox().then((sandbox) => {
    const [active, missing] = [true, false].map((isActive) =>
      describeLayers(sandbox).flatMap((layer) => (layer.isActive === isActive ? layer.name : [])),
    )
    const open = openRoutes(sandbox)
    if (mediaSandbox === 'required' && open.length > 0) {
      throw new ConfigError([
        `MEDIA_SANDBOX is required, but the decoder's child process is not kept from ${open.join(', ')}; see kinora doctor`,
      ])
    }
    // The primary has logged it already.
    const level = isChild ? 'debug' : open.length > 0 ? 'warn' : 'info'
    log[level]({ active, missing, open }, 'the sandbox of the media decoder')
  })
  // Otherwise the service does not wait for it: the first inspection does.
  if (mediaSandbox === 'required') await found
  else found.catch((err: unknown) => log.error({ err }, 'the sandbox of the media decoder could not be probed'))
}

/** Starts sign-in and HTTP. Loaded on demand: a worker process starts in half the time without. */
async function serveApi(app: App) {
  const { openSignIn } = await import('./http/sign-in/auth.ts')
  const { closeHttp, openHttp } = await import('./http/server.ts')
  const auth = openSignIn(app)
  await ensureAdministrator(app, auth)
  const http = await openHttp(app, auth, { registerFormats })
  await http.listen({ port: app.config.port, host: app.config.host })
  return { drain: () => closeHttp(http), close: auth.close }
}
