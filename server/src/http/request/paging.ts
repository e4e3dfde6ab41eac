/** Paging of lists: keyset pagination by `cursor`, and where clients jump to a page, numbered pages as well. */
import { Type } from 'typebox'
import { type Filters, schemasOfFilters } from '../../db/filter.ts'

/** The maximum is the largest integer that a JavaScript number holds exactly; a page past the end is empty. */
const page = Type.Integer({
  ...{ title: 'Page', description: 'From 1' },
  ...{ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
})
export const PAGE_SIZE_MAX = 100
const pageSize = Type.Integer({ title: 'PageSize', minimum: 1, maximum: PAGE_SIZE_MAX, default: 20 })

/** Query of a list with these filters and keyset pagination only. */
export const listQuery = <F extends Filters>(filters: F) =>
  Type.Object({
    ...schemasOfFilters(filters),
    pageSize,
    cursor: Type.Optional(Type.String({ title: 'Cursor', description: 'nextCursor of the previous page' })),
  })
/** Query of a list with both kinds of paging. */
export const pageOrCursorQuery = {
  page,
  pageSize,
  cursor: Type.Optional(
    Type.String({
      title: 'CursorOrPage',
      description: 'nextCursor of the previous page; equally fast at any depth. page is ignored',
    }),
  ),
}

export const Total = Type.Integer({ description: 'Number of all rows that match', examples: [1] })
const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Cursor of the next page; null on the last',
  examples: [null],
})

const PageSize = Type.Integer({ examples: [20] })

/** The fields beside the rows of a list with keyset pagination that are not counted, */
export const uncountedPage = { pageSize: PageSize, nextCursor: NextCursor }
/** and that are. */
export const cursorPage = { total: Total, ...uncountedPage }
/** The fields beside the rows of a list with both kinds of paging. */
export const numberedPage = { total: Total, page: Type.Integer({ examples: [1] }), ...uncountedPage }

/** Query of a period of whole days. @param zone where they begin */
const periodIn = (zone: string, day: string) => ({
  from: Type.Optional(
    Type.String({
      ...{ title: `First${day}`, format: 'date' },
      description: `First day, in ${zone}; default: 29 days before the last`,
    }),
  ),
  to: Type.Optional(
    Type.String({ title: `Last${day}`, format: 'date', description: 'Last day; default: today. At most 366 days' }),
  ),
})
export const periodQuery = periodIn('the operator’s time zone', 'ReportDay')
export const utcPeriodQuery = periodIn('UTC', 'Day')
