/** What all pages share: plain HTML and one style, no script; dark or light as the browser prefers. */

/** A piece of HTML. A template escapes the texts that it inserts, and inserts pieces as they are. */
export type Html = { readonly html: string }
type Part = string | number | Html | null | false | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: strings.reduce((text, piece, index) => text + write(parts[index - 1]) + piece) }
}

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (Array.isArray(part)) return part.map(write).join('')
  if (typeof part === 'object') return (part as Html).html
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

export function document(title: string, site: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${title} · ${site}</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
<header><span class="mark" aria-hidden="true"></span>${site}<span class="quiet">Simulator: no money moves here</span></header>
<main>${body}</main>
</html>
`.html
}

const style = `
@font-face { font-family: Inter; src: url(/simulator/Inter-Medium.ttf); font-weight: 400 600 }
:root { --ground: #0e0f11; --raised: #17181b; --line: #34353a; --text: #f6f4ef; --quiet: #b3b0a9; --accent: #f2b03d; --done: #7fc48b; --failed: #f08a7a; color-scheme: dark }
@media (prefers-color-scheme: light) {
  :root { --ground: #f6f4ef; --raised: #fffdf8; --line: #d2cec3; --text: #0e0f11; --quiet: #56534c; --done: #1f6b33; --failed: #a32a18; color-scheme: light }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--text); font: 500 16px/24px Inter, system-ui, sans-serif }
.price, .amount { font-variant-numeric: tabular-nums; white-space: nowrap }
header { display: flex; gap: 12px; align-items: center; padding: 16px 24px; border-bottom: 1px solid var(--line); font-size: 14px }
header .quiet { margin-left: auto; text-align: right }
.mark { width: 12px; height: 16px; background: var(--accent); border-radius: 2px }
main { max-width: 880px; margin: 0 auto; padding: 40px 24px 80px }
h1 { font-size: 28px; line-height: 36px; margin: 0 0 8px }
h2 { font-size: 16px; margin: 48px 0 16px }
h3 { font-size: 20px; line-height: 28px; margin: 0 }
p { margin: 0 0 8px } .quiet { color: var(--quiet) } small, .small { font-size: 14px; line-height: 20px }
code { font: 13px/20px "JetBrains Mono", ui-monospace, monospace; color: var(--quiet); overflow-wrap: anywhere }
a { color: inherit }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 24px; margin: 0 0 16px } .card > :last-child { margin-bottom: 0 }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 48px; align-items: start }
.between { display: flex; justify-content: space-between; gap: 8px 24px; flex-wrap: wrap; align-items: baseline }
.price { font-size: 28px; line-height: 36px }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 8px 24px; margin: 24px 0 0; font-size: 14px; line-height: 20px }
dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
form { display: flex; gap: 8px; flex-wrap: wrap; margin: 0 }
form.stack { flex-direction: column; gap: 16px }
button, select, input { font: inherit; color: var(--text); background: transparent; border: 1px solid var(--line); border-radius: 6px; padding: 7px 16px; min-height: 40px; max-width: 100% }
button { cursor: pointer } button:hover { border-color: var(--quiet) }
select, option { background: var(--raised) } input { width: 100% } label { display: grid; gap: 4px; font-size: 14px }
.small-buttons button, .small-buttons select { font-size: 14px; line-height: 20px; min-height: 36px; padding: 5px 12px }
button.go { background: var(--accent); border-color: var(--accent); color: #0e0f11; font-size: 16px; min-height: 48px }
button.go:hover { filter: brightness(1.08) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media (prefers-color-scheme: light) { :focus-visible { outline-color: var(--text) } }
.actions { display: grid; grid-template-columns: 72px minmax(0, 1fr); gap: 12px 16px; margin-top: 24px; align-items: start }
.actions > span { color: var(--quiet); font-size: 14px; line-height: 36px } .actions > div { display: flex; gap: 8px; flex-wrap: wrap }
.done { color: var(--done) } .failed { color: var(--failed) } .now { color: var(--accent) }
@media (prefers-color-scheme: light) { .now { color: var(--text) } }
.done, .failed, .now { white-space: nowrap }
.strip { display: grid; grid-template-columns: repeat(24, 1fr); gap: 3px; margin: 16px 0 0 } .strip i { height: 10px; border-radius: 1px; background: var(--line) } .strip i.on { background: var(--accent) }
ul.rows { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line) }
ul.rows > li { border-bottom: 1px solid var(--line); padding: 16px 0; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px 24px; align-items: center }
ul.rows code { display: block } .dates { flex-wrap: nowrap; margin-top: 4px }
ul.payments > li { grid-template-columns: minmax(0, 1fr) auto 300px } ul.payments form { justify-content: flex-end }
.note { border-left: 3px solid var(--accent); padding: 4px 16px; margin: 0 0 24px }
@media (max-width: 640px) {
  main { padding: 24px 16px 64px } header { padding: 12px 16px } .pair { grid-template-columns: minmax(0, 1fr); gap: 24px }
  .card { padding: 16px } .actions { grid-template-columns: minmax(0, 1fr); gap: 4px } .actions > span { line-height: 20px; margin-top: 8px }
  ul.payments > li { grid-template-columns: minmax(0, 1fr) auto; align-items: start } ul.payments form { grid-column: 1 / -1; justify-content: flex-start }
}
`
