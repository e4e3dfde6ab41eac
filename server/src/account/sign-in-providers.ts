/**
 * Sign-in with Google, GitHub and OpenID Connect providers. Authorization code with PKCE, state and nonce; an ID token
 * counts with a valid signature only. Invariants: an identity joins an account that exists only when both have verified
 * the same address, or when the user links it with a session; tokens of providers are not stored.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthContext, BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware, getOAuthState } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins'
import type { Config } from '../config/config.ts'
import { AppError } from '../errors.ts'
import { cleanName } from '../text/name.ts'

type Settings = Pick<Config, 'signIn' | 'publicUrl'>
type Profile = Record<string, unknown>

/** The plugin's discovery has no timeout of its own. */
const DISCOVERY_MS = 10_000
const PROVIDER_UNAVAILABLE = 'This provider does not respond at the moment; try again shortly, or sign in another way.'

/** Where errors of a redirect end: the sign-in page explains `?error=…`. */
export const errorUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}/sign-in`

/** Providers that better-auth knows. */
export function socialProviders({ signIn }: Settings) {
  const of = (id: 'google' | 'github') => {
    const found = signIn.providers.find((provider) => provider.issuer === null && provider.id === id)
    if (!found) return {}
    const { clientId, clientSecret } = found
    return {
      [id]: { clientId, clientSecret, mapProfileToUser: (profile: object) => shown(profile as Profile) },
    }
  }
  return { ...of('google'), ...of('github') }
}

const CALLBACK = '/callback/:id'
/** Paths that use a provider: the beginnings of a sign-in and of a link, which name it in the body, and their end. */
const usingPaths = ['/sign-in/social', '/link-social', CALLBACK]

/**
 * Providers with an issuer. Their endpoints and keys come from discovery at the first use, and at each later one until
 * it succeeds: better-auth's plugin discovers when the process starts, and would leave a provider out for good that is
 * down then.
 */
export function openIdProviders({ signIn }: Settings): BetterAuthPlugin {
  const plugins = new Map(
    signIn.providers.flatMap(({ id, name, issuer, clientId, clientSecret }) => {
      if (issuer === null) return []
      const provider = {
        providerId: id,
        name,
        clientId,
        clientSecret,
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        mapProfileToUser: (profile: Profile) => shown(profile),
      }
      return [[id, genericOAuth({ config: [provider] })] as const]
    }),
  )
  /** Discoveries under way, at most one a provider. */
  const discovering = new Map<string, Promise<void>>()
  const discover = async (id: string, context: AuthContext): Promise<void> => {
    // The plugin leaves a provider out that does not respond.
    const found = await plugins.get(id)?.init({ ...context, socialProviders: [] })
    context.socialProviders.push(...(found?.context.socialProviders ?? []))
  }
  return {
    id: 'openid-providers',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path !== undefined && usingPaths.includes(path),
          handler: createAuthMiddleware(async ({ path, body, params, context }) => {
            const id: string = params?.id ?? body?.provider
            const isKnown = () => context.socialProviders.some((each) => each.id === id)
            if (!plugins.has(id) || isKnown()) return
            const discovery = discovering.get(id) ?? discover(id, context).finally(() => discovering.delete(id))
            discovering.set(id, discovery)
            await Promise.race([discovery, sleep(DISCOVERY_MS, undefined, { ref: false })])
            // A callback ends at the sign-in page, with an error of better-auth's.
            if (!isKnown() && path !== CALLBACK)
              throw new AppError('UNAVAILABLE', PROVIDER_UNAVAILABLE, { retryAfterS: 10 })
          }),
        },
      ],
    },
  }
}

/** better-auth refuses a user without a name, and a provider may send none, or one of which nothing is visible. */
function shown({ name, login, preferred_username, email }: Profile): { name: string } {
  const texts = [name, preferred_username, login, `${email ?? ''}`.split('@', 1)[0]]
  const names = texts.map((text) => (typeof text === 'string' ? cleanName(text, text.length) : ''))
  return { name: names.find(Boolean) ?? 'New user' }
}

/** A row of `account` before it is written: nothing calls a provider in the user's name. */
export const withoutTokens = async () => ({
  data: {
    accessToken: null,
    refreshToken: null,
    idToken: null,
    accessTokenExpiresAt: null,
    refreshTokenExpiresAt: null,
  },
})

/**
 * Whether the user has just linked this identity with a session. better-auth links only an identity of the same address
 * that the provider has verified, so the user's address is verified too.
 */
export const isLinkedBy = async ({ userId, providerId }: { userId: string; providerId: string }): Promise<boolean> =>
  providerId !== 'credential' && (await getOAuthState().catch(() => null))?.link?.userId === userId
