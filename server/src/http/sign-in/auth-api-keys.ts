/** What better-auth's API keys show besides: scopes, budget and usage, which this service stores itself. */
import { TEST_KEY_PREFIX } from '../../account/auth.ts'
import { type Budget, changeKey, keyStates, limitKey } from '../../account/key/api-key.ts'
import { SCOPES, type Scope } from '../../account/key/scope.ts'
import { KEY_CHANGES } from '../../account/restrictions.ts'
import type { App } from '../../app.ts'
import { openTestAccount } from '../../credit/gift.ts'
import { isUuid, testOwnerOf } from '../../id.ts'

/** The fields of createApiKey that better-auth does not know. */
export type KeyLimits = { scopes: Scope[]; budget: Budget | null; isTest: boolean }

/** Takes them out of the body, to which it adds the prefix of a test key. */
export function takeKeyLimits(body: Record<string, unknown>): KeyLimits {
  const { scopes = SCOPES, budget = null, test = false } = body as Partial<KeyLimits> & { test?: boolean }
  for (const field of ['scopes', 'budget', 'test']) delete body[field]
  if (test) body.prefix = TEST_KEY_PREFIX
  return { scopes: [...scopes], budget, isTest: test }
}

/** What a body of updateApiKey changes besides name and state. */
type LimitsChange = Partial<Omit<KeyLimits, 'isTest'>> & { id: string; expiresIn?: null | number }

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
export type ShownKey = { id: string; referenceId: string; prefix?: string | null }

/** Stores the limits of a key that better-auth has created. */
export async function storeKeyLimits(
  app: App,
  { id, referenceId: userId }: ShownKey,
  limits: KeyLimits,
): Promise<void> {
  // First: a key without credits to test with would be of no use.
  if (limits.isTest) await openTestAccount(app, userId)
  await limitKey(app, { userId, id, ...limits })
}

/** Adds scopes, budget and usage to a key or a list of keys of one user. */
export async function withKeyStates(app: App, response: ShownKey | { apiKeys: ShownKey[] }): Promise<object> {
  const keys = 'apiKeys' in response ? response.apiKeys : [response]
  const [first] = keys
  const isTest = ({ prefix }: ShownKey) => prefix === TEST_KEY_PREFIX
  const idsOf = (some: ShownKey[]) => some.map(({ id }) => id).filter(isUuid)
  const statesOf = (ownerId: string, some: ShownKey[]) => keyStates(app, ownerId, idsOf(some))
  const [states, testStates] = first
    ? await Promise.all([
        statesOf(
          first.referenceId,
          keys.filter((key) => !isTest(key)),
        ),
        statesOf(testOwnerOf(first.referenceId), keys.filter(isTest)),
      ])
    : [new Map(), new Map()]
  const described = keys.map((key) => {
    const state = states.get(key.id) ?? testStates.get(key.id)
    return { ...key, ...state, test: isTest(key), scopes: state?.scopes ?? [] }
  })
  return 'apiKeys' in response ? { ...response, apiKeys: described } : (described[0] ?? response)
}
