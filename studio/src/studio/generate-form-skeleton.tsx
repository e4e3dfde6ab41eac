/** The desk before its models are known. The rule: it takes the desk's own layout, so that nothing moves when they come. */
import { LoadingState, SkeletonBlock } from '../ui/states.tsx'
import css from './generate-form.module.css'

export function GenerateFormSkeleton() {
  return (
    <LoadingState label="Loading the models">
      <div className="columns">
        <div className={css.work}>
          <div className={css.beginning}>
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
          <div className={css.choices}>
            <SkeletonBlock width="280px" height="72px" />
            <div className={css.row}>
              <SkeletonBlock width="218px" height="72px" />
              <div className={css.duration}>
                <SkeletonBlock height="72px" />
              </div>
            </div>
          </div>
        </div>
        <div className={css.press}>
          <SkeletonBlock />
          <div className={css.pressMore}>
            <SkeletonBlock height="48px" />
          </div>
          <SkeletonBlock height="48px" />
          <div className={css.pressHint}>
            <SkeletonBlock height="32px" />
          </div>
        </div>
      </div>
    </LoadingState>
  )
}
