/** The settings of backups: where they go, and how many are kept there. Access to S3 is that of the films unless it has its own. */
import { readS3Access, type S3Access } from './s3-settings.ts'
import type { SettingReader } from './setting-reader.ts'

export type BackupSettings = {
  /** A file, a folder, or `s3://bucket/prefix`; null: the command names it. */
  target: string | null
  /** null: all. */
  keep: number | null
  /** null without keys. */
  s3: S3Access | null
}

const KEEP_MAX = 10_000

/** Each `BACKUP_S3_…` that is unset is the `S3_…` of the films. */
export function readBackupSettings(reader: SettingReader): BackupSettings {
  const { given, isSet, integer } = reader
  const nameOf = (name: string) => (isSet(`BACKUP_${name}`) ? `BACKUP_${name}` : name)
  const hasKeys = isSet(nameOf('S3_ACCESS_KEY_ID')) && isSet(nameOf('S3_SECRET_ACCESS_KEY'))
  return {
    target: given('BACKUP_TO') || null,
    keep: isSet('BACKUP_KEEP') ? integer('BACKUP_KEEP', 14, 1, KEEP_MAX) : null,
    s3: hasKeys ? readS3Access(reader, nameOf) : null,
  }
}
