/**
 * Makes a film with the installed packages, from prompt to bytes: starts the installed `kinora`, signs up, and uses the installed
 * client. Runs in a folder that has both packages in its node_modules.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [url, folder] = process.argv.slice(2)
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
// The file type box of an MP4.
if (film.subarray(4, 8).toString('latin1') !== 'ftyp') throw new Error('the film is no MP4')
const page = await fetch(url, { headers: { accept: 'text/html' } })
if (!(await page.text()).includes('<script type="module"')) throw new Error('the studio is not served')
writeFileSync(path.join(folder, 'film.mp4'), film)
process.stdout.write(`${film.length}\n`)
