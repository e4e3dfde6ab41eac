import { site } from '../site.ts'

/** "Audit · Administration · Kinora": the text of a page's `<title>`, from the special to the general. */
export const pageTitle = (...parts: string[]): string => [...parts, site.name].join(' · ')
