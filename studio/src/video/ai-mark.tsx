/** The notice beside a film that AI made it, by which model and when, as the AI Act and GB 45438-2025 ask for it. */
import { t } from '@lingui/core/macro'
import { useModelNames } from '../model-name.ts'
import { factsLine } from '../ui/facts-line.ts'
import { formatDate } from '../ui/format.ts'
import styles from './ai-mark.module.css'

type Props = { model: string; madeAt: string | null; more?: readonly string[] }

/** @param props `madeAt`: an ISO time; null: unknown. `more`: what is said of the film in the same line */
export function AiMark({ model, madeAt, more = [] }: Props) {
  const name = useModelNames()(model)
  return (
    <span>
      <span className={styles.sign} aria-hidden="true">
        {t({ message: 'AI', context: 'mark of a film' })}
      </span>
      <span className="hidden-text">{t`Made by AI:`}</span>{' '}
      {/* One text, unseen while the name loads, in whose place the id is: nothing beside or below it moves when it comes. */}
      <span className={name === null ? styles.coming : undefined}>
        {factsLine(name ?? model, madeAt && formatDate(madeAt), ...more)}
      </span>
    </span>
  )
}
