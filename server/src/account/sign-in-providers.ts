/**
 * Sign-in with Google, GitHub and OpenID Connect providers. Authorization code with PKCE, state and nonce; an ID token counts with
 * a valid signature only. Invariants: an identity joins an account that exists only when both have verified the same address, or
 * when the user links it with a session; tokens of providers are not stored.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { getOAuthState } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins'
import type { Config } from '../config.ts'

type Settings = Pick<Config, 'signIn' | 'publicUrl'>
type Profile = Record<string, unknown>

/** Where errors of a redirect end: the sign-in page explains `?error=…`. */
export const errorUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}/sign-in`

/** Providers that better-auth knows. */
export function socialProviders({ signIn }: Settings, nameMax: number) {
  const of = (id: 'google' | 'github') => {
    const found = signIn.providers.find((provider) => provider.issuer === null && provider.id === id)
    if (!found) return {}
    const { clientId, clientSecret } = found
    return {
      [id]: { clientId, clientSecret, mapProfileToUser: (profile: object) => shown(profile as Profile, nameMax) },
    }
  }
  return { ...of('google'), ...of('github') }
}

/** Providers with an issuer; their endpoints and keys come from discovery, at the start of the process. */
export function openIdProviders({ signIn }: Settings, nameMax: number): BetterAuthPlugin[] {
  const config = signIn.providers.flatMap(({ id, name, issuer, clientId, clientSecret }) =>
    issuer === null
      ? []
      : {
          providerId: id,
          name,
          clientId,
          clientSecret,
          discoveryUrl: `${issuer}/.well-known/openid-configuration`,
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
          requireIdTokenVerification: true,
          mapProfileToUser: (profile: Profile) => shown(profile, nameMax),
        },
  )
  return config.length > 0 ? [genericOAuth({ config })] : []
}

/** better-auth refuses a user without a name, and a provider may send none, or a long one. */
function shown({ name, login, preferred_username, email }: Profile, nameMax: number): { name: string } {
  const texts = [name, preferred_username, login, `${email ?? ''}`.split('@', 1)[0]]
  const first = texts.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? 'New user'
  return { name: first.replaceAll('\0', '').trim().slice(0, nameMax) }
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
 * Whether the user has just linked this identity with a session. better-auth links only an identity of the same address that the
 * provider has verified, so the user's address is verified too.
 */
export const isLinkedBy = async ({ userId, providerId }: { userId: string; providerId: string }): Promise<boolean> =>
  providerId !== 'credential' && (await getOAuthState().catch(() => null))?.link?.userId === userId
