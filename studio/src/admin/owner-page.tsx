/** What the pages of a user and of a team have in common for administrators: head, balance, credits, films, payments and history of the owner. */

import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { PageTitle } from '../ui/page-title.tsx'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { OwedForm, TakeForm } from './correction-form.tsx'
import { GrantForm } from './grant-form.tsx'
import { OwnerBalance } from './owner-balance.tsx'
import styles from './owner-page.module.css'
import { OwnerState } from './owner-state.tsx'
import type { Owner } from './queries.ts'
import { UserFilms } from './user-films.tsx'
import { UserHistory } from './user-history.tsx'
import { UserPayments } from './user-payments.tsx'

type Props = {
  /** Of the page while the owner is not known. */
  title: string
  owner: Owner | undefined
  name: string | undefined
  isLocked: boolean
  error: KinoraError | null
  retry: () => void
  loadingLabel: string
  identity: ReactNode
  /** Of an owner that is not deleted, before the forms of credits. */
  access: ReactNode
  /** After the history. */
  end?: ReactNode
}

/** A deleted owner has no forms. */
export function OwnerPage({ title, owner, name, isLocked, error, retry, loadingLabel, identity, access, end }: Props) {
  const id = owner?.id
  return (
    <div className="page">
      <PageTitle of={[name ?? title, t`Administration`]} />
      <div className="page-head">
        <h1 className={styles.name}>{name ?? title}</h1>
        {owner ? <OwnerState deletedAt={owner.deletedAt} isLocked={isLocked} /> : null}
      </div>
      {error && !owner ? <ErrorState error={error} {...(error.code === 'NOT_FOUND' ? {} : { retry })} /> : null}
      {owner ? (
        <>
          <div className={styles.twoColumns}>
            {identity}
            <OwnerBalance owner={owner} />
          </div>
          {owner.deletedAt ? null : (
            <>
              {access}
              <GrantForm key={id} user={owner} />
              <TakeForm key={`take ${id}`} user={owner} />
              <OwedForm key={`owed ${id}`} user={owner} />
            </>
          )}
          <UserFilms id={owner.id} />
          <UserPayments id={owner.id} />
          <UserHistory user={owner} />
          {end}
        </>
      ) : null}
      {owner || error ? null : (
        <LoadingState label={loadingLabel}>
          <div className={styles.twoColumns}>
            <SkeletonBlock height="248px" />
            <SkeletonBlock height="248px" />
          </div>
        </LoadingState>
      )}
    </div>
  )
}
