/** The skeleton of the generate form while the models load. Uses the form's own layout classes, so that nothing shifts. */
import { LoadingState, SkeletonBlock } from '../ui/states.tsx'
import css from './generate-form.module.css'

export function GenerateFormSkeleton() {
  return (
    <LoadingState label="Loading the models">
      <div className="columns">
        <div className={css.fields}>
          <div className={css.promptGroup}>
            <SkeletonBlock height="152px" />
            <SkeletonBlock height="40px" />
          </div>
          <div>
            <div className={css.legend}>
              <SkeletonBlock width="48px" />
            </div>
            <div className={css.models}>
              {['one', 'two', 'three'].map((name) => (
                <SkeletonBlock key={name} height="128px" />
              ))}
            </div>
          </div>
          <div className={css.optionGroups}>
            <SkeletonBlock width="280px" height="72px" />
            <div className={css.row}>
              <SkeletonBlock width="218px" height="72px" />
              <div className={css.duration}>
                <SkeletonBlock height="72px" />
              </div>
            </div>
          </div>
        </div>
        <div className={css.submit}>
          <SkeletonBlock />
          <div className={css.wideOnly}>
            <SkeletonBlock height="48px" />
          </div>
          <SkeletonBlock height="48px" />
          <div className={css.submitHint}>
            <SkeletonBlock height="32px" />
          </div>
        </div>
      </div>
    </LoadingState>
  )
}
