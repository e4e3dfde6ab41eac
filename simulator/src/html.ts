/** What all pages share: plain HTML and one style, no script; dark or light; the shop's name, which leads back. */
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Settings } from './settings.ts'

/** A piece of HTML. `html` escapes the texts that it inserts, and inserts pieces as they are. */
export type Html = ReturnType<typeof html>

export function sendPage(c: Context, { shop }: Settings, body: Html, status: ContentfulStatusCode = 200) {
  const site = c.req.path.split('/')[1]
  const logo = `${shop.url}/brand-logo`
  c.header(
    'content-security-policy',
    `default-src 'none'; style-src 'unsafe-inline'; img-src data: ${shop.hasLogo ? logo : ''}; base-uri 'none'; frame-ancestors 'none'`,
  )
  const mark = shop.hasLogo
    ? html`<img src="${logo}" alt="" height="24">`
    : html`<span class="mark"><i></i><i></i><i></i></span>`
  return c.html(
    html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${site ? `${site} · simulator` : 'Simulator'} · ${shop.name}</title>
<link rel="icon" href="${shop.hasLogo ? logo : 'data:,'}">
<style>${raw(style)}</style>
<header><a href="${shop.url}">${mark} ${shop.name}</a> <span class="quiet">${site} Simulator: no money moves here</span></header>
<main>${body}</main>
</html>`,
    status,
  )
}

export const formOf = async (c: Context): Promise<URLSearchParams> => new URLSearchParams(await c.req.text())

export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Records as they are stored, the newest first. @param actions what can be done to a record */
export function records<Item extends object>(title: string, all: Item[], actions: (item: Item) => Html): Html {
  const cards = all.toReversed().map((item) => {
    const facts = Object.entries(item).filter(([, value]) => value !== null && value !== '')
    const list = facts.map(([name, value]) => html`<dt>${name}</dt><dd>${shown(name, value)}</dd>`)
    return html`<article class="card"><dl>${list}</dl>${actions(item)}</article>`
  })
  return html`<h2>${title}</h2>${cards}${cards.length === 0 && html`<p class="quiet">None yet.</p>`}`
}

/** Times have names like `at`, `createdAt` and `periodEnd`. */
function shown(name: string, value: unknown): string {
  if (typeof value === 'number' && /^at$|(At|Start|End)$/.test(name)) return new Date(value).toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const style = `
:root { --raised: light-dark(#fffdf8, #17181b); --line: light-dark(#d2cec3, #34353a) }
body { max-width: 720px; margin: 0 auto; padding: 16px 24px 80px; font: 15px/24px Inter, system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; justify-content: space-between }
header a { display: flex; gap: 12px; align-items: center; font-weight: 650; text-decoration: none }
.mark { display: flex; gap: 2px } .mark i { width: 5px; height: 16px; border-radius: 1px; background: #f2b03d }
.mark i:nth-child(2) { opacity: .6 } .mark i:nth-child(3) { opacity: .3 }
body { background: light-dark(#f6f4ef, #0e0f11); color: light-dark(#0e0f11, #f6f4ef) } a { color: inherit }
h1 { font-size: 28px } h2 { font-size: 16px } .quiet, dt { color: light-dark(#56534c, #b3b0a9); font-size: 14px }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 0 24px 24px; margin: 16px 0 }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 24px } dd { margin: 0; overflow-wrap: anywhere }
form { display: flex; flex-wrap: wrap; gap: 8px } form.stack { display: grid; gap: 16px } label { display: grid }
label.row { display: flex; gap: 8px } button, select, input { font: inherit; color: inherit; padding: 7px 12px; max-width: 100% }
button, select, input { background: var(--raised); border: 1px solid var(--line); border-radius: 6px }
button.go { background: #f2b03d; color: #0e0f11 }
`
