/**
 * The model: the chosen one, and on demand a sheet of all with what they take and give and the price of this film.
 * Several can be chosen there, to compare what they make of one prompt.
 */
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import styles from './model-field.module.css'
import { ModelRow } from './model-row.tsx'
import type { SheetProps } from './model-sheet.tsx'

/** Loaded on demand: no page of a first load has a dialog. */
const ModelSheet = lazy(() => import('./model-sheet.tsx').then((module) => ({ default: module.ModelSheet })))

export function ModelField(props: Omit<SheetProps, 'onClose'>) {
  const { models, draft, chosen, rivals } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <button
        type="button"
        className={styles.chosen}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <span className="hidden-text">{t`Model`}</span>
        <ModelRow model={chosen} draft={draft} rivals={models.filter(({ id }) => rivals.includes(id))} />
      </button>
      <Suspense>{isOpen ? <ModelSheet {...props} onClose={() => setOpen(false)} /> : null}</Suspense>
    </div>
  )
}
