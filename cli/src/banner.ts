/** What a newcomer reads when everything runs: where, how to sign in, where data lies, how to make a film, how to stop. */
import { styleText } from 'node:util'

export type Started = {
  url: string
  /** null: nobody was asked to be the administrator. */
  adminEmail: string | null
  /** null: set by the operator, and not repeated on a terminal. */
  adminPassword: string | null
  dataDir: string
  /** null: the operator's own server. */
  clusterDir: string | null
  simulated: boolean
  production: boolean
}

export function firstSteps(started: Started): string {
  const { url, adminEmail, adminPassword, dataDir, clusterDir } = started
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
  if (started.simulated)
    rows.push(['Films by', 'the built-in simulator (PROVIDER_A_URL, PROVIDER_B_URL: real providers)'])
  rows.push(['Stop', process.stdout.isTTY ? 'Ctrl-C' : `Ctrl-C, or kill ${process.pid}`])
  const table = rows.map(([name, value]) => `  ${dim(name.padEnd(10))}${value}`).join('\n')
  const head = `\n${bold('Kinora is ready.')}\n\n${table}\n`
  if (started.production || !adminEmail) return `${head}\n`
  return `${head}\nA first film without the studio: paste this into another terminal.\n\n${firstFilm(url, adminEmail, adminPassword)}\n\n`
}

/**
 * One block for any POSIX shell, with nothing but curl, sed and grep. It is a subshell, so that it leaves nothing behind in the
 * shell it is pasted into; a refused request is shown and ends it.
 */
function firstFilm(url: string, email: string, password: string | null): string {
  return `(
kinora=${shellWord(url)} email=${shellWord(email)} password=${password ? shellWord(password) : '$ADMIN_PASSWORD'}
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

/** Quoted for the shell where it needs to be; a double quote in a password is also one in JSON. */
function shellWord(text: string): string {
  const json = JSON.stringify(text).slice(1, -1)
  return /^[\w@.:/-]+$/.test(json) ? json : `'${json.replaceAll("'", "'\\''")}'`
}

function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout })
}

function dim(text: string): string {
  return styleText('dim', text, { stream: process.stdout })
}
