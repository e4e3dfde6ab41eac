/**
 * Authenticates requests by session token or API key. Look-ups of one tick of the event loop are one query, and what it
 * found is cached (TTL 30 s). A revocation takes effect in every process within a second all the same: revocations.ts
 * polls for them, and a cached credential counts only while the latest poll is younger than that. better-auth's
 * getSession takes two queries and updates (measured: 3,000 requests/s instead of 23,000), so only sign-in uses it.
 *
 * Invariant: memory that requests without a valid credential take is bounded in bytes. A credential longer than any
 * that is handed out is refused unread, the caches are keyed by SHA-256, and unknown credentials have a cache of their
 * own. Only headers that authenticated are also kept as they came (`recent`), for a few seconds.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { App } from '../../app.ts'
import { isDatabaseUnavailable } from '../../db/outage.ts'
import { AppError } from '../../errors.ts'
import { isTestOwner, isUuid, keyOwnerOf, testOwnerOf } from '../../id.ts'
import { TEST_KEY_PREFIX } from '../auth.ts'
import type { Impersonation } from '../impersonation.ts'
import { findToken, readToken, type TokenOfKey } from '../key/browser-token.ts'
import { isScope, requireScope, SCOPES, SCOPES_OF_ROLE, type Scope } from '../key/scope.ts'
import { findGrant } from '../oauth.ts'
import { hashSessionToken, lastUsedEveryS } from '../sessions.ts'
import { factorMissing, findMembership, type Membership } from '../team/membership.ts'
import type { Role } from '../team/role.ts'
import { openLastAdministrators } from './last-administrators.ts'
import { openListeners } from './listeners.ts'
import { type Credential, type Presented, readCredential, refusalOf } from './presented.ts'
import { openRecentHeaders } from './recent-headers.ts'
import { openRevocations } from './revocations.ts'

/**
 * `userId`: the owner of the films and credits that the request is about, a user or a team, or with a test key the
 * account beside it (testOwnerOf). `actorId`: the user who has
 * authenticated, or the team of a team's API key. `team`: the role in which the request acts for a team, whether by a
 * session, and the scopes of the credential itself; null: it acts for the user.
 *
 * `key`: the API key of the request; null with a session. `token`: the browser token that it gave, which reaches what
 * its subject made. With an OAuth token `key` is the consent, whose `audience` is the one API at which the token
 * counts, and `memberId` the member who connected the program to a team, whose budget counts as well. `isSuspended`: of
 * a team's key; `lacksFactor`: of a program, whose member lacks the factor that the team requires. Both authenticate
 * and may do nothing. A member is a key of the team (`isMember`), with the user's id.
 *
 * `maxRequests`: in a minute, where an administrator has limited the actor or the team.
 *
 * `hasSecondFactor`: of the user, as far as it is known (`hasSecondFactor` in set-calls.ts). `impersonation`: an
 * administrator acts for the user, without an administrator's rights.
 */
export type Caller = {
  userId: string
  actorId: string
  isAdmin: boolean
  hasSecondFactor?: boolean
  maxRequests?: number
  impersonation?: Impersonation
  team: { role: Role; isSession: boolean; scopes: readonly Scope[] } | null
  key: {
    id: string
    scopes: readonly Scope[]
    audience?: 'mcp'
    memberId?: string
    token?: TokenOfKey
    isMember?: true
    isSuspended?: true
    lacksFactor?: true
  } | null
}
/** Who acts for an owner: the user, the member, or the API key of a team. */
export const actingId = ({ actorId, key }: Pick<Caller, 'actorId' | 'key'>): string => key?.id ?? actorId

export type Credentials = {
  /** @returns the authenticated user, at once when the credential is cached; null without a valid credential */
  authenticate: (request: Presented) => Caller | null | Promise<Caller | null>
  /**
   * The caller as a member of the team that the header X-Team names; without it, the caller. At once when cached.
   * @throws AppError NOT_FOUND for a team of which the caller is no member, FORBIDDEN for one that is locked, for a key
   * with a budget of the user's, for one that is suspended, and without a second factor that the team requires
   */
  actFor: (caller: Caller, headers: Presented['headers']) => Caller | Promise<Caller>
  /**
   * The administrator whose credential this was when the database answered last, for what was read before it went: a
   * revocation since then reaches no process. @returns null for every other credential
   */
  lastAdministrator: (request: Presented) => Caller | null
  /** Authenticates a request again. @returns null without a valid credential, or when it no longer acts for the team */
  recheck: (request: Presented) => Promise<Caller | null>
  /** Calls `listener` when a credential of the user may have been revoked. @returns the function that unsubscribes */
  onRevoked: (userId: string, listener: () => void) => () => void
  close: () => void
}

const TTL_MS = 30_000
/** A purge walks over both caches: 4 ms with 3,000 credentials. */
const PURGE_EVERY_MS = 5_000
/** Age of the latest revocation poll up to which a cached credential counts, or a look-up answers another request. */
const CONFIRMED_MAX_MS = 800
/** Upper estimate: a digest of 64 characters, a user id, the objects and the LRU's arrays are about 400 bytes. */
const ENTRY_BYTES = 512
const KNOWN_BYTES_MAX = 16 * 1024 ** 2
const UNKNOWN_BYTES_MAX = 4 * 1024 ** 2

/** An API key's time of last use is written at most this often: it would otherwise be a write for every look-up. */
const KEY_USED_EVERY_S = 60

type Known = { caller: Caller; expiresMs: number; lookedUpMs: number; isDropped: boolean }

/** Caches the members of teams by team, user and API key: a member's entry is dropped with the user's credentials. */
const MEMBERS_BYTES_MAX = 8 * 1024 ** 2

type Member = { membership: Membership; userId: string; expiresMs: number; lookedUpMs: number }

export function openCredentials(app: App): Credentials {
  const { known, unknown, members, recent, purge, drop } = openCaches()
  const administrators = openLastAdministrators<Caller>(app)
  /** Single-flight: the look-ups under way, so that a burst with one new credential runs one query. */
  const underWay = new Map<string, { lookedUpMs: number; found: Promise<Caller | null> }>()
  const listeners = openListeners()
  /** Counts the polls that found revocations. A look-up during such a poll may be older, and is not cached. */
  let revocationCount = 0

  const revocations = openRevocations(app, {
    isNeeded: () => {
      purge()
      return known.size > 0 || unknown.size > 0 || members.size > 0 || listeners.size() > 0
    },
    onRevoked: (userIds) => {
      revocationCount += 1
      const isRevoked = (userId: string) => userIds === 'all' || userIds.has(userId)
      drop(isRevoked)
      // A first poll tells of no user, and these see no more than they have read.
      if (userIds !== 'all') administrators.drop(userIds)
      // Whose they are is not known yet, and a stream that opens now is not told of this revocation.
      underWay.clear()
      listeners.notify(isRevoked)
    },
  })

  const lookUp = async (key: string, credential: Credential, ip: string): Promise<Caller | null> => {
    revocations.start()
    const lookedUpMs = performance.now()
    const countBefore = revocationCount
    const found = await findCredential(app, credential, ip)
    administrators.note(key, found)
    if (!found) unknown.set(key, { lookedUpMs })
    else if (revocationCount === countBefore) known.set(key, { ...found, lookedUpMs, isDropped: false })
    return found?.caller ?? null
  }

  const isValid = (entry: Pick<Known, 'expiresMs' | 'lookedUpMs'>): boolean =>
    isConfirmed(entry, revocations.seenUntilMs(), app.now())

  const actFor = openMembers(app, members, {
    isValid,
    start: revocations.start,
    revocationCount: () => revocationCount,
  })

  const authenticate: Credentials['authenticate'] = (request) => {
    const again = recent.get(request.headers)
    if (again && isValid(again)) return again.caller
    const credential = readCredential(request.headers, app.config)
    if (!credential) return null
    const key = credential.kind + credential.hash
    const cached = known.get(key)
    if (cached && isValid(cached)) {
      recent.add(request.headers, cached)
      return cached.caller
    }
    if (cached) known.delete(key)
    const denied = unknown.get(key)
    if (denied && isRecent(denied)) return null
    const pending = underWay.get(key)
    if (pending && isRecent(pending)) return pending.found
    const lookedUpMs = performance.now()
    const found = lookUp(key, credential, request.ip).finally(() => underWay.delete(key))
    underWay.set(key, { lookedUpMs, found })
    return found
  }

  return {
    authenticate,
    actFor,
    lastAdministrator: administrators.find,
    recheck: (request) => recheckBy(authenticate, actFor, request),
    onRevoked: (userId, listener) => {
      revocations.start()
      return listeners.add(userId, listener)
    },
    close: revocations.close,
  }
}

async function recheckBy(
  authenticate: Credentials['authenticate'],
  actFor: Credentials['actFor'],
  request: Presented,
): Promise<Caller | null> {
  const caller = await authenticate(request)
  try {
    return caller && (await actFor(caller, request.headers))
  } catch (error) {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')) return null
    throw error
  }
}

const isRecent = ({ lookedUpMs }: { lookedUpMs: number }): boolean => performance.now() - lookedUpMs < CONFIRMED_MAX_MS

/** Whether the latest poll of revocations is recent enough for the entry, and the credential has not expired. */
const isConfirmed = (
  { expiresMs, lookedUpMs }: Pick<Known, 'expiresMs' | 'lookedUpMs'>,
  seenUntilMs: number,
  now: Date,
): boolean => performance.now() - Math.max(lookedUpMs, seenUntilMs) < CONFIRMED_MAX_MS && expiresMs > now.getTime()

export const notMember = () => new AppError('NOT_FOUND', 'There is no such team, or you are not a member of it.')

/** The error for a suspended API key of a team, and for its browser tokens. */
const keySuspended = () =>
  new AppError(
    'FORBIDDEN',
    'This API key is suspended, because an administrator has locked or deleted the account of the member who made it. An owner of the team can take it over.',
    { details: { reason: 'key_suspended' } },
  )

/** What a program may do is what its user consented to: one account, or one team. */
const connectedElsewhere = () =>
  new AppError(
    'FORBIDDEN',
    'This program is not connected to that team: leave the header X-Team out, or connect it again and choose the team.',
  )

type Members = ReturnType<typeof openCaches>['members']
type Revoking = { isValid: (entry: Member) => boolean; start: () => void; revocationCount: () => number }

function openMembers(app: App, members: Members, { isValid, start, revocationCount }: Revoking): Credentials['actFor'] {
  const lookUp = async (cacheKey: string, caller: Caller, teamId: string): Promise<Caller> => {
    start()
    const lookedUpMs = performance.now()
    const countBefore = revocationCount()
    const { actorId: userId, key } = caller
    const membership = await findMembership(app, { teamId, userId, keyId: key?.id ?? null })
    if (!membership) throw notMember()
    if (revocationCount() === countBefore) {
      members.set(cacheKey, { membership, userId, expiresMs: Number.POSITIVE_INFINITY, lookedUpMs })
    }
    return asMember(caller, teamId, membership)
  }
  return (caller, { 'x-team': sent }) => {
    if (caller.key?.isSuspended) throw keySuspended()
    if (caller.key?.lacksFactor) throw memberFactorMissing()
    if (sent === undefined) return caller
    const teamId = String(sent).toLowerCase()
    if (caller.team && keyOwnerOf(caller.userId) === teamId) return caller
    if (caller.key?.audience) throw connectedElsewhere()
    if (caller.team || !isUuid(teamId)) throw notMember()
    const cacheKey = `${teamId} ${caller.actorId} ${caller.key?.id ?? ''}`
    const cached = members.get(cacheKey)
    if (cached && isValid(cached)) return asMember(caller, teamId, cached.membership)
    return lookUp(cacheKey, caller, teamId)
  }
}

/** The error for a member without a second factor, and for what acts for the member, of a team that requires one. */
const memberFactorMissing = () => factorMissing('This team requires a second factor of its members')

/** @throws AppError FORBIDDEN: a locked team, a missing second factor, a key with a budget of the user's credits */
export function asMember(
  caller: Caller,
  teamId: string,
  { role, hasBudget, isLocked, requiresFactor, maxRequests }: Membership,
): Caller {
  const { key, actorId } = caller
  if (isLocked) throw new AppError('FORBIDDEN', 'This team is locked. Ask those who run this service why.')
  if (requiresFactor && !caller.hasSecondFactor) throw memberFactorMissing()
  if (hasBudget || key?.token) {
    throw new AppError(
      'FORBIDDEN',
      'This credential has a budget of your own credits, so it does not act for a team; use an API key of the team.',
    )
  }
  const { scopes = SCOPES } = key ?? {}
  return {
    ...caller,
    ...(maxRequests !== null && { maxRequests: Math.min(maxRequests, caller.maxRequests ?? maxRequests) }),
    userId: isTestOwner(caller.userId) ? testOwnerOf(teamId) : teamId,
    actorId,
    isAdmin: false,
    team: { role, isSession: key === null, scopes },
    key: {
      id: actorId,
      scopes: SCOPES_OF_ROLE[role].filter((scope) => scopes.includes(scope)),
      isMember: true,
    },
  }
}

function openCaches() {
  const known = new LRUCache<string, Known>({
    maxSize: KNOWN_BYTES_MAX,
    sizeCalculation: () => ENTRY_BYTES,
    ttl: TTL_MS,
    dispose: (entry) => {
      entry.isDropped = true
    },
  })
  const unknown = new LRUCache<string, { lookedUpMs: number }>({
    maxSize: UNKNOWN_BYTES_MAX,
    sizeCalculation: () => ENTRY_BYTES,
    ttl: CONFIRMED_MAX_MS,
  })
  const members = new LRUCache<string, Member>({
    maxSize: MEMBERS_BYTES_MAX,
    sizeCalculation: () => ENTRY_BYTES,
    ttl: TTL_MS,
  })
  const recent = openRecentHeaders<Known>(TTL_MS)
  let nextPurgeMs = 0
  /** Removes what has expired. Reading does not, and an idle process would keep it. */
  const purge = () => {
    const nowMs = performance.now()
    if (nowMs < nextPurgeMs) return
    nextPurgeMs = nowMs + PURGE_EVERY_MS
    known.purgeStale()
    unknown.purgeStale()
    members.purgeStale()
    recent.age()
  }
  const drop = (isRevoked: (userId: string) => boolean) => {
    const revoked = [...known.entries()].filter(
      ([, { caller }]) => isRevoked(caller.userId) || isRevoked(caller.actorId),
    )
    for (const [key] of revoked) known.delete(key)
    for (const [key, { userId }] of [...members.entries()]) if (isRevoked(userId)) members.delete(key)
  }
  return { known, unknown, members, recent, purge, drop }
}

/** @param headers of the request. @throws AppError UNAUTHENTICATED that says what was wrong with its credential */
export function signedIn(caller: Caller | null, headers: Presented['headers'] = {}): Caller {
  if (caller) return caller
  throw new AppError('UNAUTHENTICATED', refusalOf(headers))
}

/**
 * Checks that the credential of a long request still authenticates it, with the scopes that it had.
 * @param found what it authenticates now. @throws AppError UNAUTHENTICATED, INSUFFICIENT_SCOPE
 */
export function requireUnchanged({ userId, key }: Caller, found: Caller | null): void {
  const isSame = found?.userId === userId && found.key?.id === key?.id && found.key?.token?.id === key?.token?.id
  if (!found || !isSame)
    throw new AppError('UNAUTHENTICATED', 'The session or API key of this request has ended meanwhile.')
  for (const scope of key?.scopes ?? []) requireScope(found, scope)
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export function administrator(caller: Caller | null, headers: Presented['headers']): Caller {
  const found = signedIn(caller, headers)
  if (found.isAdmin) return found
  throw new AppError('FORBIDDEN', 'Only an administrator may do this.')
}

/** ADMIN_SECOND_FACTOR=required. @throws AppError FORBIDDEN for an administrator without a second factor */
export function requireFactorOfAdmin({ config }: Pick<App, 'config'>, caller: Caller | null): void {
  if (!config.signIn.needsAdminFactor || !caller?.isAdmin || caller.hasSecondFactor) return
  throw factorMissing('This service gives an administrator’s rights to a sign-in with a second factor')
}

/** Look-ups are combined fairly by address, so that a flood of wrong credentials from one does not delay the others. */
async function findCredential(
  app: App,
  { kind, value }: Credential,
  ip: string,
): Promise<Omit<Known, 'lookedUpMs' | 'isDropped'> | null> {
  if (kind === 'oauth') return findOauthToken(app, value)
  if (kind === 'token') return findBrowserToken(app, value)
  const { sql, calls, config, now } = app
  const at = now()
  const token = hashSessionToken(value)
  const keyHash = hash('sha256', value, 'base64url')
  const row = await calls.credential.add(
    ip,
    kind === 'key'
      ? { key_hash: keyHash, stale_before: before(at, KEY_USED_EVERY_S) }
      : { token, ...idleLimits(at, config.sessionIdleS) },
    at,
  )
  if (row.userId === null || !isUuid(row.userId)) return null
  // A key is not valid before its limits are stored.
  if (row.keyId !== null && row.scopes === null) return null
  if (row.isStale) {
    const written =
      kind === 'key'
        ? sql`update public.apikey set "lastRequest" = ${at} where key = ${keyHash}`
        : sql`update public.session set "updatedAt" = ${at} where token = ${token}`
    // A database without room for it still answers reads.
    await written.catch((error: { code?: string }) => {
      if (!isDatabaseUnavailable(error)) throw error
    })
  }
  const { userId, isTeam, impersonatedBy } = row
  const isAdmin = impersonatedBy === null && (row.role ?? '').split(',').includes('admin')
  // A scope that this release does not know permits nothing.
  const key =
    row.keyId === null ? null : { id: row.keyId, scopes: row.scopes?.filter(isScope) ?? [], ...suspended(row) }
  return {
    // What the scopes of a team's key do not limit, an admin of the team may do.
    caller: {
      userId: row.keyPrefix === TEST_KEY_PREFIX ? testOwnerOf(userId) : userId,
      actorId: userId,
      isAdmin,
      hasSecondFactor: row.hasSecondFactor ?? false,
      ...(row.maxRequests !== null && { maxRequests: row.maxRequests }),
      ...(impersonatedBy && { impersonation: { actorId: impersonatedBy, reason: row.impersonationReason } }),
      team: isTeam ? { role: 'admin', isSession: false, scopes: key?.scopes ?? [] } : null,
      key,
    },
    expiresMs: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}

async function findOauthToken(app: App, token: string): Promise<Omit<Known, 'lookedUpMs' | 'isDropped'> | null> {
  const grant = await findGrant(app, token)
  if (!grant) return null
  const { userId, ownerId, role, consentId: id, scopes, expiresAt, lacksFactor } = grant
  const permitted = role === null ? scopes : scopes.filter((scope) => SCOPES_OF_ROLE[role].includes(scope))
  return {
    caller: {
      userId: ownerId,
      actorId: userId,
      ...(await ownRate(app, [ownerId, userId])),
      isAdmin: false,
      team: role && { role, isSession: false, scopes },
      key: {
        id,
        scopes: permitted,
        audience: 'mcp',
        ...(role && { memberId: userId }),
        ...(lacksFactor && { lacksFactor: true as const }),
      },
    },
    expiresMs: expiresAt.getTime(),
  }
}

async function findBrowserToken(app: App, text: string): Promise<Omit<Known, 'lookedUpMs' | 'isDropped'> | null> {
  const ids = readToken(app.config, text)
  const token = ids && (await findToken(app, ids))
  if (!token) return null
  const { keyId, subject, expiresAt, isTeam } = token
  const key = { id: keyId, scopes: token.scopes.filter(isScope), token: { id: ids.id, subject }, ...suspended(token) }
  const { userId } = ids
  const team = isTeam ? { role: 'admin' as const, isSession: false, scopes: key.scopes } : null
  const actorId = keyOwnerOf(userId)
  const caller = { userId, actorId, ...(await ownRate(app, [actorId])), isAdmin: false, team, key }
  return { caller, expiresMs: expiresAt.getTime() }
}

/** The smallest rate of these owners. */
async function ownRate({ sql }: App, ids: string[]): Promise<Pick<Caller, 'maxRequests'>> {
  const [own] = await sql<{ maxRequests: number | null }[]>`
    select min(max_requests) as max_requests from kinora.api_key where id = user_id and user_id = any(${ids}::uuid[])
  `
  return own?.maxRequests ? { maxRequests: own.maxRequests } : {}
}

const suspended = ({ isSuspended }: { isSuspended: boolean }) => (isSuspended ? { isSuspended: true as const } : {})

/** The limits of a session's last use, which is neither read nor written without an idle timeout. */
const idleLimits = (at: Date, idleS: number | null) =>
  idleS === null ? {} : { used_since: before(at, idleS), stale_before: before(at, lastUsedEveryS(idleS)) }

const before = (at: Date, seconds: number): Date => new Date(at.getTime() - seconds * 1000)
