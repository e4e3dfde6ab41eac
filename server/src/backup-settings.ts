/** The settings of backups: where they go, and how many are kept there. Access to S3 is that of the films unless it has its own. */

/** How an S3-compatible service is reached; `bucket` apart. */
export type BackupSettings = {
  /** A file, a folder, or `s3://bucket/prefix`; null: the command names it. */
  target: string | null
  /** null: all. */
  keep: number | null
  /** null without keys. */
  s3: {
    endpoint: string | null
    region: string
    accessKeyId: string
    secretAccessKey: string
    forcePathStyle: boolean
  } | null
}

type Readers = {
  env: Record<string, string | undefined>
  text: (name: string, fallback?: string) => string
  url: (name: string) => string
  integer: (name: string, fallback: number, min: number, max: number) => number
  boolean: (name: string, fallback: boolean) => boolean
}

const KEEP_MAX = 10_000

/** Each `BACKUP_S3_…` that is unset is the `S3_…` of the films. */
export function readBackupSettings({ env, text, url, integer, boolean }: Readers): BackupSettings {
  const isSet = (name: string) => Boolean(env[name]?.trim())
  const nameOf = (name: string) => (isSet(`BACKUP_${name}`) ? `BACKUP_${name}` : name)
  const endpoint = nameOf('S3_ENDPOINT')
  const hasKeys = isSet(nameOf('S3_ACCESS_KEY_ID')) && isSet(nameOf('S3_SECRET_ACCESS_KEY'))
  return {
    target: env.BACKUP_TO?.trim() || null,
    keep: isSet('BACKUP_KEEP') ? integer('BACKUP_KEEP', 14, 1, KEEP_MAX) : null,
    s3: hasKeys
      ? {
          endpoint: isSet(endpoint) ? url(endpoint) : null,
          region: text(nameOf('S3_REGION'), 'us-east-1'),
          accessKeyId: text(nameOf('S3_ACCESS_KEY_ID')),
          secretAccessKey: text(nameOf('S3_SECRET_ACCESS_KEY')),
          forcePathStyle: boolean(nameOf('S3_FORCE_PATH_STYLE'), isSet(endpoint)),
        }
      : null,
  }
}
