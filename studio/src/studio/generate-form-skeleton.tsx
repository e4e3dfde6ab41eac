/**
 * The skeleton of the generate form while the models load. Uses the form's own layout classes, so that nothing shifts.
 * The empty prompt is shown at once: it is the first thing that a user looks for.
 */
import { t } from '@lingui/core/macro'
import { LoadingState, SkeletonBlock } from '../ui/states.tsx'
import '../ui/field.css'
import styles from './generate-form.module.css'

export function GenerateFormSkeleton() {
  return (
    <LoadingState label={t`Loading the models`}>
      <div className={styles.form}>
        <div className={styles.fields}>
          <div className={styles.promptGroup}>
            <div className={`field ${styles.early}`}>
              <span className="field-label">{t`Prompt`}</span>
              <span className={`input quiet ${styles.prompt}`}>{t`What the film shows, in your own words`}</span>
            </div>
            <SkeletonBlock height="32px" />
            <SkeletonBlock height="32px" />
            <SkeletonBlock height="40px" />
          </div>
          <div className={styles.optionsToggle}>
            <SkeletonBlock height="40px" />
          </div>
          <div className={styles.options} data-shown={false}>
            <SkeletonBlock height="56px" />
            <SkeletonBlock width="280px" height="72px" />
            <SkeletonBlock width="218px" height="72px" />
            <SkeletonBlock height="72px" />
          </div>
        </div>
        <div className={styles.submit}>
          <SkeletonBlock height="48px" />
          <SkeletonBlock height="16px" />
        </div>
      </div>
    </LoadingState>
  )
}
