/** Paging of lists: keyset pagination by `cursor`, and where clients jump to a page, numbered pages as well. */
import { Type } from 'typebox'
import { TextOrNull } from './envelope.ts'

/** The maximum is the largest integer that a JavaScript number holds exactly; a page past the end is empty. */
const page = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'From 1' })
const pageSize = Type.Integer({ minimum: 1, maximum: 100, default: 20 })

/** Query of a list with keyset pagination only. */
export const cursorQuery = {
  pageSize,
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the previous page' })),
}
/** Query of a list with both kinds of paging. */
export const pageOrCursorQuery = {
  page,
  pageSize,
  cursor: Type.Optional(
    Type.String({ description: 'nextCursor of the previous page; equally fast at any depth. page is ignored' }),
  ),
}

export const Total = Type.Integer({ description: 'Number of all rows that match' })
export const NextCursor = TextOrNull('Cursor of the next page; null on the last')

/** The fields beside the rows of a list with keyset pagination. */
export const cursorPage = { total: Total, pageSize: Type.Integer(), nextCursor: NextCursor }
/** The fields beside the rows of a list with both kinds of paging. */
export const numberedPage = { total: Total, page: Type.Integer(), pageSize: Type.Integer(), nextCursor: NextCursor }
