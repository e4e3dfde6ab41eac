/** Fixture: the lists of a user's credits. */
import type { Kinora, Person } from './harness.ts'
import { eachOf, type List, type Row } from './list.ts'
import type { Random } from './random.ts'

/** Some expire at the same time. */
export function listOfPackages(kinora: Kinora, { of }: Random, holder: Person): List {
  const existing = async () => [
    ...(await kinora.app.sql<Row[]>`
      select id, concat_ws(' ', expires_at, created_at, id) as key from kinora.credit_package
      where user_id = ${holder.userId}
    `),
  ]
  return {
    ...{ operation: 'listPackages', path: '/api/v1/credit/packages', as: holder, rows: 'packages', id: 'id' },
    ...{ isAscending: true, filters: {}, existing },
    make: async () => {
      const before = new Set((await existing()).map(({ id }) => id))
      await kinora.grant(holder, 1, of([10, 20, 30]))
      return (await existing()).filter(({ id }) => !before.has(id))
    },
  }
}

export function historyOf(kinora: Kinora, { below }: Random, holder: Person): Omit<List, 'operation' | 'path'> {
  // Movements of credits, which nothing removes.
  const movements = async () => {
    const rows = await kinora.app.sql<{ n: number; transType: string }[]>`
      select n, trans_type from kinora.credit_transaction where user_id = ${holder.userId} order by n
    `
    return rows.map(({ n, transType }) => ({ id: String(n), key: String(n).padStart(9, '0'), transType }))
  }
  return {
    ...{ rows: 'transactions', id: 'n', existing: movements },
    filters: { transType: eachOf('transType', ['VIDEO_CONSUME', 'SYSTEM_ADJUST', 'REFUND']) },
    make: async () => {
      const before = (await movements()).length
      const kind = below(3)
      if (kind === 0) await kinora.grant(holder, 1)
      else {
        const { uuid } = (await kinora.generate(holder)).data
        if (kind === 2) await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: holder })
      }
      return (await movements()).slice(before)
    },
  }
}
