/** Limits a user, or a team, to 100 API keys. */
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type { App } from '../../app.ts'

export const API_KEYS_MAX = 100

export function apiKeyLimit({ sql }: App) {
  const matcher = ({ path }: { path?: string }) => path === '/api-key/create'
  const countKeys = async (userId: string): Promise<number> => {
    const [row] = await sql<{ keys: number }[]>`
      select count(*) as keys from public.apikey where "referenceId" = ${userId}
    `
    return row?.keys ?? 0
  }
  /**
   * Deletes the key when its user has too many. One request at a time: the lock waits for the others, and leaves out
   * the keys that they have deleted meanwhile. The rank of a key by its time would not do: a key may become visible
   * after a younger one was kept.
   * @returns whether it was deleted
   */
  const deleteSurplus = async (userId: string, id: string): Promise<boolean> => {
    const { count } = await sql`
      with locked as (
        select id from public.apikey where "referenceId" = ${userId} order by id for update
      )
      delete from public.apikey where id = ${id} and (select count(*) from locked) > ${API_KEYS_MAX}
    `
    return count > 0
  }
  return {
    id: 'api-key-limit',
    hooks: {
      before: [
        {
          matcher,
          handler: createAuthMiddleware(async (context) => {
            const session = await getSessionFromCtx(context)
            if (session && (await countKeys(session.user.id)) >= API_KEYS_MAX) throw tooManyKeys()
          }),
        },
      ],
      after: [
        {
          matcher,
          // The keys that are too many go again, of those that were created at the same time.
          handler: createAuthMiddleware(async ({ context }) => {
            const { id, referenceId } = (context.returned ?? {}) as { id?: string; referenceId?: string }
            if (!id || !referenceId || (await countKeys(referenceId)) <= API_KEYS_MAX) return
            if (await deleteSurplus(referenceId, id)) throw tooManyKeys()
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

const TOO_MANY_KEYS = 'TOO_MANY_KEYS'
const tooManyKeys = () => new APIError('BAD_REQUEST', { code: TOO_MANY_KEYS })
/** Whether creating a key has failed because of this limit. */
export const isTooManyKeys = (error: unknown): boolean =>
  error instanceof APIError && error.body?.code === TOO_MANY_KEYS
