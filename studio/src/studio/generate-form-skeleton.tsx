/** The desk before its models are known. The rule: it takes the desk's own layout, so that nothing moves when they come. */
import { Blank, Waiting } from '../ui/states.tsx'
import css from './generate-form.module.css'

export function DeskWaiting() {
  return (
    <Waiting label="Loading the models">
      <div className="columns">
        <div className={css.work}>
          <div className={css.beginning}>
            <Blank height="152px" />
            <Blank height="40px" />
          </div>
          <div>
            <div className={css.legend}>
              <Blank width="48px" />
            </div>
            <div className={css.models}>
              {['one', 'two', 'three'].map((name) => (
                <Blank key={name} height="128px" />
              ))}
            </div>
          </div>
          <div className={css.choices}>
            <Blank width="280px" height="72px" />
            <div className={css.row}>
              <Blank width="218px" height="72px" />
              <div className={css.duration}>
                <Blank height="72px" />
              </div>
            </div>
          </div>
        </div>
        <div className={css.press}>
          <Blank />
          <div className={css.pressMore}>
            <Blank height="48px" />
          </div>
          <Blank height="48px" />
          <div className={css.pressHint}>
            <Blank height="32px" />
          </div>
        </div>
      </div>
    </Waiting>
  )
}
