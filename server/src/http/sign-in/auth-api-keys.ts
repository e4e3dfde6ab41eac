/** What better-auth's API keys show besides: scopes, budget and usage, which this service stores itself. */
import { type Budget, changeKey, keyStates, limitKey } from '../../account/key/api-key.ts'
import { SCOPES, type Scope } from '../../account/key/scope.ts'
import { KEY_CHANGES } from '../../account/restrictions.ts'
import type { App } from '../../app.ts'
import { isUuid } from '../../id.ts'

/** The fields of createApiKey that better-auth does not know. */
export type KeyLimits = { scopes: Scope[]; budget: Budget | null }

/** Takes them out of the body. */
export function takeKeyLimits(body: Record<string, unknown>): KeyLimits {
  const { scopes = SCOPES, budget = null } = body as Partial<KeyLimits>
  delete body.scopes
  delete body.budget
  return { scopes: [...scopes], budget }
}

/** What a body of updateApiKey changes besides name and state. */
type LimitsChange = Partial<KeyLimits> & { id: string; expiresIn?: null | number }

/** Takes it out of the body. @returns null when it changes none of this */
export function takeKeyChange(body: Record<string, unknown>): LimitsChange | null {
  const { keyId: id, scopes, budget, expiresIn } = body as Partial<LimitsChange> & { keyId: string }
  for (const field of [...KEY_CHANGES, 'password']) delete body[field]
  if (scopes === undefined && budget === undefined && expiresIn === undefined) return null
  return {
    id,
    ...(scopes === undefined ? {} : { scopes }),
    ...(budget === undefined ? {} : { budget }),
    ...(expiresIn === undefined ? {} : { expiresIn }),
  }
}

/** @param shown the key, as better-auth has changed it. @returns it with its new expiry */
export async function applyKeyChange(app: App, shown: ShownKey, { expiresIn, ...change }: LimitsChange) {
  const expiry = expiresIn === undefined ? {} : { expiresAt: expiresIn === null ? null : after(app, expiresIn) }
  await changeKey(app, { userId: shown.referenceId, id: shown.id, change: { ...change, ...expiry } })
  return { ...shown, ...expiry }
}

const after = ({ now }: App, seconds: number): Date => new Date(now().getTime() + seconds * 1000)

/** A key of better-auth's response; `referenceId` is the user. */
export type ShownKey = { id: string; referenceId: string }

/** Stores the limits of a key that better-auth has created. */
export const storeKeyLimits = (app: App, { id, referenceId: userId }: ShownKey, limits: KeyLimits): Promise<void> =>
  limitKey(app, { userId, id, ...limits })

/** Adds scopes, budget and usage to a key or a list of keys of one user. */
export async function withKeyStates(app: App, response: ShownKey | { apiKeys: ShownKey[] }): Promise<object> {
  const keys = 'apiKeys' in response ? response.apiKeys : [response]
  const [first] = keys
  const ids = keys.map(({ id }) => id).filter(isUuid)
  const states = first ? await keyStates(app, first.referenceId, ids) : new Map()
  const described = keys.map((key) => {
    const state = states.get(key.id)
    return { ...key, ...state, scopes: state?.scopes ?? [] }
  })
  return 'apiKeys' in response ? { ...response, apiKeys: described } : (described[0] ?? response)
}
