/** Why films that are compared are not of one length. */
import { t } from '@lingui/core/macro'
import type { Model } from './form-fields.ts'
import type { FormValues } from './form-values.ts'
import styles from './generate-form.module.css'

export function LengthsNote({ models, all }: { models: Model[]; all: FormValues[] }) {
  if (new Set(all.map(({ seconds }) => seconds)).size < 2) return null
  const lengths = all.map(({ seconds }, at) => {
    const name = models[at]?.name ?? ''
    return seconds === null ? t`${name}: as long as its provider makes it` : t`${name}: ${seconds} s`
  })
  return <p className={styles.lengths}>{t`These models have no length in common. ${lengths.join(' · ')}`}</p>
}
