/** Scopes of API keys. A session has all of them. */
import { AppError } from '../../errors.ts'
import { isTestOwner } from '../../id.ts'
import { type Role, type RoleNeeded, requireRole } from '../team/role.ts'

/**
 * `read`: reads films, models, events and credits. `generate`: makes, cancels, deletes and shares films, uploads start
 * images. `account`: all the rest, such as webhooks, payments, the account itself and what administrators may do.
 */
export const SCOPES = ['read', 'generate', 'account'] as const
export type Scope = (typeof SCOPES)[number]

/** What the members of a team may do; the rest is up to the role that an operation needs. */
export const SCOPES_OF_ROLE: Record<Role, readonly Scope[]> = {
  viewer: ['read'],
  maker: ['read', 'generate'],
  admin: SCOPES,
  owner: SCOPES,
}

/**
 * The role that an operation needs of a member, unless it states one. Default deny: an operation that a later change
 * forgets is for users alone.
 */
export const roleNeeded = (scope: Scope | 'any'): RoleNeeded =>
  scope === 'read' ? 'viewer' : scope === 'generate' ? 'maker' : 'none'

type Scoped = { scopes: readonly Scope[]; isMember?: true; token?: object }

const TOKEN_MESSAGE =
  'This token of a page reads films and makes none: it needs a budget and a key with the scope generate. Get another one from the site that gave it.'

/** @throws AppError INSUFFICIENT_SCOPE, FORBIDDEN for a member whose role does not have it */
export function requireScope(
  { key, team = null }: { key: Scoped | null; team?: { role: Role } | null },
  scope: Scope,
): void {
  if (!key || key.scopes.includes(scope)) return
  if (key.token && scope === 'generate') throw new AppError('INSUFFICIENT_SCOPE', TOKEN_MESSAGE, detailsOf(key, scope))
  // The role of a member decides before the scopes of the member's own key do.
  if (key.isMember && team) requireRole(team.role, scope === 'account' ? 'admin' : roleNeeded(scope))
  throw new AppError(
    'INSUFFICIENT_SCOPE',
    `This needs an API key with the scope ${scope}; this one has ${key.scopes.join(' and ')}. Create one that has it.`,
    detailsOf(key, scope),
  )
}

const detailsOf = ({ scopes }: Scoped, scope: Scope) => ({ details: { scope, scopes: [...scopes] } })

/** Refuses what is not about the films of a token's subject. @throws AppError FORBIDDEN */
export function refuseToken({ key }: { key: { token?: object } | null }): void {
  if (!key?.token) return
  throw new AppError('FORBIDDEN', 'The token of a page may not do this: it makes and reads films of its own alone.')
}

/** Refuses what costs the operator or tells others: payments, teams, the writer, Explore. @throws AppError FORBIDDEN */
export function refuseTestKey({ userId }: { userId: string }): void {
  if (!isTestOwner(userId)) return
  throw new AppError(
    'FORBIDDEN',
    'A test key makes, reads and shares films, keeps assets and manages webhooks of its own; this needs a key that is no test key.',
    { details: { reason: 'test_key' } },
  )
}

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
