/** The metrics that alerts need, in parts that fail apart: deploy/observability/ has a dashboard and rules over them. */
import { Gauge, type Registry } from 'prom-client'
import { backlog } from '../../admin/backlog.ts'
import { readOperations } from '../../admin/operations.ts'
import { providerHealth } from '../../admin/provider-health.ts'
import type { App } from '../../app.ts'
import { countProblems } from '../../payment/events.ts'
import { reconcileCounts } from '../../payment/reconcile.ts'

/** Each function returns one that reads the values into the registry. */
export function openOperationMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = gaugesOf(registry)
  const due = gauge('kinora_videos_due', 'Videos that are due now and claimed by no worker')
  const oldestDue = gauge('kinora_videos_oldest_due_seconds', 'For how long the oldest of them has been due')
  const webhooksFailing = gauge('kinora_webhook_endpoints_failing', 'Endpoints of users to which no delivery succeeds')
  const webhooksOldestDue = gauge(
    'kinora_webhook_oldest_due_seconds',
    'For how long the oldest due webhook has waited for a worker',
  )
  const deadRows = gauge('kinora_database_dead_rows', 'Rows that vacuum has not removed yet', ['table'])
  const liveRows = gauge('kinora_database_live_rows', 'Rows, as the statistics estimate', ['table'])
  const snapshot = gauge(
    'kinora_database_oldest_snapshot_seconds',
    'Age of the oldest snapshot of a session: vacuum removes nothing that was deleted since',
  )
  const lag = gauge('kinora_database_replication_lag_bytes', 'How far the replay of a standby is behind', ['standby'])
  const free = gauge('kinora_disk_free_bytes', 'Free space where DATA_DIR is')
  const differences = gauge('kinora_ledger_differences', 'Differences that the last recorded check of the books found')
  const checkedAt = gauge(
    'kinora_ledger_check_last_success_timestamp_seconds',
    'When the last check of the books that got to its end has ended; 0: never',
  )
  const tasks = gauge(
    'kinora_provider_tasks',
    'Ended tasks of the last hour, or of a shorter time that has 5000 log entries',
    ['provider', 'outcome'],
  )
  const failureShare = gauge('kinora_provider_failure_share', 'Failed tasks by ended ones of the same time, 0 to 1', [
    'provider',
  ])
  return async () => {
    const [found, { providers }] = await Promise.all([readOperations(app), providerHealth(app)])
    due.set(found.due.videos)
    oldestDue.set(found.due.oldestS)
    webhooksFailing.set(found.webhooks.failing)
    webhooksOldestDue.set(found.webhooks.oldestS)
    for (const each of [deadRows, liveRows, lag, tasks, failureShare]) each.reset()
    for (const { name, deadRows: dead, liveRows: live } of found.tables) {
      deadRows.labels(name).set(dead)
      liveRows.labels(name).set(live)
    }
    snapshot.set(found.oldestSnapshotS)
    for (const { name, lagBytes } of found.standbys) lag.labels(name).set(lagBytes)
    free.set(found.freeBytes)
    differences.set(found.ledger.differences)
    if (found.ledger.checkedAt) checkedAt.set(found.ledger.checkedAt.getTime() / 1000)
    for (const { id, succeeded, failed, refused, failureShare: share } of providers) {
      tasks.labels(id, 'succeeded').set(succeeded)
      tasks.labels(id, 'failed').set(failed)
      tasks.labels(id, 'refused').set(refused)
      if (share !== null) failureShare.labels(id).set(share)
    }
  }
}

export function openNodeMetrics(registry: Registry, { database }: App): () => Promise<void> {
  // Without values when the database has no nodes.
  const up = gaugesOf(registry)('kinora_database_node_up', '0: the database node is down', ['node'])
  return async () => {
    for (const { node, error } of (await database.checkNodes?.()) ?? []) up.labels(node).set(error === null ? 1 : 0)
  }
}

export function openBacklogMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = gaugesOf(registry)
  const inProgress = gauge('kinora_videos_in_progress', 'Videos that are not final, by status', ['status'])
  const overdue = gauge(
    'kinora_videos_overdue',
    'Videos that have been due for more than a minute: no worker takes them up',
  )
  return async () => {
    const rows = await backlog(app)
    for (const status of ['PENDING', 'GENERATING', 'UPLOADING']) {
      inProgress.labels(status).set(rows.find((row) => row.status === status)?.inProgress ?? 0)
    }
    overdue.set(rows.reduce((sum, row) => sum + row.overdue, 0))
  }
}

export function openPaymentMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = gaugesOf(registry)
  const paymentEvents = gauge('kinora_payment_events', 'Payment events that need attention, by problem', [
    'processor',
    'problem',
  ])
  const differences = gauge(
    'kinora_reconcile_differences',
    'Payments, refunds and disputes that no webhook brought and reconciliation found, since the beginning',
    ['processor', 'kind'],
  )
  const reconciledAt = gauge(
    'kinora_reconcile_last_success_timestamp_seconds',
    'When reconciliation last compared all payments of a processor; 0: never',
    ['processor'],
  )
  const failing = gauge('kinora_reconcile_failing', '1 when the last reconciliation of a processor failed', [
    'processor',
  ])
  return async () => {
    const [{ found, runs }, problems] = await Promise.all([reconcileCounts(app), countProblems(app)])
    for (const row of found) differences.labels(row.processor, row.kind).set(row.found)
    for (const { processor, lastSuccessAt, lastError } of runs) {
      reconciledAt.labels(processor).set((lastSuccessAt?.getTime() ?? 0) / 1000)
      failing.labels(processor).set(lastError === null ? 0 : 1)
    }
    paymentEvents.reset()
    for (const { processor, problem, events } of problems) paymentEvents.labels(processor, problem).set(events)
  }
}

const gaugesOf =
  (registry: Registry) =>
  (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
