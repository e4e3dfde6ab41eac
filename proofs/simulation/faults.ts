/**
 * Planted faults: one-line changes of the product, of the kind that people make. `npm run simulate -- --faults`
 * searches each in up to 2,000 runs; docs/reliability.md has what the last searches found.
 */
import { type Fault, faultyText } from '../faults/fault.ts'

/** `file`: below server/src, or server/sql. */
export const faults: Fault[] = [
  {
    name: 'a submit without a response is sent again',
    file: 'provider/submit-outcome.ts',
    find: "if (result.kind === 'no_response') return { kind: 'unknown', reason: result.reason }",
    replace:
      "if (result.kind === 'no_response') return { kind: 'not_accepted', reason: result.reason, retryable: true }",
  },
  {
    name: 'a worker without a lease submits all the same',
    file: 'video/lifecycle.ts',
    find: "if ((await videoBeginSubmit(app.calls, { ...leased(app, step), route })) === 'stale') return",
    replace: 'await videoBeginSubmit(app.calls, { ...leased(app, step), route })',
  },
  {
    name: 'each request of a set gets the outcome of the first',
    file: 'db/combiner.ts',
    find: 'resolve(outcomes[i] as Outcome)',
    replace: 'resolve(outcomes[i - i] as Outcome)',
  },
  {
    name: 'the Idempotency-Key is not passed on',
    file: 'video/generate.ts',
    find: 'key === null ? null : {',
    replace: 'key !== null ? null : {',
  },
  {
    name: 'a task that a provider has not got yet is sent again at once',
    file: 'video/lifecycle.ts',
    find: 'const CERTAIN_AFTER_S = 600',
    replace: 'const CERTAIN_AFTER_S = 0',
  },
  {
    name: 'a callback is answered before its report is recorded',
    file: 'video/lifecycle.ts',
    find: '? await recordReport(app, video, callback.report)',
    replace: "? await recordReport(app, video, callback.report).catch(() => 'unchanged' as const)",
  },
  {
    name: 'the files of a completed video are removed',
    file: 'video/collect.ts',
    find: "if (outcome === 'stale') await removeStoredFiles(app, recorded)",
    replace: 'if (outcome) await removeStoredFiles(app, recorded)',
  },
  {
    name: 'the attempts of a video share their files',
    file: 'video/film-files.ts',
    find: '`video/${video.userId}/${video.id}.${lease}`',
    replace: '`video/${video.userId}/${video.id}.${lease.slice(0, 0)}`',
  },
  {
    name: 'a lease lasts a thousand times too long',
    file: 'video/claim.ts',
    find: 'leaseMs: LEASE_MS }',
    replace: 'leaseMs: LEASE_MS * 1000 }',
  },
  {
    name: 'polling goes on after the deadline',
    file: 'video/lifecycle.ts',
    find: 'const isLast = app.now() >= video.deadlineAt',
    replace: 'const isLast = app.now() >= after(video.deadlineAt, 86_400)',
  },
  {
    name: 'a video is cancelled while its task is being sent',
    file: 'video_steps.sql',
    find: "(p_video.status <> 'PENDING' or p_video.submitted_at is not null) then",
    replace: "p_video.status <> 'PENDING' then",
  },
  {
    name: 'a cancel that a provider has not promised counts as done',
    file: 'video/cancel.ts',
    find: "if (answer === 'cancelled') {",
    replace: "if (answer === 'cancelled' || answer === 'requested') {",
  },
  {
    name: 'a submit that returns the film outlives its deadline',
    file: 'video/lifecycle.ts',
    find: "if (adapter.capabilities.submit !== 'synchronous') return",
    replace: "if (adapter.capabilities.submit !== 'asynchronous') return",
  },
  {
    name: 'the key of a provider goes with every link to a film',
    file: 'provider/adapter/runway.ts',
    find: '    close: api.close,',
    replace:
      "    openResult: async (_, url) => ({ kind: 'link', url, headers: { authorization: account.apiKey } }),\n    close: api.close,",
  },
  {
    name: 'a second event for a payment grants again',
    file: 'payment/effect.ts',
    find: '  const source = `${processor}:${orderNo}`',
    replace: '  const source = `${processor}:${orderNo}:${sortKey}`',
  },
  {
    name: 'a webhook is answered before its event is stored',
    file: 'http/payment-webhook.ts',
    find: "await receive(app, processor, body.toString('utf8'))",
    replace: "receive(app, processor, body.toString('utf8')).catch(() => undefined)",
  },
  {
    name: 'two refunds of a payment count as one',
    file: 'payment/payment-a/events.ts',
    find: 'const key = idAt(object) ?? `',
    replace: 'const key = `',
  },
  {
    name: 'an endpoint that sleeps is not woken by a new delivery',
    file: 'webhook.sql',
    find: 'set due_at = greatest(p_now, e.paused_until)',
    replace: 'set due_at = e.due_at',
  },
  {
    name: 'a webhook to an endpoint that is away is given up',
    file: 'webhook/attempt.ts',
    find: 'const dueAt = isGone ? null',
    replace: 'const dueAt = isGone || isOverloaded ? null',
  },
  {
    name: 'the webhooks of one video are sent side by side',
    file: 'webhook/dispatcher.ts',
    find: '({ id, subjectId }) => subjectId ?? id)',
    replace: '({ id }) => id)',
  },
  {
    name: 'the Idempotency-Key of a transfer is not passed on',
    file: 'credit/transfer.ts',
    find: 'idempotency: idempotencyKey ? {',
    replace: 'idempotency: idempotencyKey === userId ? {',
  },
  {
    name: 'a refund does not find the credits that a member has moved',
    file: 'credit_refund_claim.sql',
    find: 'join kinora.credit_package t on t.from_user_id = p_user_id and t.from_package_id = p.id',
    replace: 'join kinora.credit_package t on t.from_user_id = p_user_id and t.from_package_id = p_user_id',
  },
  {
    name: 'settling counts one hold of several',
    file: 'credit_settle.sql',
    find: 'open_holds = a.open_holds - s.holds',
    replace: 'open_holds = a.open_holds - 1',
  },
]

export type Plant = { file: string; plant: (text: string) => string }

export const codeFaultOf = (name: string | undefined): Plant | null => plantOf(name, (file) => file.endsWith('.ts'))
export const sqlFaultOf = (name: string | undefined): Plant | null => plantOf(name, (file) => file.endsWith('.sql'))

function plantOf(name: string | undefined, fits: (file: string) => boolean): Plant | null {
  if (!name) return null
  const fault = faults.find((each) => each.name === name)
  if (!fault) throw new Error(`there is no fault "${name}"`)
  if (!fits(fault.file)) return null
  return { file: fault.file, plant: (text) => faultyText(fault, text) }
}
