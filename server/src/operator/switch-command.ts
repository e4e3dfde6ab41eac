/** `kinora switch`: what is off, and the switch of a model, account or route, for an operator at the machine. */
import { setSwitch } from '../admin/switches.ts'
import type { Config } from '../config/config.ts'
import { openDb, type Sql } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { readArguments, UsageError } from '../process/command-arguments.ts'

/** @returns the exit status */
export async function switchCommand(config: Config, args: string[]): Promise<number> {
  const { values, positionals } = readArguments('switch', {
    args,
    allowPositionals: true,
    options: { model: { type: 'string' }, account: { type: 'string' }, reason: { type: 'string' } },
  })
  const [to, ...rest] = positionals
  const { model = '', account = '', reason = '' } = values
  if (rest.length > 0 || (to !== undefined && to !== 'on' && to !== 'off'))
    throw new UsageError('kinora switch: write "on" or "off", or nothing for a list of what is off.')
  if (to !== undefined && ((model === '' && account === '') || reason.trim() === ''))
    throw new UsageError(`kinora switch ${to}: write --model, --account or both (a route), and --reason.`)
  const sql = openDb(config.databaseUrl, { connections: 1, name: 'kinora switch', pooler: config.databasePooler })
  try {
    if (to === undefined) return await list(sql)
    const by = { actorId: null, requestId: null, now: new Date() }
    const outcome = await setSwitch(sql, { model, account, isOn: to === 'on', reason: reason.trim(), ...by })
    console.log(`${nameOf(model, account)} ${outcome === 'switched' ? 'is' : 'was already'} ${to}.`)
    return 0
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    console.error(error.message)
    return 1
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function list(sql: Sql): Promise<number> {
  const rows = await sql<{ model: string; account: string; reason: string; createdAt: Date }[]>`
    select model, account, reason, created_at from kinora.catalogue_switch order by model, account
  `
  for (const { model, account, reason, createdAt } of rows)
    console.log(`${nameOf(model, account)} – off since ${createdAt.toISOString()}: ${reason}`)
  if (rows.length === 0) console.log('Nothing is off.')
  return 0
}

const nameOf = (model: string, account: string): string =>
  model === '' ? `The account ${account}` : account === '' ? model : `${model} at ${account}`
