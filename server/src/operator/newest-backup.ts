/** Reads when the newest backup at BACKUP_TO was made, at most every five minutes: listing a bucket costs money. */
import type { NewestBackup } from '../admin/overview.ts'
import type { App } from '../app.ts'
import { openTarget } from './backup-target.ts'

const TTL_MS = 300_000

/** @returns a function that never rejects: of backups that cannot be listed it says why, and the log too */
export function openNewestBackup({ config, log }: Pick<App, 'config' | 'log'>): () => Promise<NewestBackup> {
  const { target } = config.backup
  let newest: Promise<NewestBackup> = Promise.resolve(null)
  let readMs = Number.NEGATIVE_INFINITY
  const read = async (to: string): Promise<NewestBackup> => {
    try {
      const { list, close } = await openTarget(config, to)
      return { target: to, madeAt: (await list().finally(close)).at(-1)?.madeAt ?? null, error: null }
    } catch (error) {
      const reason = (error as Error).message
      log.warn({ reason }, 'backups at BACKUP_TO cannot be listed')
      return { target: to, madeAt: null, error: reason }
    }
  }
  return () => {
    if (target === null || performance.now() - readMs < TTL_MS) return newest
    readMs = performance.now()
    newest = read(target)
    return newest
  }
}
