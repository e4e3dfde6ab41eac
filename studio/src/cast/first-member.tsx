/** Stands in the place of the shelf while the cast is empty. */
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import styles from '../studio/generate-form.module.css'
import { isAtLeast, useTeam } from '../team.ts'

/** Loaded on demand: no page of a first load has a dialog. */
const CastDialog = lazy(() => import('./cast-dialog.tsx').then((module) => ({ default: module.CastDialog })))

export function FirstMember() {
  const [isOpen, setOpen] = useState(false)
  const isMaker = isAtLeast(useTeam(), 'maker')
  if (!isMaker) return null
  return (
    <>
      <button type="button" className={`${styles.template} ${styles.firstMember}`} onClick={() => setOpen(true)}>
        {t`Add a character, place or product…`}
      </button>
      <Suspense>
        {isOpen ? <CastDialog onClose={() => setOpen(false)} onSaved={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
