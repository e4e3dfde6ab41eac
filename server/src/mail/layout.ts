/**
 * The look of a message, as text and as HTML: the studio's colours and sizes, in inline styles and a table, because
 * many mail programs drop style sheets. No pictures and no fonts are loaded, so that reading a message reports nothing.
 */

import { escapeHtml } from '../text/escape-html.ts'
import type { Language } from '../text/language.ts'

/** Texts are plain: the layout escapes them. */
export type Content = {
  language: Language
  subject: string
  heading: string
  paragraphs: string[]
  /** Name and value, such as a sign-in's address. A user's text is here only, and no link in it works, unless exact. */
  facts?: [name: string, value: string, isExact?: true][]
  action?: { label: string; url: string }
  /** The text below the action: how long the link works, or why the reader gets this. */
  footer: string[]
  unsubscribeUrl?: string
}

const words: Record<Language, { unsubscribe: string; colon: string }> = {
  en: { unsubscribe: 'No more mails of this kind', colon: ': ' },
  'zh-Hans': { unsubscribe: '不再接收这类邮件', colon: '：' },
}

/** Colours of studio/src/ui/base.css, light. */
const colour = {
  ground: '#f6f4ef',
  raised: '#fffdf9',
  line: '#d9d5ca',
  text: '#141517',
  quiet: '#4f4c45',
  accent: '#f2b03d',
}
const FONT = 'Inter, system-ui, -apple-system, "Segoe UI", sans-serif'

export function asText({ language, heading, paragraphs, facts = [], action, footer, unsubscribeUrl }: Content): string {
  const { unsubscribe, colon } = words[language]
  return [
    heading,
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([name, ...value]) => `${name}${colon}${shown(...value)}`).join('\n')] : []),
    ...(action ? [`${action.label}${colon.trimEnd()}\n${action.url}`] : []),
    `-- \n${[...footer, ...(unsubscribeUrl ? [`${unsubscribe}${colon}${unsubscribeUrl}`] : [])].join('\n')}`,
  ].join('\n\n')
}

/** @param site the name of the service */
export function asHtml(content: Content, site: string): string {
  const { language, subject, heading, paragraphs, facts = [], action, footer, unsubscribeUrl } = content
  const block = (style: string, html: string) => `<p style="margin:0 0 16px;${style}">${html}</p>`
  const quiet = `font-size:13px;line-height:20px;color:${colour.quiet};`
  const rows = facts.map(
    ([name, ...value]) =>
      `<tr><td style="${quiet}padding:0 16px 4px 0;vertical-align:top">${escapeHtml(name)}</td>` +
      `<td style="padding:0 0 4px">${escapeHtml(shown(...value))}</td></tr>`,
  )
  const button = action
    ? block(
        '',
        `<a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:${colour.accent};` +
          `color:${colour.text};font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a>`,
      )
    : ''
  const unsubscribe = unsubscribeUrl
    ? block(
        quiet,
        `<a href="${escapeHtml(unsubscribeUrl)}" style="color:${colour.quiet}">${words[language].unsubscribe}</a>`,
      )
    : ''
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:${colour.ground};color:${colour.text};font:15px/24px ${escapeHtml(FONT)}">
<table role="presentation" cellpadding="0" cellspacing="0" width="100%" style="max-width:520px;margin:0 auto">
<tr><td style="padding:0 0 16px;font-weight:600">${escapeHtml(site)}</td></tr>
<tr><td style="padding:24px;background:${colour.raised};border:1px solid ${colour.line};border-radius:6px">
<h1 style="margin:0 0 16px;font-size:24px;line-height:32px;font-weight:600">${escapeHtml(heading)}</h1>
${paragraphs.map((each) => block('', escapeHtml(each))).join('\n')}
${rows.length > 0 ? `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${rows.join('')}</table>` : ''}
${button}
</td></tr>
<tr><td style="padding:16px 0 0">${footer.map((each) => block(quiet, escapeHtml(each))).join('\n')}${unsubscribe}</td></tr>
</table>
</body>
</html>
`
}

/**
 * A value must not look like another line of the message; and mail programs make links of texts that look like
 * addresses, so a blank separates their parts: “evil. example”. Characters without width in the place of the blank are
 * part of the address to some programs.
 */
function shown(value: string, isExact?: true): string {
  const line = value.replace(/\s+/g, ' ').trim()
  return isExact
    ? line
    : line.replace(/([.\u3002\uff0e\uff61])(?=[\p{L}\p{M}])|([@\uff20]|(?<=\p{L})[:\uff1a])(?=\S)/gu, '$& ')
}
