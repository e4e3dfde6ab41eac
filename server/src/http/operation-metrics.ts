/** The metrics that alerts need: deploy/observability/ has a dashboard and rules over them. */
import { Gauge, type Registry } from 'prom-client'
import { readOperations } from '../admin/operations.ts'
import { providerHealth } from '../admin/provider-health.ts'
import type { App } from '../app.ts'

/** @returns a function that reads the values into the registry */
export function openOperationMetrics(registry: Registry, app: App): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
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
  const nodeUp = app.distributed ? gauge('kinora_database_node_up', '0: the database node is down', ['node']) : null
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
    for (const { node, error } of (await app.distributed?.checkNodes()) ?? []) {
      nodeUp?.labels(node).set(error === null ? 1 : 0)
    }
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
