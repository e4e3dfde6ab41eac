// slow
/** A film of each simulated vendor is signed; so are films that came with a vendor's own manifest. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { catalogue, everyModel } from '../../src/catalogue/catalogue.ts'
import { modesOfRoute, openModel } from '../../src/catalogue/model.ts'
import { withModelValues } from '../../src/catalogue/request.ts'
import { settingsPart } from '../../src/config/config.ts'
import { openSigner } from '../../src/provenance/keys.ts'
import { accounts } from '../../src/provider/accounts.ts'
import { setModel } from '../support/changed-models.ts'
import { judge, signByVendor } from '../support/content-credentials.ts'
import * as films from '../support/films.ts'
import { type Kinora, openKinora, type Person } from '../support/harness.ts'
import { startScriptedProvider } from '../support/scripted-provider.ts'
import { serviceAccount } from '../support/service-account.ts'
import { sharedSimulator } from '../support/simulator.ts'
import { uploadingVideos } from '../support/uploading-video.ts'
import { runNextStep } from '../support/video-row.ts'

const { url } = await sharedSimulator()
const ids = accounts()
  .map(({ id }) => id)
  .filter((id) => !id.startsWith('provider-'))
const keys = ids.map((id) => [`PROVIDER_${settingsPart(id)}_API_KEY`, id === 'vertex' ? serviceAccount() : 'key'])
const urls = ids.map((id) => [`PROVIDER_${settingsPart(id)}_URL`, `${url}/${id}`])
const kinora = await openKinora({ simulator: true, env: Object.fromEntries([...keys, ...urls]) })
const provider = await startScriptedProvider()
const scripted = await openKinora({ env: provider.env })
const { createUploadingVideo } = uploadingVideos(scripted, provider)
after(() => provider.close())

const rootOf = ({ app }: Kinora) => readFileSync(path.join(app.config.dataDir, 'provenance/root.pem'), 'utf8')

async function storedFilm({ call }: Kinora, as: Person, uuid: string) {
  const { data } = await call<{ videoUrl: string; model: string }>('GET', `/api/v1/video/${uuid}`, { as })
  return Buffer.from(await (await fetch(data.videoUrl)).arrayBuffer())
}

for (const account of ['provider-a', 'provider-b', ...ids]) {
  test(`content credentials: film of ${account} → trusted, made by AI, by its model`, async (_t) => {
    const served = [...everyModel().values()].flatMap((model) =>
      model.routes
        .filter((route) => route.account === account && modesOfRoute(route, model).includes('text-to-video'))
        .map((route) => ({ model, route })),
    )
    const [{ model, route } = assert.fail(`${account} makes no film of a text`)] = served
    const id = `at-${account}`
    setModel(openModel({ ...model, id, enabled: true, listed: true, routes: [route] }))
    const ann = await kinora.person({ credits: 5000 })
    const wanted = { model: id, prompt: 'A paper boat' }
    const body = withModelValues(catalogue(kinora.app.config), wanted, { aspectRatio: '9:16' })
    const { data, error } = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', { as: ann, body })
    assert.equal(error, undefined)
    const task = await kinora.finish(ann, data.uuid)
    assert.equal(task.status, 'COMPLETED', task.error ?? '')
    const found = await judge(await storedFilm(kinora, ann, data.uuid), 'video/mp4', rootOf(kinora))
    assert.deepEqual([found?.state, found?.failures, found?.actions], ['Trusted', [], ['c2pa.created']])
    assert.deepEqual(found?.softwareAgents, [model.name])
  })
}

const signedByVendors: [string, () => Promise<Buffer>][] = [
  ['H.264', () => films.greyFilm(640, 360, 15)],
  ['H.264, portrait', () => films.greyFilm(720, 1280, 15)],
  ['HEVC', films.paintedHevcMp4],
  ['AV1', films.paintedAv1Mp4],
]
for (const [name, make] of signedByVendors) {
  test(`content credentials: ${name}, with its vendor’s own manifest → trusted, with that as its parent`, async () => {
    const { filmShareMin } = scripted.app.config
    // The painted films have two seconds.
    Object.assign(filmShareMin, { duration: 0, size: 0 })
    const dataDir = path.join(scripted.app.config.dataDir, 'vendor')
    const vendor = await openSigner({ dataDir, provenance: { certificate: null, key: null } }, new Date())
    const theirs = await signByVendor(vendor, await make())
    const label = (await judge(theirs, 'video/mp4', vendor.root ?? ''))?.active
    provider.onFilm = () => theirs
    const { ann, uuid } = await createUploadingVideo()
    await runNextStep(scripted, uuid)
    const film = await storedFilm(scripted, ann, uuid)
    const found = await judge(film, 'video/mp4', rootOf(scripted) + vendor.root)
    assert.deepEqual([found?.state, found?.failures], ['Trusted', []])
    assert.deepEqual(found?.ingredients, [{ relationship: 'parentOf', manifest: label }])
    assert.deepEqual(found?.manifests.length, 2)
  })
}
