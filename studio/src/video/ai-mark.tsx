/** The notice beside a film that AI has made it, by which model and when, as the AI Act and GB 45438-2025 ask for it. */
import { t } from '@lingui/core/macro'
import { useModelNames } from '../model-name.ts'
import { formatDate } from '../ui/format.ts'
import styles from './ai-mark.module.css'

/** @param props `madeAt`: an ISO time; null: unknown */
export function AiMark({ model, madeAt }: { model: string; madeAt: string | null }) {
  const name = useModelNames()(model)
  return (
    <span>
      <span className={styles.sign} aria-hidden="true">
        {t({ message: 'AI', context: 'mark of a film' })}
      </span>
      <span className="hidden-text">{t`Made by AI:`}</span> {madeAt ? `${name} · ${formatDate(madeAt)}` : name}
    </span>
  )
}
