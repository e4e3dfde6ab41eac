/**
 * Makes films with the installed packages, from prompt to bytes: signs up at the installed `kinora`, and uses the
 * installed client and, with a new API key, the installed command line for users. Prints the sizes and the key. Runs
 * in a folder that has the client in its node_modules.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [url, folder, userCli] = process.argv.slice(2)
const entry = path.join(folder, 'node_modules/@kinora/client/dist/index.js')
const { openKinora } = await import(pathToFileURL(entry).href)

const body = { name: 'Release', email: 'release@example.com', password: randomBytes(12).toString('hex') }
const signUp = await openKinora({ baseUrl: url }).POST('/api/auth/sign-up/email', { body })
if (!signUp.data) throw new Error(`sign-up failed: ${JSON.stringify(signUp.error)}`)
const kinora = openKinora({ baseUrl: url, token: signUp.data.token })
const { data: video, error } = await kinora.generateAndWait({
  prompt: 'A paper boat in a rain gutter',
  model: 'delta-1-5',
  duration: 4,
  aspectRatio: '16:9',
})
if (!video) throw new Error(`generate failed: ${JSON.stringify(error)}`)
if (video.status !== 'COMPLETED') throw new Error(`the video is ${video.status}: ${video.error}`)
const film = Buffer.from(await (await fetch(video.videoUrl)).arrayBuffer())
assertFilm(film)
const page = await fetch(url, { headers: { accept: 'text/html' } })
if (!(await page.text()).includes('<script type="module"')) throw new Error('the studio is not served')
writeFileSync(path.join(folder, 'film.mp4'), film)

const created = await fetch(`${url}/api/auth/api-key/create`, {
  method: 'POST',
  headers: { authorization: `Bearer ${signUp.data.token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Release' }),
})
const { key } = await created.json()
if (!key) throw new Error(`no API key was made: status ${created.status}`)
const file = path.join(folder, 'by-command.mp4')
const env = { ...process.env, KINORA_URL: url, KINORA_API_KEY: key }
run(process.execPath, userCli, 'generate', 'A kite over the dunes', '--model', 'delta-1-5', '--output', file)
const second = readFileSync(file)
assertFilm(second)
process.stdout.write(`${[film.length, second.length, key].join(' ')}\n`)

function run(...command) {
  const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stdout}${stderr}`)
  return stdout
}

/** Recognises a film by the file type box of an MP4. */
function assertFilm(bytes) {
  if (bytes.subarray(4, 8).toString('latin1') !== 'ftyp') throw new Error('the film is no MP4')
}
