/** What all pages share: plain HTML and one style, no script; dark or light as the browser prefers. */
import type { FastifyReply } from 'fastify'

/** A piece of HTML. A template escapes the texts that it inserts, and inserts pieces as they are. */
export type Html = { readonly html: string }
export type Part = string | number | Html | null | false | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: strings.reduce((text, piece, index) => text + write(parts[index - 1]) + piece) }
}

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (Array.isArray(part)) return part.map(write).join('')
  if (typeof part === 'object') return (part as Html).html
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

export function sendPage(reply: FastifyReply, title: string, site: string, body: Html): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${title} · ${site}</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
<header><b>${site}</b><span class="quiet">Simulator: no money moves here</span></header>
<main>${body}</main>
</html>
`
  return reply.type('text/html; charset=utf-8').send(page.html)
}

const style = `
@font-face { font-family: Inter; src: url(/simulator/Inter-Medium.ttf) }
:root {
  color-scheme: dark light;
  --ground: light-dark(#f6f4ef, #0e0f11); --raised: light-dark(#fffdf8, #17181b); --line: light-dark(#d2cec3, #34353a);
  --text: light-dark(#0e0f11, #f6f4ef); --quiet: light-dark(#56534c, #b3b0a9); --accent: #f2b03d;
  --done: light-dark(#1f6b33, #7fc48b); --failed: light-dark(#a32a18, #f08a7a); --now: light-dark(#0e0f11, #f2b03d);
}
* { box-sizing: border-box; margin: 0 }
body { background: var(--ground); color: var(--text); font: 16px/24px Inter, system-ui, sans-serif }
header { display: flex; justify-content: space-between; align-items: center; gap: 24px; padding: 16px 24px }
header { border-bottom: 1px solid var(--line); font-size: 14px }
header b { border-left: 12px solid var(--accent); padding-left: 12px }
main { max-width: 880px; margin: 0 auto; padding: 40px 24px 80px }
h1 { font-size: 28px; line-height: 40px }
h2 { font-size: 16px; margin: 40px 0 16px } h3 { font-size: 20px }
a { color: inherit } code, dd { overflow-wrap: anywhere } code { color: var(--quiet); font-size: 13px }
.quiet { color: var(--quiet) } .done { color: var(--done) } .failed { color: var(--failed) } .now { color: var(--now) }
small, dl, label, .quiet { font-size: 14px; line-height: 20px }
.price { font-size: 28px; line-height: 40px } .amount { white-space: nowrap }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 24px }
.card + .card { margin-top: 16px } .card, form.stack { display: grid; gap: 16px }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: 24px 48px }
.between { display: flex; justify-content: space-between; flex-wrap: wrap; gap: 8px 24px; align-items: center }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 8px 24px; margin-top: 24px }
dt { color: var(--quiet) }
form { display: flex; flex-wrap: wrap; gap: 8px; align-items: center } label { display: grid }
label.row { display: flex; gap: 8px; align-items: center } label.row input { min-height: 0 }
button, select, input { font: inherit; color: inherit; background: var(--raised); min-height: 40px; max-width: 100% }
button, select, input { border: 1px solid var(--line); border-radius: 6px; padding: 5px 12px }
button { cursor: pointer } button:hover { border-color: var(--quiet) } li button, form.small * { font-size: 14px }
button.go { background: var(--accent); color: #0e0f11; min-height: 48px }
:focus-visible { outline: 2px solid var(--now); outline-offset: 2px }
progress { width: 100%; accent-color: var(--accent) }
ul { list-style: none; padding: 0 } li { border-bottom: 1px solid var(--line); padding: 16px 0 }
li code { display: block } .note { border-left: 3px solid var(--accent); padding-left: 16px; margin-bottom: 24px }
`
