/** Finds English that a page in Chinese shows: words in Latin letters in its texts, labels, placeholders and titles. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'

/** Names, formats, units and terms that are the same in Chinese. */
const KNOWN = new Set(
  'Kinora API ID UUID CSV ZIP JSON QR PIN POST UTC Webhook webhook https PNG JPEG WebP SMTP_URL BACKUP_TO PUBLIC_URL CATALOGUE_DIR GB MB kB ms Enter Ctrl kinora verify English AM PM US p50 p95 AI C2PA AIGC SHA-256 SynthID Google Veo'.split(
    ' ',
  ),
)

/**
 * @param data texts of the test's own data, such as prompts and names of models and keys
 * @returns each text with words that are neither known nor data; code, key names and elements with `lang="en"` are left
 * out
 */
export async function englishTexts(page: Page, data: string[]): Promise<string[]> {
  const texts = await page.evaluate<string[]>(READ_TEXTS)
  const known = [...data].sort((a, b) => b.length - a.length)
  return [...new Set(texts)].filter((text) => {
    const rest = known.reduce((left, each) => left.replaceAll(each, ' '), text).replace(/[\da-f]{8}-[\da-f-]{27}/g, ' ')
    return (rest.match(/[A-Za-z][\w’'-]*/g) ?? []).some((word) => word.length > 1 && !KNOWN.has(word))
  })
}

/** The names and ids of models, companies and products. */
export function catalogueNames(): string[] {
  const folder = path.join(import.meta.dirname, '../../catalogue')
  const models = readdirSync(path.join(folder, 'models')).map((name) => path.join('models', name))
  return [...models, 'plans.json'].flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    return [...text.matchAll(/"(?:id|name|company)": "([^"]+)"/g)].map(([, name = '']) => name)
  })
}

const READ_TEXTS = `(() => {
  const texts = [document.title]
  const isLeftOut = (element) => element.closest('[lang="en"], code, pre, kbd, svg, script, style, noscript')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!isLeftOut(node.parentElement)) texts.push(node.textContent)
  for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-valuetext]'))
    if (!isLeftOut(element))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
        texts.push(element.getAttribute(name) ?? '')
  return texts.map((text) => text.replace(/\\s+/g, ' ').trim())
})()`
