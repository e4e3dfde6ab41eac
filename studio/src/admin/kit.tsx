/** What the administrators' pages have in common: their head and their tables. */
import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { DataTable } from '../ui/data-table.tsx'
import { Page } from '../ui/page.tsx'
import adminStyles from './admin.module.css'

export const AdminPage = (page: Omit<ComponentProps<typeof Page>, 'parents'>) => (
  <Page parents={[t`Administration`]} {...page} />
)

type TableProps<Row> = ComponentProps<typeof DataTable<Row>> & {
  /** Rows of several lines. */
  isTopAligned?: boolean
  /** Many columns of numbers. */
  isNumeric?: boolean
  className?: string | undefined
}

export const AdminTable = <Row,>({ isTopAligned, isNumeric, className, ...table }: TableProps<Row>) => (
  <div
    className={[adminStyles.table, isTopAligned && adminStyles.topAligned, isNumeric && adminStyles.numbers, className]
      .filter(Boolean)
      .join(' ')}
  >
    <DataTable {...table} />
  </div>
)

/** Opens the details of a row in a dialog; it looks like a link. */
export const LinkButton = (button: Omit<ComponentProps<'button'>, 'className' | 'type'>) => (
  <button type="button" className={adminStyles.linkButton} {...button} />
)
