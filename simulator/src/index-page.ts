/** The simulator's start page: its base URLs, and the sentinels. */
import { document, html } from './payment/html.ts'
import { sentinelMeanings } from './sentinels.ts'

export function indexPage(): string {
  const rows = Object.values(sentinelMeanings).map(
    ([sentinel, meaning]) => html`<dt><code>${sentinel}</code></dt><dd>${meaning}</dd>`,
  )
  return document(
    'Simulator',
    'Kinora',
    html`<h1>Kinora simulator</h1>
    <p>This program stands in for both AI video providers. It takes the same requests, renders a real film of what it was
    asked for, and calls back, but no model is behind it and nothing is charged. It stands in for both payment processors
    too: with a page to pay on, a portal to cancel and to be refunded, and no money.</p>
    <p>Base URLs: <code>/provider-a</code> and <code>/provider-b</code>, <code>/payment-a</code> and
    <code>/payment-b</code>. What it was asked for so far: <a href="/simulator/tasks"><code>/simulator/tasks</code></a>; who
    bought what: <a href="/simulator/customers"><code>/simulator/customers</code></a>, as JSON
    <a href="/simulator/payments"><code>/simulator/payments</code></a>.</p>
    <h2>Words in a prompt that make it misbehave</h2>
    <dl>${rows}</dl>`,
  )
}
