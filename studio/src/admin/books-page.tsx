/** Books page: what is owed of the credits that were sold, what expired unused, and what each plan earns. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { money } from '../plans/pricing.ts'
import { buttonClass } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { formatNumber } from '../ui/format.ts'
import { TableSkeletonRows } from '../ui/infinite-list.tsx'
import { type Days, DEFAULT_DAYS, daysParam, PeriodSelect, rangeOf } from '../ui/period-select.tsx'
import { EmptyState, QueryState } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import { formatUsd } from './cost-queries.ts'
import { AdminPage, tableClass } from './kit.tsx'

type Books = Schemas['Books']

const booksQuery = (days: Days) =>
  queryOptions({
    queryKey: ['admin', 'books', days],
    queryFn: ({ signal }) => dataOf(kinora.GET('/api/v1/admin/books', { params: { query: rangeOf(days) }, signal })),
    placeholderData: keepPreviousData,
  })

export function BooksPage() {
  const days = daysParam(useSearch({ from: '/signed-in/admin/books' }).days) ?? DEFAULT_DAYS
  const navigate = useNavigate({ from: '/admin/books' })
  const query = useQuery(booksQuery(days))
  return (
    <AdminPage
      title={t`Books`}
      aside={
        <a
          className={buttonClass()}
          href={`/api/v1/admin/books/movements.csv?${new URLSearchParams({ ...rangeOf(days) })}`}
          download
        >
          {t`Payments, refunds, disputes as CSV`}
        </a>
      }
    >
      <div className={adminStyles.filters}>
        <PeriodSelect
          days={days}
          onChange={(next) =>
            navigate({ search: next === undefined ? {} : { days: next }, replace: true, resetScroll: false })
          }
        />
      </div>
      <QueryState query={query} loading={t`Loading the books`} skeleton={<TableSkeletonRows />}>
        {(books) => (
          <div className="stack results" aria-busy={query.isPlaceholderData}>
            <p className="quiet">{t`Days and months are those of ${books.zone}. Amounts are without tax and refunds.`}</p>
            <Months months={books.months} />
            <Plans plans={books.plans} days={days} />
          </div>
        )}
      </QueryState>
    </AdminPage>
  )
}

const amount = (cents: number, currency: string | null) => (currency === null ? '–' : money(cents, currency))

function Months({ months }: { months: Books['months'] }) {
  const totals = [...Map.groupBy(months, ({ currency }) => currency)].map(([currency, rows]) => ({
    currency,
    owed: rows.reduce((all, each) => all + each.owedCents, 0),
    credits: rows.reduce((all, each) => all + each.owedCredits, 0),
  }))
  return (
    <section className="stack" aria-labelledby="owed">
      <h2 id="owed">{t`Credits that are owed, and that expired`}</h2>
      <p className="quiet">
        {t`What was sold and is not used yet is deferred revenue, as of now. What expired unused in the period is breakage.`}
      </p>
      {totals.map(({ currency, owed, credits }) =>
        currency === null ? null : (
          <p key={currency}>{t`Deferred revenue: ${money(owed, currency)} for ${formatNumber(credits)} credits.`}</p>
        ),
      )}
      {months.length === 0 ? (
        <EmptyState>{t`No credits are left, and none expired.`}</EmptyState>
      ) : (
        <DataTable
          className={tableClass('numbers')}
          label={t`Credits by the month in which they expire`}
          rows={months}
          keyOf={({ month, currency }) => `${month} ${currency}`}
          columns={[
            { head: t`Expires in`, isRowHead: true, cell: ({ month }) => month },
            { head: t`Sold in`, cell: ({ currency }) => currency ?? t`Given` },
            { head: t`Credits owed`, isNumber: true, cell: ({ owedCredits }) => formatNumber(owedCredits) },
            {
              head: t`Deferred revenue`,
              isNumber: true,
              cell: ({ owedCents, currency }) => amount(owedCents, currency),
            },
            { head: t`Credits expired`, isNumber: true, cell: ({ expiredCredits }) => formatNumber(expiredCredits) },
            { head: t`Breakage`, isNumber: true, cell: ({ expiredCents, currency }) => amount(expiredCents, currency) },
          ]}
        />
      )}
    </section>
  )
}

const Plans = ({ plans, days }: { plans: Books['plans']; days: Days }) => (
  <section className="stack" aria-labelledby="plans">
    <div className="page-head">
      <h2 id="plans">{t`Margin by plan`}</h2>
      <Link to="/admin/costs" search={{ group: 'model', days }}>
        {t`By model`}
      </Link>
    </div>
    <p className="quiet">
      {t`What the credits of completed films were sold for, less the share of the films’ costs that these credits paid.`}
    </p>
    {plans.length === 0 ? (
      <EmptyState>{t`No film was completed in this time.`}</EmptyState>
    ) : (
      <DataTable
        className={tableClass('numbers')}
        label={t`Margin by plan`}
        rows={plans}
        keyOf={({ plan }) => plan ?? ''}
        columns={[
          { head: t`Plan or pack`, isRowHead: true, cell: ({ plan }) => plan ?? t`Given, or apart` },
          { head: t`Films`, isNumber: true, cell: ({ films }) => formatNumber(films) },
          { head: t`Credits used`, isNumber: true, cell: ({ credits }) => formatNumber(credits) },
          {
            head: t`Earned`,
            isNumber: true,
            cell: ({ earnedUsd }) => formatUsd(earnedUsd),
            below: ({ unvaluedCredits }) =>
              unvaluedCredits > 0 ? t`without ${formatNumber(unvaluedCredits)} credits not sold in USD` : null,
          },
          {
            head: t`Cost`,
            isNumber: true,
            cell: ({ costUsd }) => formatUsd(costUsd),
            below: ({ unknownCredits }) =>
              unknownCredits > 0 ? t`unknown for ${formatNumber(unknownCredits)} credits` : null,
          },
          { head: t`Margin`, isNumber: true, cell: ({ marginUsd }) => formatUsd(marginUsd) },
        ]}
      />
    )}
  </section>
)
