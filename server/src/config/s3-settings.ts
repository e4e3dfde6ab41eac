/** The settings of S3: how a service is reached, and the bucket of the films. */
import type { SettingReader } from './setting-reader.ts'

/** How an S3-compatible service is reached; `endpoint` null: that of AWS. */
export type S3Access = {
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
}

export type S3Settings = S3Access & {
  bucket: string
  /** The origin of a CDN in front of the bucket, to which readers are sent; null or left out: to the bucket. */
  filesUrl?: string | null
}

/** @returns null: films are in a folder */
export function readS3Settings(reader: SettingReader): S3Settings | null {
  const { given, isSet, text, url, problems } = reader
  const { pathname = '/' } = URL.parse(given('FILES_URL')) ?? {}
  if (isSet('FILES_URL') && !isSet('S3_BUCKET')) problems.push('FILES_URL is for films in S3: set S3_BUCKET')
  if (pathname !== '/') problems.push('FILES_URL must be an address without a path')
  if (!isSet('S3_BUCKET')) return null
  return {
    bucket: text('S3_BUCKET'),
    ...readS3Access(reader, (name) => name),
    filesUrl: isSet('FILES_URL') ? url('FILES_URL') : null,
  }
}

/** @param nameOf the setting that holds for `S3_REGION` and the others */
export function readS3Access({ env, text, url, boolean }: SettingReader, nameOf: (name: string) => string): S3Access {
  const endpoint = nameOf('S3_ENDPOINT')
  return {
    endpoint: env[endpoint] ? url(endpoint) : null,
    region: text(nameOf('S3_REGION'), 'us-east-1'),
    accessKeyId: text(nameOf('S3_ACCESS_KEY_ID')),
    secretAccessKey: text(nameOf('S3_SECRET_ACCESS_KEY')),
    forcePathStyle: boolean(nameOf('S3_FORCE_PATH_STYLE'), Boolean(env[endpoint])),
  }
}
