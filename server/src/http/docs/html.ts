/** Markdown as HTML: anchors of headings, one language of the samples at a time, tables that scroll. */
import { Marked } from 'marked'
import { escapeHtml } from '../../text/escape-html.ts'
import { slug } from './chapter.ts'

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      // The title of a page may be that of an operation too, and nothing links to it.
      const id = depth === 1 ? '' : ` id="${slug(text)}"`
      return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code({ text, lang = '' }) {
      const [language = '', mark] = lang.split(' ')
      return `<pre${mark === 'sample' ? ` class="sample" data-language="${escapeHtml(language)}"` : ''}><code>${escapeHtml(text)}</code></pre>\n`
    },
    link({ href, tokens }) {
      const address = href.replace(/^(\/docs\/[\w-]+)\.md/, '$1')
      return `<a href="${escapeHtml(address)}">${this.parser.parseInline(tokens)}</a>`
    },
    // `Bearer <key>` in a description is text.
    html: ({ text }) => escapeHtml(text),
  },
})

export function toHtml(markdown: string): string {
  const html = marked.parse(markdown, { async: false })
  return html.replaceAll('<table>', '<div class="table" tabindex="0"><table>').replaceAll('</table>', '</table></div>')
}

/** A section that the search finds. */
export type Section = { page: string; title: string; url: string; text: string }

/** The sections of a page: their headings and their prose, without code. */
export function sectionsOf(markdown: string, page: { name: string; title: string }): Section[] {
  const prose = markdown.replace(/^```.*?^```$/gms, '')
  return prose.split(/^(?=#{1,3} )/m).flatMap((section) => {
    const [, marks = '', heading = ''] = /^(#+) (.*)/.exec(section) ?? []
    const text = section
      .slice(section.indexOf('\n') + 1)
      .replace(/\]\([^)]*\)|[#*`|[\]]|---/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    if (!heading) return []
    const url = `/docs/${page.name}${marks === '#' ? '' : `#${slug(heading)}`}`
    return [{ page: page.title, title: heading.replaceAll('`', ''), url, text }]
  })
}
