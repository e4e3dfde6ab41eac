/** Forgets which films have failed: earlier tests must not decide a film's provider (video/route-health.ts). */
import { beforeEach } from 'node:test'
import type { Kinora } from './harness.ts'

export function forgetFailuresBeforeEach(kinora: Kinora): void {
  beforeEach(async () => {
    await kinora.app.sql`truncate kinora.video_log, kinora.route_health`
    // A process reads the health of routes once a second.
    kinora.turnClock(1_000)
  })
}
