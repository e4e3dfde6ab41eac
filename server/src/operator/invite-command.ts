/** `kinora invite`: the link of an invitation to sign up, for an operator at the machine. */
import { createInvitation, listInvitations, revokeInvitation } from '../account/invitation.ts'
import type { Config } from '../config/config.ts'
import { openDb } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { readArguments, readWholeNumber, UsageError } from '../process/command-arguments.ts'
import { counted } from '../text/counted.ts'

const LISTED = 100

/** @returns the exit status */
export async function inviteCommand(config: Config, args: string[]): Promise<number> {
  const { values } = readArguments('invite', {
    args,
    options: {
      email: { type: 'string' },
      credits: { type: 'string', default: '0' },
      'instead-of-gift': { type: 'boolean', default: false },
      days: { type: 'string', default: '7' },
      list: { type: 'boolean', default: false },
      revoke: { type: 'string' },
    },
  })
  const credits = readWholeNumber('invite', '--credits', values.credits, 0, 10_000_000)
  const days = readWholeNumber('invite', '--days', values.days, 1, 365)
  const { email = null, 'instead-of-gift': replacesGift } = values
  if (email !== null && !/^[^@\s]+@[^@\s]+$/.test(email))
    throw new UsageError('kinora invite: --email is an e-mail address.')
  const sql = openDb(config.databaseUrl, { connections: 1, name: 'kinora invite', pooler: config.databasePooler })
  const by = { actorId: null, requestId: null, now: new Date() }
  try {
    if (values.list) {
      const { invitations } = await listInvitations(sql, { pageSize: LISTED, now: by.now })
      for (const each of invitations)
        console.log(
          `${each.id} ${each.state}, until ${each.expiresAt.toISOString()}, ${counted(each.credits, 'credit')}, ${each.email ?? 'any address'}`,
        )
    } else if (values.revoke !== undefined) {
      await revokeInvitation(sql, values.revoke, by)
      console.log('The invitation is revoked.')
    } else {
      const made = await createInvitation({ sql, config }, { email, credits, replacesGift, days, ...by })
      console.log(made.link)
      console.error(`It makes one account until ${made.expiresAt.toISOString()}, and is shown this once.`)
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
