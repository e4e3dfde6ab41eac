/** What a template of a message gets and returns, in every language. */
import type { MailKind } from './kinds.ts'
import type { Content } from './layout.ts'

export type TemplateInput = {
  data: Record<string, unknown>
  /** The link that authenticates the reader, or what stands in its place; empty when the kind has none. */
  link: string
  publicUrl: string
  /** Of a decision on a film: the page where its maker objects; else empty. */
  objectionUrl: string
  /** The name of the service (`BRAND_NAME`). */
  site: string
}

export type Template = (input: TemplateInput) => Omit<Content, 'unsubscribeUrl' | 'language'>
export type Templates = Record<MailKind, Template>

export const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
