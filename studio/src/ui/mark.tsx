/** A state in a word, with a dot whose shape and colour say how it is. */
import type { ReactNode } from 'react'

export type MarkKind = 'done' | 'failed' | 'running' | 'plain' | 'none'
/** A state as a page shows it. */
export type StateLabel = { label: string; kind: MarkKind }

type Props = { label: ReactNode; kind: MarkKind; title?: string | undefined }

export const Mark = ({ label, kind, title }: Props) => (
  <span className="mark" data-kind={kind} title={title}>
    {label}
  </span>
)
