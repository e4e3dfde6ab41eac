/** Query options of the costs page, and how it writes money. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { locale } from '../i18n/locale.ts'
import { type Days, rangeOf } from '../ui/period-select.tsx'

export type Costs = Schemas['Costs']

export const groupLabels = {
  route: t`By route`,
  model: t`By model`,
  account: t`By account`,
  user: t`By user`,
  day: t`By day`,
} as const
export type CostGroup = keyof typeof groupLabels

/** @param account of whose films alone */
export const costsQuery = (days: Days, groupBy: CostGroup, account?: string) =>
  queryOptions({
    queryKey: ['admin', 'costs', days, groupBy, account],
    queryFn: ({ signal }) => {
      const query = { ...rangeOf(days), groupBy, ...(account ? { account } : {}) }
      return dataOf(kinora.GET('/api/v1/admin/costs', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

/** How the costs of each account are known, and the fall of its balance against them. */
export const accountCostsQuery = (days: Days) =>
  queryOptions({
    queryKey: ['admin', 'account-costs', days],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/admin/costs/accounts', { params: { query: rangeOf(days) }, signal })),
    placeholderData: keepPreviousData,
  })
export type AccountCosts = Awaited<
  ReturnType<NonNullable<ReturnType<typeof accountCostsQuery>['queryFn']>>
>['accounts'][number]

/** The same as CSV, by day and group. */
export const costsCsvUrl = (days: Days, group: CostGroup): string =>
  `/api/v1/admin/costs.csv?${new URLSearchParams({ ...rangeOf(days), groupBy: group === 'day' ? 'day' : `day,${group}` })}`

const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
const fractions = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })

/** 0.0532 → "$0.0532", 12 → "$12.00", null → "Unknown" */
export const formatUsd = (usd: number | null): string =>
  usd === null ? t`Unknown` : (Math.abs(usd) < 1 ? fractions : dollars).format(usd)

const amounts = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
/** Of a vendor's unit. */
export const formatAmount = (amount: number): string => amounts.format(amount)
