/** Administrators switch models, accounts and routes off and on. */

import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { type Subject, type SwitchedOff, switchOf } from '../catalogue/switches.ts'
import { call } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { accounts } from '../provider/accounts.ts'

/** `actorId`: null for an operator at a terminal. */
export type Change = Subject & {
  isOn: boolean
  reason: string
  actorId: string | null
  requestId: string | null
  now: Date
}

/** Switches off or on, with an entry of the audit log when that changes anything. @throws AppError NOT_FOUND */
export async function setSwitch(sql: Query, change: Change): Promise<'switched' | 'unchanged'> {
  const { model, account, isOn, reason, actorId, requestId, now } = change
  // What was switched off and has left the catalogue since can be switched on.
  if (!isOn) checkSubject(change)
  return await call(sql, 'catalogue_set_switch', { model, account, isOn, actorId, reason, requestId, now })
}

function checkSubject({ model, account }: Subject): void {
  const found = everyModel().get(model)
  if (model !== '' && !found) throw new AppError('NOT_FOUND', `There is no model "${model}" in the catalogue.`)
  if (account !== '' && !accounts().some(({ id }) => id === account))
    throw new AppError('NOT_FOUND', `There is no account "${account}" in catalogue/providers.json.`)
  if (found && account !== '' && !found.routes.some((route) => route.account === account))
    throw new AppError('NOT_FOUND', `${found.name} has no route at ${account}.`)
}

/** `actorEmail`: null for an operator at a terminal and for a deleted account. */
export type Off = SwitchedOff & { actorEmail: string | null }

/** @returns what keeps a model, an account or a route off */
export async function readOffs({ sql }: App): Promise<(subject: Subject) => Off | null> {
  const users = await sql<{ id: string; email: string }[]>`
    select id, email from public."user" where id in (select actor_id::text from kinora.catalogue_switch)
  `
  return (subject) => {
    const off = switchOf(subject)
    return off && { ...off, actorEmail: users.find(({ id }) => id === off.actorId)?.email ?? null }
  }
}
