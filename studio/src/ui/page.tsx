/** A page: its title in the browser, its heading with what stands beside it, and its content. */
import { type ReactNode, useLayoutEffect } from 'react'
import { site } from '../site.ts'

type Props = {
  title: string
  /** What the page belongs to, from the special to the general. */
  parents?: string[]
  /** The heading, where it is not the title. */
  heading?: ReactNode
  /** What stands beside the heading. */
  aside?: ReactNode
  className?: string | undefined
  children: ReactNode
}

export const Page = ({ title, parents = [], heading = <h1>{title}</h1>, aside, className, children }: Props) => (
  <div className={['page', className].filter(Boolean).join(' ')}>
    <PageTitle of={[title, ...parents]} />
    {aside === undefined ? (
      heading
    ) : (
      <div className="page-head">
        {heading}
        {aside}
      </div>
    )}
    {children}
  </div>
)

/** "Audit · Administration · Kinora" as the title of the document. @param of special first; empty: the name alone */
export function PageTitle({ of }: { of: string[] }) {
  const title = [...of, site.name].join(' · ')
  useLayoutEffect(() => {
    document.title = title
  }, [title])
  return null
}
