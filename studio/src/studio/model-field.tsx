/**
 * The model: the chosen one, and on demand the list of all with their sample, usual time and the price of this film.
 * Several can be chosen there, to compare what they make of one prompt.
 */
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useShortcut } from '../shell/use-shortcut.ts'
import styles from './model-field.module.css'
import type { ListProps } from './model-list.tsx'
import { ModelRow } from './model-row.tsx'

const ModelList = lazy(() => import('./model-list.tsx').then((module) => ({ default: module.ModelList })))

type Props = Pick<ListProps, 'models' | 'draft' | 'chosen' | 'rivals' | 'onChoose' | 'onCompare'>

export function ModelField(props: Props) {
  const { models, draft, chosen, rivals } = props
  const [isOpen, setOpen] = useState(false)
  const [isComparing, setComparing] = useState(rivals.length > 0)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    // What had the focus is gone.
    button.current?.focus()
  }
  useShortcut(({ key }) => {
    if (key === 'Escape' && isOpen) close()
  })
  return (
    <div>
      <button
        ref={button}
        type="button"
        className={styles.chosen}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="hidden-text">{t`Model`}</span>
        <ModelRow model={chosen} draft={draft} rivals={models.filter(({ id }) => rivals.includes(id))} />
      </button>
      <Suspense>
        {isOpen ? <ModelList {...props} {...{ id, isComparing }} onComparing={setComparing} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}
