/** What the administrators' pages have in common: their head, and how their tables look. */
import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Page } from '../ui/page.tsx'
import adminStyles from './admin.module.css'

export const AdminPage = (page: Omit<ComponentProps<typeof Page>, 'parents'>) => (
  <Page parents={[t`Administration`]} {...page} />
)

/** The class of a table. `topAligned`: rows of several lines; `numbers`: many columns of numbers. */
export const tableClass = (...names: ('topAligned' | 'numbers')[]): string =>
  [adminStyles.table, ...names.map((name) => adminStyles[name])].join(' ')

/** Opens the details of a row in a dialog; it looks like a link. */
export const LinkButton = (button: Omit<ComponentProps<'button'>, 'className' | 'type'>) => (
  <button type="button" className={adminStyles.linkButton} {...button} />
)
