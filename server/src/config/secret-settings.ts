/**
 * Settings that are secrets: each may come from a file, as container secrets do (`AUTH_SECRET_FILE=/run/secrets/auth`), and
 * is removed from the environment once it is read.
 */
import { type Environment, readSettingFile } from './setting-reader.ts'

const SECRET =
  /^(AUTH_SECRET|AI_CALLBACK_SECRET|ADMIN_PASSWORD|CAPTCHA_SECRET|DATABASE_URL|DATABASE_URL_DIRECT|SMTP_URL|OTEL_EXPORTER_OTLP_(TRACES_)?HEADERS|(BACKUP_)?S3_(ACCESS_KEY_ID|SECRET_ACCESS_KEY)|(GOOGLE|GITHUB|OIDC_[A-Z0-9]+)_CLIENT_SECRET|(PROVIDER|PAYMENT)_[A-Z]+_(API_KEY|WEBHOOK_KEY|WEBHOOK_SECRET))$/
const FILE_SUFFIX = '_FILE'
const FILE_BYTES_MAX = 64 * 1024

/**
 * @param problems receives a sentence for each file that cannot be used
 * @returns the environment with the content of each `…_FILE`, without spaces and line breaks around it
 */
export function withSecretFiles(env: Environment, problems: string[]): Environment {
  const result = { ...env }
  for (const [setting, file] of Object.entries(env)) {
    const name = setting.slice(0, -FILE_SUFFIX.length)
    if (!setting.endsWith(FILE_SUFFIX) || !SECRET.test(name) || !file?.trim()) continue
    if (env[name]?.trim()) {
      problems.push(`${name} and ${setting} are both set; keep one of them`)
      continue
    }
    const content = readSettingFile(setting, file, problems)
    if (content === null) continue
    if (content.length > FILE_BYTES_MAX) problems.push(`${setting}: the file is too large for a secret`)
    else if (content.trim() === '') problems.push(`${setting}: the file ${file} is empty`)
    else result[name] = content.trim()
  }
  return result
}

/**
 * Removes the secrets from an environment, so that no child process, crash report or library gets them. `/proc/<pid>/environ`
 * shows the environment that the process started with all the same, for its user and root: only a file keeps a secret out.
 * @returns the secrets that were removed: the primary of several API processes starts its children with them
 */
export function wipeSecrets(env: Environment): Environment {
  const secrets = Object.entries(env).filter(([name]) => SECRET.test(name))
  for (const [name] of secrets) delete env[name]
  return Object.fromEntries(secrets)
}
