/** One line of a list of facts (`<dl className="facts">`): its name, and what there is to say; a dash while nothing is known. */
import type { ReactNode } from 'react'

export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div className="fact">
    <dt>{name}</dt>
    <dd>{children ?? '–'}</dd>
  </div>
)
