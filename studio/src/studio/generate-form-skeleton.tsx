/** The skeleton of the generate form while the models load. Uses the form's own layout classes, so that nothing shifts. */
import { t } from '@lingui/core/macro'
import { LoadingState, SkeletonBlock } from '../ui/states.tsx'
import styles from './generate-form.module.css'

export function GenerateFormSkeleton() {
  return (
    <LoadingState label={t`Loading the models`}>
      <div className={styles.skeleton}>
        <div className={styles.fields}>
          <div className={styles.promptGroup}>
            <SkeletonBlock height="152px" />
            <SkeletonBlock height="40px" />
          </div>
          <div>
            <div className={styles.legend}>
              <SkeletonBlock width="48px" />
            </div>
            <div className={styles.models}>
              {['one', 'two', 'three'].map((name) => (
                <SkeletonBlock key={name} height="128px" />
              ))}
            </div>
          </div>
          <div className={styles.optionGroups}>
            <SkeletonBlock width="280px" height="72px" />
            <div className={styles.row}>
              <SkeletonBlock width="218px" height="72px" />
              <div className={styles.duration}>
                <SkeletonBlock height="72px" />
              </div>
            </div>
          </div>
        </div>
        <div className={styles.submit}>
          <div className="stack">
            <SkeletonBlock />
            <div className={styles.wideOnly}>
              <SkeletonBlock />
            </div>
          </div>
          <div className={styles.submitAction}>
            <SkeletonBlock height="48px" />
            <div className={styles.submitHint}>
              <SkeletonBlock height="16px" />
            </div>
          </div>
        </div>
      </div>
    </LoadingState>
  )
}
