/** What responses of better-auth's API keys show besides: scopes, budget and usage, which this service stores itself. */
import { type Budget, changeKey, keyStates, limitKey } from '../account/api-key.ts'
import { KEY_CHANGES } from '../account/restrictions.ts'
import { SCOPES, type Scope } from '../account/scope.ts'
import type { App } from '../app.ts'
import { isUuid } from '../id.ts'

/** The fields of createApiKey that better-auth does not know. */
export type KeyLimits = { scopes: Scope[]; budget: Budget | null }

/** Takes them out of the body. */
export function takeKeyLimits(body: Record<string, unknown>): KeyLimits {
  const { scopes = SCOPES, budget = null } = body as Partial<KeyLimits>
  delete body.scopes
  delete body.budget
  return { scopes: [...scopes], budget }
}

/**
 * Applies what a body of updateApiKey changes besides name and state, and takes it out of the body. @returns false: the user has no such key
 */
export async function applyKeyChange(app: App, userId: string, body: Record<string, unknown>): Promise<boolean> {
  const { keyId: id, scopes, budget, expiresIn } = body as Partial<KeyLimits> & UpdateBody
  for (const field of [...KEY_CHANGES, 'password']) delete body[field]
  if (scopes === undefined && budget === undefined && expiresIn === undefined) return true
  const name = await changeKey(app, {
    userId,
    id,
    change: {
      ...(scopes === undefined ? {} : { scopes }),
      ...(budget === undefined ? {} : { budget }),
      ...(expiresIn === undefined ? {} : { expiresAt: expiresIn === null ? null : after(app, expiresIn) }),
    },
  })
  // better-auth refuses a change of nothing, and its response is wanted.
  if (name !== null) body.name ??= name
  return name !== null
}

const after = ({ now }: App, seconds: number): Date => new Date(now().getTime() + seconds * 1000)

type UpdateBody = { keyId: string; expiresIn?: null | number }

/** Of better-auth's response; `referenceId` is the user. */
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
    return { ...key, ...state, scopes: state?.scopes ?? SCOPES }
  })
  return 'apiKeys' in response ? { ...response, apiKeys: described } : (described[0] ?? response)
}
