/** The simulator's own page: what this is, and the words that make it misbehave. */
import { sentinelMeanings } from './sentinels.ts'

export function page(): string {
  const rows = Object.values(sentinelMeanings)
    .map(([word, meaning]) => `<tr><td><code>${word}</code><td>${meaning}`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Kinora simulator</title>
<style>
body { background: #0e0f11; color: #f6f4ef; font: 16px/1.6 Inter, system-ui, sans-serif; max-width: 46rem; margin: 4rem auto; padding: 0 1.5rem }
h1 { font-size: 1.4rem; font-weight: 600 } h2 { font-size: 1rem; margin-top: 2.5rem }
a, code { color: #f2b03d } td { padding: .25rem 1.5rem .25rem 0; vertical-align: top } td:first-child { white-space: nowrap }
</style>
<h1>Kinora simulator</h1>
<p>This program stands in for both AI video providers. It takes the same requests, renders a real film of what it was
asked for, and calls back, but no model is behind it and nothing is charged. It stands in for both payment processors
too: with a page to pay on, a portal to cancel and to be refunded, and no money.</p>
<p>Base URLs: <code>/provider-a</code> and <code>/provider-b</code>, <code>/payment-a</code> and <code>/payment-b</code>. What
it was asked for so far: <a href="/simulator/tasks"><code>/simulator/tasks</code></a>; who bought what:
<a href="/simulator/customers"><code>/simulator/customers</code></a>, as JSON <a href="/simulator/payments"><code>/simulator/payments</code></a>.</p>
<h2>Words in a prompt that make it misbehave</h2>
<table>
${rows}
</table>
</html>
`
}
