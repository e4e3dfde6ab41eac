/** Audit page: what administrators did, and what the service's sweeps deleted, filtered by user, administrator and action. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import { AuditDetails } from './audit-details.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTable } from './audit-table.tsx'
import { type AuditEntry, type AuditFilter, auditQuery } from './queries.ts'

export function AuditPage() {
  const filter = useFilter()
  const list = useInfiniteQuery(auditQuery(filter))
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const entries = list.data?.pages.flatMap((page) => page.entries)
  return (
    <div className="page">
      <PageTitle of={[t`Audit`, t`Administration`]} />
      <h1>{t`Audit`}</h1>
      <AuditFilters filter={filter} />
      {list.error && !entries ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the entries`} /> : null}
      {entries?.length === 0 ? <NoEntries isFiltered={Object.keys(filter).length > 0} /> : null}
      {entries?.length ? (
        <>
          <div className={adminStyles.results} aria-busy={list.isPlaceholderData}>
            <AuditTable entries={entries} filter={filter} onShow={setShown} />
          </div>
          <ShowMore list={list} shown={entries.length} total={list.data?.pages[0]?.total ?? 0} />
        </>
      ) : null}
      {shown ? <AuditDetails entry={shown} onClose={() => setShown(null)} /> : null}
    </div>
  )
}

function useFilter(): AuditFilter {
  const { userId, actorId, action } = useSearch({ from: '/signed-in/admin/audit' })
  return { ...(userId ? { userId } : {}), ...(actorId ? { actorId } : {}), ...(action ? { action } : {}) }
}

const NoEntries = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState
      action={
        <Link to="/admin/audit" className={buttonClass()}>
          {t`Show everything`}
        </Link>
      }
    >
      {t`No entry is like this.`}
    </EmptyState>
  ) : (
    <EmptyState>{t`Everything that an administrator changes will be listed here, with who did it and why.`}</EmptyState>
  )
