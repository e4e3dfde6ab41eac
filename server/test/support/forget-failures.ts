/** Forgets which films have failed: those of earlier tests must not decide to which provider a film goes (video/route-health.ts). */
import { beforeEach } from 'node:test'
import type { Kinora } from './harness.ts'

export function forgetFailuresBeforeEach(kinora: Kinora): void {
  beforeEach(async () => {
    await kinora.app.sql`truncate kinora.video_log, kinora.route_health`
    // A process reads the health of routes once a second.
    kinora.turnClock(1_000)
  })
}
