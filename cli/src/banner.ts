/** The start-up banner: URLs, the administrator's sign-in, where data is stored, a first API call, and how to stop. */
import { styleText } from 'node:util'

type BannerFacts = {
  url: string
  /** null: no administrator is configured. */
  adminEmail: string | null
  /** null: set by the operator, and not printed. */
  adminPassword: string | null
  dataDir: string
  /** null: the operator's own PostgreSQL server. */
  clusterDir: string | null
  simulated: boolean
  production: boolean
}

export function startupBanner(facts: BannerFacts): string {
  const { url, adminEmail, adminPassword, dataDir, clusterDir } = facts
  const rows: [string, string][] = [
    ['Studio', `${bold(url)}   open it, sign up, make a film`],
    ['API', `${url}/docs`],
  ]
  if (adminEmail)
    rows.push([
      'Admin',
      `${bold(adminEmail)}   password ${adminPassword ? bold(adminPassword) : 'as in ADMIN_PASSWORD'}`,
    ])
  rows.push(['Data', dataDir])
  rows.push(['Database', clusterDir ?? 'your own, as in DATABASE_URL'])
  if (facts.simulated)
    rows.push([
      'Provider',
      'the built-in simulator; a real one: PROVIDER_FAL_API_KEY=… or another of docs/providers.md',
    ])
  rows.push(['Stop', process.stdout.isTTY ? 'Ctrl-C' : `Ctrl-C, or kill ${process.pid}`])
  const table = rows.map(([name, value]) => `  ${dim(name.padEnd(10))}${value}`).join('\n')
  const head = `\n${bold('Kinora is ready.')}\n\n${table}\n`
  if (facts.production || !adminEmail) return `${head}\n`
  return `${head}\nA first film without the studio: paste this into another terminal.\n\n${firstFilmScript(url, adminEmail, adminPassword)}\n\n`
}

/**
 * One block for any POSIX shell, with nothing but curl and sed. It is a subshell, so that it defines nothing in the
 * shell it is pasted into. An error response is printed and ends the script.
 */
function firstFilmScript(url: string, email: string, password: string | null): string {
  return `(
kinora=${shellQuote(url)} email=${shellQuote(email)} password=${password ? shellQuote(password) : '$ADMIN_PASSWORD'}
json='content-type: application/json'
pick() { sed -n 's/.*"'$1'":"\\([^"]*\\)".*/\\1/p'; }
key="authorization: bearer $(curl -s $kinora/api/auth/sign-in/email -H "$json" \\
  -d '{"email":"'"$email"'","password":"'"$password"'"}' | pick token)"
film=$(curl -s $kinora/api/v1/video/generate -H "$key" -H "$json" -d '{"model":"delta-1-5",
  "duration":4,"aspectRatio":"16:9","prompt":"A paper boat crosses a pond at dawn"}')
id=$(echo "$film" | pick uuid); [ "$id" ] || echo "$film"
while [ "$id" ] && task=$(curl -s "$kinora/api/v1/video/task?uuid=$id" -H "$key"); do
  echo "$task"; case $task in *COMPLETED*|*FAILED*|*false*) break;; esac; sleep 1
done
curl -s $kinora/api/v1/video/$id -H "$key" | pick videoUrl
)`
}

/** Quotes for the shell where necessary. The text is JSON-escaped first, because the script inserts it into JSON. */
function shellQuote(text: string): string {
  const json = JSON.stringify(text).slice(1, -1)
  return /^[\w@.:/-]+$/.test(json) ? json : `'${json.replaceAll("'", "'\\''")}'`
}

function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout })
}

function dim(text: string): string {
  return styleText('dim', text, { stream: process.stdout })
}
