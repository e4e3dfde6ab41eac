/**
 * The cast: characters, places and products with a name. A member is the assets of one name, as the API has them; a
 * prompt names it `@mara`. As references it is one input, which stands for its pictures in their order.
 */
import type { Schemas } from '@kinora/client'
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'

export type Asset = Schemas['Asset']
/** `assets`: in the order in which a film takes them; `picture`: the first of its pictures. */
export type Member = { name: string; assets: Asset[]; picture: Asset }

export const PICTURES_MAX = 9
const PAGE = { named: true, pageSize: 100 } as const
/** A cast of more is cut: its members could not be found on a shelf. */
const PAGES_MAX = 10

export const castQuery = queryOptions({
  queryKey: ['cast'],
  queryFn: async ({ signal }) => {
    const named: Asset[] = []
    let cursor: string | null = null
    for (let pages = 0; pages < PAGES_MAX && (pages === 0 || cursor !== null); pages += 1) {
      const query: typeof PAGE & { cursor?: string } = { ...PAGE, ...(cursor !== null && { cursor }) }
      const { assets, nextCursor } = await dataOf(kinora.GET('/api/v1/asset', { params: { query }, signal }))
      named.push(...assets)
      cursor = nextCursor
    }
    return named
  },
  select: membersOf,
  staleTime: 60_000,
})

/**
 * The one that has changed last is first. A name without a picture is none of the cast: nothing of it can be shown. Nor
 * is a subject's, which means nothing in films of the account.
 */
function membersOf(newestFirst: Asset[]): Member[] {
  const byName = Map.groupBy(
    newestFirst.filter(({ subject }) => subject === null),
    ({ name }) => name ?? '',
  )
  return [...byName].flatMap(([name, assets]) => {
    const inOrder = assets.toReversed()
    const picture = inOrder.find(({ kind }) => kind === 'image')
    return picture ? [{ name, assets: inOrder, picture }] : []
  })
}
