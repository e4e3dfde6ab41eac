/** What all pages share: plain HTML and one style, no script; dark or light as the browser prefers. */
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A piece of HTML. `html` escapes the texts that it inserts, and inserts pieces as they are. */
export type Html = ReturnType<typeof html>

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:",
  "base-uri 'none'; frame-ancestors 'none'",
].join('; ')

export function sendPage(c: Context, title: string, body: Html, status: ContentfulStatusCode = 200) {
  const site = c.req.path.split('/')[1] || 'Kinora'
  c.header('content-security-policy', CONTENT_SECURITY_POLICY)
  const head = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${title} · ${site}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
<header><b>${site}</b><span class="quiet">Simulator: no money moves here</span></header>`
  return c.html(html`${head}<main>${body}</main></html>`, status)
}

const style = `
@font-face { font-family: Inter; src: url(/simulator/Inter-Medium.ttf) }
:root {
  --ground: light-dark(#f6f4ef, #0e0f11); --raised: light-dark(#fffdf8, #17181b); --line: light-dark(#d2cec3, #34353a);
  --text: light-dark(#0e0f11, #f6f4ef); --quiet: light-dark(#56534c, #b3b0a9); --accent: #f2b03d;
  --done: light-dark(#1f6b33, #7fc48b); --failed: light-dark(#a32a18, #f08a7a); --now: light-dark(#0e0f11, #f2b03d);
}
* { box-sizing: border-box; margin: 0 }
body { background: var(--ground); color: var(--text); font: 16px/24px Inter, system-ui, sans-serif }
header { display: flex; justify-content: space-between; gap: 24px; padding: 16px 24px; border-bottom: 1px solid var(--line) }
header b { border-left: 12px solid var(--accent); padding-left: 12px }
main { max-width: 880px; margin: 0 auto; padding: 40px 24px 80px; display: grid; gap: 16px }
h1, .price { font-size: 28px; line-height: 40px } h2 { font-size: 16px; margin-top: 24px }
a { color: inherit } code { color: var(--quiet); font-size: 13px; overflow-wrap: anywhere }
.quiet { color: var(--quiet); font-size: 14px; line-height: 20px }
.done { color: var(--done) } .failed { color: var(--failed) } .now { color: var(--now) }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 24px; display: grid; gap: 16px }
.between { display: flex; justify-content: space-between; flex-wrap: wrap; gap: 8px 24px }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 8px 24px; font-size: 14px } dt { color: var(--quiet) }
form { display: flex; flex-wrap: wrap; gap: 8px } form.stack { display: grid; gap: 16px }
label { display: grid; font-size: 14px } label.row { display: flex; gap: 8px }
button, select, input { font: inherit; font-size: 14px; color: inherit; background: var(--raised); max-width: 100% }
button, select, input { border: 1px solid var(--line); border-radius: 6px; padding: 7px 12px }
button { cursor: pointer } button.go { background: var(--accent); color: #0e0f11; font-size: 16px; padding: 12px }
:focus-visible { outline: 2px solid var(--now); outline-offset: 2px }
`
