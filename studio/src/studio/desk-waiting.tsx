/** The desk before its models are known, in the layout that it will have. */
import { Blank, Waiting } from '../look/states.tsx'

export function DeskWaiting() {
  return (
    <Waiting label="Loading the models">
      <div className="columns">
        <div className="stack">
          <Blank height="152px" />
          <Blank height="144px" />
          <Blank height="96px" />
        </div>
        <Blank height="264px" />
      </div>
    </Waiting>
  )
}
