/** Roles of the members of a team; key/scope.ts has what each may do. */
import { AppError } from '../../errors.ts'

/**
 * `viewer`: reads. `maker`: makes films too, and changes own ones. `admin`: changes the films of all, and manages
 * members, keys and webhooks. `owner`: manages owners too, and deletes the team.
 */
export const ROLES = ['viewer', 'maker', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** The role that an operation needs; `none`: it is about the user, and no team. */
export type RoleNeeded = Role | 'none'

/** @throws AppError FORBIDDEN */
export function requireRole(role: Role, needed: RoleNeeded): void {
  if (needed === 'none') throw aboutTheUser()
  if (ROLES.indexOf(role) >= ROLES.indexOf(needed)) return
  throw new AppError('FORBIDDEN', `This needs the role ${needed} in the team, and yours is ${role}.`, {
    details: { needed, role },
  })
}

/** The error for a request with X-Team to an operation that is about the user alone. */
export const aboutTheUser = () =>
  new AppError('FORBIDDEN', 'This is about your own account: send the request without the header X-Team.')
