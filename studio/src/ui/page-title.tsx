import { useLayoutEffect } from 'react'
import { site } from '../site.ts'

/** "Audit · Administration · Kinora" as the title of the document. @param of from the special to the general; empty: the service's name alone */
export function PageTitle({ of }: { of: string[] }) {
  const title = [...of, site.name].join(' · ')
  useLayoutEffect(() => {
    document.title = title
  }, [title])
  return null
}
