/**
 * OAuth 2.1 for programs that use `/mcp` and take no API key, by better-auth's plugin: authorization code with PKCE,
 * registration of clients, refresh tokens. Invariants: a token is opaque and stored as a SHA-256, counts at `/mcp`
 * alone, and permits what its user has consented to, for one owner, the user or a team; it counts only while the
 * consent exists, so to delete the consent is to revoke every token of it. In a team the consent ends with the role of
 * the member who gave it (triggers of 0001_schema.sql).
 */
import { hash, randomBytes } from 'node:crypto'
import { oauthProvider } from '@better-auth/oauth-provider'
import type { BetterAuthPlugin } from 'better-auth'
import type { App } from '../app.ts'
import type { Config } from '../config/config.ts'
import { isBanned } from '../db/banned.ts'
import { hasSecondFactor } from '../db/set-calls.ts'
import { isUuid } from '../id.ts'
import { isScope, type Scope } from './key/scope.ts'
import type { Role } from './team/role.ts'

/** What a program may ask for. No tool needs `account`. */
export const OAUTH_SCOPES = ['read', 'generate'] as const
/** A refresh token. Not in the metadata: every client that has registered the grant gets one (MCP). */
export const OFFLINE_ACCESS = 'offline_access'
/** No API key and no session token begins so. */
export const ACCESS_TOKEN_PREFIX = 'kinora_at_'
const REFRESH_TOKEN_PREFIX = 'kinora_rt_'

export const CONSENT_PAGE = '/oauth/consent'
export const APPS_PAGE = '/oauth/apps'
/** A route of the studio: signs the user in, and comes back to the authorization with the same parameters. */
export const CONNECT_PAGE = '/connect'

const HOUR_S = 3600
const ACCESS_TOKEN_S = HOUR_S
const REFRESH_TOKEN_S = 30 * 24 * HOUR_S
/** A program that has not received the response of a refresh repeats it. */
const REFRESH_REPEAT_S = 30
/** Clients without a user: registration needs no credential. */
const UNUSED_CLIENTS_MAX = 1_000

/** The protected resource (RFC 8707). */
export const resourceOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}/mcp`
export const issuerOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}/api/auth`

const hashOauthToken = (token: string): string => hash('sha256', token, 'base64url')
const newToken = (): string => randomBytes(32).toString('base64url')

export function oauthServer({ config }: App): BetterAuthPlugin {
  // Left out: `init`, which would write to the database when the process starts and end tokens with the session in
  // which they were granted; and `onRequest`, which serves addresses outside /api/auth. http/sign-in/oauth.ts has
  // those.
  const {
    init: _init,
    onRequest: _onRequest,
    ...plugin
  } = oauthProvider({
    loginPage: CONNECT_PAGE,
    consentPage: CONSENT_PAGE,
    scopes: [...OAUTH_SCOPES, OFFLINE_ACCESS],
    resources: [resourceOf(config)],
    enforcePerClientResources: false,
    // Opaque tokens: a signed one would count until it expires, also after its revocation.
    disableJwtPlugin: true,
    grantTypes: ['authorization_code', 'refresh_token'],
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    accessTokenExpiresIn: ACCESS_TOKEN_S,
    refreshTokenExpiresIn: REFRESH_TOKEN_S,
    refreshTokenReuseInterval: REFRESH_REPEAT_S,
    prefix: { opaqueAccessToken: ACCESS_TOKEN_PREFIX, refreshToken: REFRESH_TOKEN_PREFIX },
    generateOpaqueAccessToken: newToken,
    generateRefreshToken: newToken,
    storeTokens: { hash: async (token) => hashOauthToken(token) },
  })
  // The endpoints that are served, of some thirty; the others manage clients and resources.
  const { oauth2Authorize, oauth2Consent, oauth2Token, oauth2Revoke, registerOAuthClient } = plugin.endpoints
  const endpoints = { oauth2Authorize, oauth2Consent, oauth2Token, oauth2Revoke, registerOAuthClient }
  // Cast: the plugin's descriptions for OpenAPI have optional properties that are undefined, which better-auth's type
  // has not.
  return { ...plugin, endpoints } as unknown as BetterAuthPlugin
}

/** Removes the oldest clients that no user has connected, so that registrations take bounded space. */
export async function boundClients({ sql }: App): Promise<void> {
  await sql`
    delete from public."oauthClient"
    where id = any(array(
      select c.id
      from public."oauthClient" c
      where not exists (select from public."oauthConsent" k where k."clientId" = c."clientId")
      order by c."createdAt" desc, c.id desc
      offset ${UNUSED_CLIENTS_MAX - 1}
    ))
  `
}

/** The name by which a client has registered itself; null when there is no such client. */
export async function clientName({ sql }: App, clientId: string): Promise<string | null> {
  const [row] = await sql<{ name: string | null }[]>`
    select name from public."oauthClient" where "clientId" = ${clientId}
  `
  return row ? (row.name ?? '') : null
}

/**
 * What comes before an authorization of the user. Removes a consent that was not finished, which the library would take
 * for one.
 * @returns whether the client has registered the grant `refresh_token`
 */
export async function beginAuthorization({ sql }: App, userId: string, clientId: string): Promise<boolean> {
  await sql`delete from public."oauthConsent" where "clientId" = ${clientId} and "userId" = ${userId} and "ownerId" is null`
  const [row] = await sql<{ refreshes: boolean }[]>`
    select "grantTypes" ? 'refresh_token' as refreshes from public."oauthClient" where "clientId" = ${clientId}
  `
  return row?.refreshes ?? false
}

/**
 * `role`: the user's in the team that is the owner; null: the user is the owner. `lacksFactor`: the team requires a
 * second factor, which the user lacks.
 */
export type OauthGrant = {
  userId: string
  ownerId: string
  role: Role | null
  consentId: string
  scopes: Scope[]
  expiresAt: Date
  lacksFactor: boolean
}

/** What an access token permits; null when it does not count. */
export async function findGrant({ sql, config, now }: App, token: string): Promise<OauthGrant | null> {
  const at = now()
  const [row] = await sql<(Omit<OauthGrant, 'scopes'> & { scopes: string[] })[]>`
    select u.id as user_id, k."ownerId" as owner_id, m.role, k.id as consent_id, t.scopes, t."expiresAt" as expires_at,
           coalesce(o.requires_factor, false) and not ${hasSecondFactor(sql)} as lacks_factor
    from public."oauthAccessToken" t
    join public."oauthConsent" k on k."clientId" = t."clientId" and k."userId" = t."userId" and k.scopes @> t.scopes
    join public."user" u on u.id = t."userId"
    left join kinora.team_member m on m.team_id = k."ownerId" and m.user_id::text = k."userId"
    left join kinora.team o on o.id = k."ownerId"
    where t.token = ${hashOauthToken(token.slice(ACCESS_TOKEN_PREFIX.length))} and t.revoked is null and t."expiresAt" > ${at}
      and t.resources ? ${resourceOf(config)}
      and not ${isBanned(sql, at)}
      and (k."ownerId"::text = k."userId" or m.role is not null and o.locked_at is null)
  `
  if (!row || !isUuid(row.userId) || !isUuid(row.consentId)) return null
  return { ...row, scopes: row.scopes.filter(isScope) }
}
