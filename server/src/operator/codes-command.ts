/** `kinora codes`: redemption codes, for an operator at the machine. */
import type { Config } from '../config/config.ts'
import { createCode, endCode, listCodes } from '../credit/redemption.ts'
import { openDb } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { readArguments, readWholeNumber, UsageError } from '../process/command-arguments.ts'
import { counted } from '../text/counted.ts'

const LISTED = 100

/** @returns the exit status */
export async function codesCommand(config: Config, args: string[]): Promise<number> {
  const { values } = readArguments('codes', {
    args,
    options: {
      code: { type: 'string' },
      credits: { type: 'string' },
      'credit-days': { type: 'string', default: '365' },
      uses: { type: 'string', default: '1' },
      'new-customers': { type: 'boolean', default: false },
      'per-network': { type: 'string' },
      days: { type: 'string', default: '30' },
      note: { type: 'string' },
      end: { type: 'string' },
    },
  })
  const { code = null, credits, note = null, end, 'per-network': perNetwork } = values
  const terms = {
    creditDays: readWholeNumber('codes', '--credit-days', values['credit-days'], 1, 3650),
    usesMax: readWholeNumber('codes', '--uses', values.uses, 1, 1_000_000),
    newCustomers: values['new-customers'],
    networkMax: perNetwork === undefined ? null : readWholeNumber('codes', '--per-network', perNetwork, 1, 1_000_000),
    days: readWholeNumber('codes', '--days', values.days, 1, 3650),
  }
  const amount = credits === undefined ? null : readWholeNumber('codes', '--credits', credits, 1, 10_000_000)
  if (amount === null && (code !== null || note !== null))
    throw new UsageError('kinora codes: a new code needs --credits.')
  const sql = openDb(config.databaseUrl, { connections: 1, name: 'kinora codes', pooler: config.databasePooler })
  const by = { actorId: null, requestId: null, now: new Date() }
  try {
    if (end !== undefined) {
      await endCode(sql, end, by)
      console.log('The code has ended.')
    } else if (amount === null) {
      const { codes } = await listCodes(sql, { pageSize: LISTED, now: by.now })
      for (const each of codes)
        console.log(
          `${each.id} ${each.code} ${each.state}, ${counted(each.credits, 'credit')}, ${each.uses} of ${counted(each.usesMax, 'use')}, ` +
            `until ${each.expiresAt.toISOString()}${each.newCustomers ? ', new customers' : ''}` +
            `${each.networkMax === null ? '' : `, ${each.networkMax} of a network`}${each.note === null ? '' : `, ${each.note}`}`,
        )
    } else {
      const made = await createCode(sql, { code, credits: amount, ...terms, note, ...by })
      console.log(made.code)
      console.error(`It can be redeemed until ${made.expiresAt.toISOString()}.`)
    }
    return 0
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    console.error(error.message)
    return 1
  } finally {
    await sql.end({ timeout: 1 })
  }
}
