/** One term and its description in a `<dl className="facts">`; a dash while the description is unknown. */
import type { ReactNode } from 'react'

export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div className="fact">
    <dt>{name}</dt>
    <dd>{children ?? '–'}</dd>
  </div>
)
