/**
 * Planted faults of what both payment processors share (server/src/payment): effects, the store of events, the catalogue,
 * reconciliation. One-line changes, each of which a test must find (planted-faults.ts).
 */
import { type Fault, faultsIn } from './fault.ts'

export const paymentEventFaults: Fault[] = [
  ...faultsIn('src/payment/outcome.ts', [
    ['pack: the quantity is ignored', 'credits: product.credits * quantity,', 'credits: product.credits,'],
    ['free: the history does not say so', 'paid === 0 ?', 'false ?'],
    [
      'pack: the amount that was paid is forgotten',
      '...(paid === null ? {} : { paid: Math.round(paid) }),\n  })',
      '})',
    ],
  ]),
  ...faultsIn('src/payment/effect.ts', [
    ['sort key: the end of a subscription does not sort last', 'isEnd ? 1 : 0', '0'],
    ['sort key: the time is ignored', "String(Math.round(atMs)).padStart(15, '0')", "'0'"],
    ['sort key: events of one second by id and not by rank', "String(rank).padStart(2, '0')", "'00'"],
  ]),
  ...faultsIn('src/payment/events.ts', [
    ['mode: test and live mix', 'if (event.mode !== null && ours !== null && event.mode !== ours) {', 'if (false) {'],
    [
      'event: a chain of waiting events stops at its first',
      "=== 'applied') linkedIds.push(...linkedBy(earlier))",
      "=== 'applied') linkedIds.length = 0",
    ],
    [
      'event: waiting events are not applied',
      "if (state === 'applied' || state === 'known') await applyWaiting",
      "if (state === 'known') await applyWaiting",
    ],
    [
      'event: a repeated one does not apply what waits',
      "if (state === 'applied' || state === 'known') await applyWaiting",
      "if (state === 'applied') await applyWaiting",
    ],
    [
      'event: linked just before it is stored, it waits',
      "if (state === 'unmatched') state = await store(app, processor, event, body, by)",
      '',
    ],
    ['event: a charge links nothing', "return effect.do === 'charge' ? [effect.transaction] : []", 'return []'],
  ]),
  ...faultsIn('src/payment/plans.ts', [
    [
      'catalogue: old ids of a product are unknown',
      'processorIds(product, processor).includes(id)',
      'processorIds(product, processor)[0] === id',
    ],
    [
      'catalogue: a plan that is not listed does not renew',
      'products.find((product) => processorIds(product, processor)',
      'products.find((product) => product.listed && processorIds(product, processor)',
    ],
    ['period: a billing on the 31st ends with the month', 'laterMs > 0 && laterMs <= LONGER_PERIOD_MS', 'false'],
  ]),
  ...faultsIn('src/payment/reconcile.ts', [
    [
      'reconcile: what was read before an error is applied',
      'return { ...report, error: error.message }',
      'report.error = error.message',
    ],
    ['reconcile: a dry run applies', "const state = dryRun ? 'found' : await", 'const state = await'],
    [
      'reconcile: a failed object is found again',
      'if (state !== undefined || openIds.has(found.objectId))',
      'if (state !== undefined)',
    ],
  ]),
]
