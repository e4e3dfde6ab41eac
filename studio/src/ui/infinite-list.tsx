/** The states of a list with keyset pagination, its rows, and its footer with the count and "Show more". */
import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { Button } from './button.tsx'
import { formatNumber } from './format.ts'
import './infinite-list.css'
import { InfiniteRowsProvider } from './infinite-lines.ts'
import { extentOf, type Pages, useRowsInView } from './infinite-pages.ts'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from './states.tsx'

type RowsProps<Page, Row> = {
  list: Pages<Page>
  rowsOf: (page: Page) => Row[]
  /** What the place of a row depends on, such as the aspect ratio of a film. */
  shapeOf?: (row: Row) => number
  /** The count of all rows, where the API has it and the page shows it. */
  total?: number | undefined
  /** Loads the next page when the footer comes near the viewport; the button remains for keyboard users. */
  autoLoad?: boolean
  /** The rows of the pages that are kept. */
  children: (rows: Row[]) => ReactNode
}

/** The rows of a list in a table or in cards, which mount those in view, and what follows them. */
export function PagedRows<Page, Row>({
  list,
  rowsOf,
  shapeOf = one,
  total,
  autoLoad = false,
  children,
}: RowsProps<Page, Row>) {
  const { data, outline } = list
  const pages = useMemo(() => withoutDuplicates(data?.pages.map(rowsOf) ?? []), [data, rowsOf])
  const rows = useMemo(() => pages.flat(), [pages])
  const { shapes, before, isAtEnd } = useMemo(
    () => extentOf({ data, outline }, pages, shapeOf),
    [data, outline, pages, shapeOf],
  )
  const onInView = useRowsInView(list)
  const context = useMemo(
    () => ({ shapes, before, outline, total, onInView }),
    [shapes, before, outline, total, onInView],
  )
  const shown = shapes.length
  return (
    <>
      {shown > 0 ? <InfiniteRowsProvider value={context}>{children(rows)}</InfiniteRowsProvider> : null}
      {(list.hasNextPage && isAtEnd) || (shown > 0 && total !== undefined && !autoLoad) ? (
        <ShowMore list={list} autoLoad={autoLoad} {...(total === undefined ? {} : { shown, total })} />
      ) : null}
    </>
  )
}

const one = () => 1

/** A row that moves between the reads of two pages is in both, until they are read again. */
function withoutDuplicates<Row>(pages: Row[][]): Row[][] {
  const seen = new Set<unknown>()
  return pages.map((rows) =>
    rows.filter((row) => {
      const { uuid, id = uuid } = row as { uuid?: string; id?: string }
      if (id === undefined || !seen.has(id)) return seen.add(id)
      return false
    }),
  )
}

type PagedListProps<Page, Row> = RowsProps<Page, Row> & {
  /** What screen readers hear while the first page is on its way. */
  loading: string
  /** What stands for no rows: a text, or an EmptyState. */
  empty: ReactNode
}

/** The states of a list, its rows, and what follows them. */
export function PagedList<Page, Row>({ loading, empty, children, ...props }: PagedListProps<Page, Row>) {
  const { list, rowsOf } = props
  const hasRows = list.data?.pages.some((page) => rowsOf(page).length > 0)
  return (
    <>
      {list.error && !list.data ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={loading} /> : null}
      {list.data && !hasRows ? typeof empty === 'string' ? <EmptyState>{empty}</EmptyState> : empty : null}
      <PagedRows {...props}>
        {(rows) => (
          <div className="results" aria-busy={list.isPlaceholderData}>
            {children(rows)}
          </div>
        )}
      </PagedRows>
    </>
  )
}

/** `total`: the count of rows, where the API has it. */
type Props<Page> = { list: Pages<Page>; shown?: number; total?: number; autoLoad: boolean }

function ShowMore<Page>({ list, shown, total, autoLoad }: Props<Page>) {
  const footer = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = list
  const showMore = async () => {
    // The request would, without `cancelRefetch: false`, cancel a running refetch and lose the rows that it brings.
    // With it, the request only joins the refetch: repeat it until the page has come. `isRefetching` may be older than
    // the refetch.
    const last = list.data?.pageParams.at(-1)
    let latest: Pick<Pages<Page>, 'data' | keyof NextPage>
    do latest = await list.fetchNextPage({ cancelRefetch: false })
    while (footer.current && latest.data?.pageParams.at(-1) === last && isNextPageDue(latest))
  }
  const onNearViewport = useEffectEvent(showMore)
  // Wait for a click after a failure, or the effect would retry without end.
  const observes = autoLoad && isNextPageDue(list) && !isFetchingNextPage
  useEffect(() => {
    if (!observes || !footer.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onNearViewport(),
      { rootMargin: '1200px' },
    )
    observer.observe(footer.current)
    return () => observer.disconnect()
  }, [observes])
  return (
    <>
      <div className={autoLoad ? 'auto-load' : 'page-head'} ref={footer}>
        {shown === undefined || total === undefined ? null : (
          <p className="quiet small" role="status">
            {t`${formatNumber(shown)} of ${formatNumber(Math.max(shown, total))} shown`}
          </p>
        )}
        {hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={showMore}>
            {t`Show more`}
          </Button>
        ) : null}
      </div>
      {isFetchNextPageError && error ? <ErrorState error={error} retry={showMore} /> : null}
    </>
  )
}

type NextPage = Pick<Pages<unknown>, 'hasNextPage' | 'isFetchNextPageError' | 'isPlaceholderData'>
const isNextPageDue = ({ hasNextPage, isFetchNextPageError, isPlaceholderData }: NextPage): boolean =>
  hasNextPage && !isFetchNextPageError && !isPlaceholderData

export const TableSkeleton = ({ label }: { label: string }) => (
  <LoadingState label={label}>
    <TableSkeletonRows />
  </LoadingState>
)

export const TableSkeletonRows = () => (
  <div className="table-skeleton">
    {[1, 2, 3, 4, 5, 6].map((row) => (
      <SkeletonBlock key={row} />
    ))}
  </div>
)
