/**
 * The statement that a user makes once, before faces and voices go into films: of an account, or of a team by one of
 * its members. It is a statement to a text; when the operator changes the text, users are asked again.
 */
import { actingId, type Caller } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import type { Input, Role } from '../film/inputs.ts'

/** Inputs in these roles show or speak as a person. */
const ROLES_OF_PERSONS: ReadonlySet<Role> = new Set(['portrait', 'motion', 'sound'])

/** What the service asks for, and what the account has stated; `version`: of the text. */
export type Consent = { text: string | null; version: string | null; givenAt: Date | null }

/** @returns all null: the service asks for no statement */
export async function consentOf({ sql, config }: App, userId: string): Promise<Consent> {
  if (!config.consent) return { text: null, version: null, givenAt: null }
  const { text, version } = config.consent
  const [given] = await sql<{ givenAt: Date }[]>`
    select given_at from kinora.consent where user_id = ${userId} and version = ${version}
  `
  return { text, version, givenAt: given?.givenAt ?? null }
}

/**
 * Stores the statement with its text, once a version.
 * @throws AppError CONFLICT when the text is another one than the user has read
 */
export async function giveConsent(app: App, by: Caller, version: string): Promise<Consent> {
  const { consent } = app.config
  if (consent?.version !== version) {
    const message = 'The text has changed; read it again and send its version.'
    throw new AppError('CONFLICT', message, { details: consent ?? { text: null, version: null } })
  }
  await app.sql`
    insert into kinora.consent (user_id, version, text, given_by, given_at)
    values (${by.userId}, ${version}, ${consent.text}, ${actingId(by)}, ${app.now()})
    on conflict (user_id, version) do nothing
  `
  return consentOf(app, by.userId)
}

/** @throws AppError CONSENT_REQUIRED when persons are among the inputs and the account has not stated their consent */
export async function checkConsent(app: App, userId: string, inputs: readonly Pick<Input, 'role'>[]): Promise<void> {
  const found = inputs.find(({ role }) => ROLES_OF_PERSONS.has(role))
  if (!found || !app.config.consent) return
  const { text, version } = app.config.consent
  if ((await consentOf(app, userId)).givenAt) return
  const message =
    `A film with a ${found.role} needs your statement, once: “${text}” ` +
    `Confirm it in the studio, or by PUT /api/v1/video/consent with { "version": "${version}" }.`
  throw new AppError('CONSENT_REQUIRED', message, { details: { text, version } })
}
