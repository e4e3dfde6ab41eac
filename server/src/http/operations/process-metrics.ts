/**
 * The metrics of all processes of `kinora api --processes` as one: counters and histograms are summed, and so are
 * gauges, except where their sum has no meaning (the delay of the event loop). What a child counted that has ended
 * stays in the sum, because a counter that falls looks like a restart to Prometheus, which would count everything
 * again.
 */
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import type { Channel } from '../../cluster/channel.ts'

/** What `Registry.getMetricsAsJSON` returns; JSON, because it crosses the IPC channel. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

/** Collects in the primary. @returns a function that adds a child, which returns the one to call at its end */
export function openProcessMetrics(): (channel: Channel) => () => void {
  /** The last snapshot of each living child. */
  const latest = new Map<Channel, Snapshot>()
  let ended: Snapshot = []

  /** A child that does not reply in time counts with its last snapshot. */
  const collect = async (): Promise<Snapshot[]> => {
    await Promise.allSettled(
      [...latest.keys()].map(async (channel) => {
        const snapshot = (await channel.ask('metrics', null)) as Snapshot
        if (latest.has(channel)) latest.set(channel, snapshot)
      }),
    )
    return [ended, ...latest.values()]
  }

  return (channel) => {
    latest.set(channel, [])
    channel.handle('metrics', collect)
    return () => {
      const counted = (latest.get(channel) ?? []).filter(({ type }) => isCount(type))
      latest.delete(channel)
      if (counted.length > 0) ended = sum([ended, counted])
    }
  }
}

/** The types are numbers in TypeScript and names in the JSON. */
const isCount = (type: unknown): boolean => type === 'counter' || type === 'histogram'

function sum(snapshots: Snapshot[]): Snapshot {
  const registry = AggregatorRegistry.aggregate(snapshots)
  return registry.getMetricsAsArray().map((metric) => (metric as unknown as { get: () => Snapshot[number] }).get())
}

/** Adds up. @returns the metrics of all processes in the format of Prometheus */
export const formatSum = (snapshots: Snapshot[]): Promise<string> => AggregatorRegistry.aggregate(snapshots).metrics()
