/** At most 100 API keys a user. */
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type { App } from '../app.ts'

export const API_KEYS_MAX = 100

export function apiKeyLimit({ sql }: App) {
  const matcher = ({ path }: { path?: string }) => path === '/api-key/create'
  const countKeys = async (userId: string): Promise<number> => {
    const [row] = await sql<{ keys: number }[]>`
      select count(*) as keys from public.apikey where "referenceId" = ${userId}
    `
    return row?.keys ?? 0
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
          // Keys that were created at the same time: each sees all of them here, and the one that is too many goes again.
          handler: createAuthMiddleware(async ({ context }) => {
            const { id, referenceId } = (context.returned ?? {}) as { id?: string; referenceId?: string }
            if (!id || !referenceId || (await countKeys(referenceId)) <= API_KEYS_MAX) return
            await sql`delete from public.apikey where id = ${id}`
            throw tooManyKeys()
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin
}

const tooManyKeys = () => new APIError('BAD_REQUEST', { code: 'TOO_MANY_KEYS' })
