// slow
/** Folder storage: the common storage suite, its own behaviour, and the Content-Disposition header. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { assetContentTypes } from '../../src/media/asset/asset.ts'
import { filmContentTypes } from '../../src/media/film/film.ts'
import { imageContentTypes } from '../../src/media/image/image.ts'
import { openFolder } from '../../src/storage/folder.ts'
import { attachment, contentTypeOf, downloadNameOf } from '../../src/storage/key.ts'
import { openStorage } from '../../src/storage/open.ts'
import { storageSuite } from '../support/storage-suite.ts'

const root = await mkdtemp(path.join(tmpdir(), 'kinora-storage-'))
after(() => rm(root, { recursive: true }))

storageSuite('storage in a folder', () =>
  openStorage({ dataDir: path.join(root, 'suite'), s3: null, storage: 'folder' }),
)

test('folder: after writes and removals → only the stored files remain', async () => {
  const folder = path.join(root, 'tidy')
  const storage = await openFolder(folder)
  await storage.put('video/u/a.mp4', import.meta.filename, 'video/mp4')
  await storage.put('video/u/a.mp4', import.meta.filename, 'video/mp4')
  await assert.rejects(storage.put('video/u/b.mp4', path.join(root, 'none'), 'video/mp4'))
  // A file occupies the parent folder's path: the rename fails, and the copy is removed.
  await assert.rejects(storage.put('video/u/a.mp4/c.mp4', import.meta.filename, 'video/mp4'))
  await storage.check()
  assert.deepEqual((await readdir(folder, { recursive: true })).sort(), [
    '.incoming',
    'video',
    'video/u',
    'video/u/a.mp4',
  ])
})

test('folder: source with another mode, and another umask → stored files 0640, folders 0750', async () => {
  const folder = path.join(root, 'modes')
  const storage = await openFolder(folder)
  const source = path.join(root, 'private')
  await writeFile(source, 'film', { mode: 0o600 })
  await storage.put('video/u/a.mp4', source, 'video/mp4')
  const modeOf = async (name: string) => ((await stat(path.join(folder, name))).mode & 0o777).toString(8)
  assert.deepEqual(await Promise.all(['', '.incoming', 'video', 'video/u'].map(modeOf)), ['750', '750', '750', '750'])
  assert.equal(await modeOf('video/u/a.mp4'), '640')
})

test('folder: key replaced during a read → the reader gets the old content to its end', async () => {
  const folder = path.join(root, 'replaced')
  const storage = await openFolder(folder)
  const source = path.join(root, 'source')
  await writeFile(source, 'old')
  await storage.put('a.mp4', source, 'video/mp4')
  const reader = await open(path.join(folder, 'a.mp4'))
  await writeFile(source, 'new film')
  await storage.put('a.mp4', source, 'video/mp4')
  assert.equal(String(await reader.readFile()), 'old')
  await reader.close()
  assert.equal(await readFile(path.join(folder, 'a.mp4'), 'utf8'), 'new film')
})

test('folder: opened with leftovers of a killed process → copies older than a day are removed', async () => {
  const incoming = path.join(root, 'swept', '.incoming')
  await mkdir(incoming, { recursive: true })
  await writeFile(path.join(incoming, 'old'), '')
  await writeFile(path.join(incoming, 'young'), '')
  const longAgo = new Date(Date.now() - 25 * 3600 * 1000)
  await utimes(path.join(incoming, 'old'), longAgo, longAgo)
  await openFolder(path.join(root, 'swept'))
  assert.deepEqual(await readdir(incoming), ['young'])
})

test('folder: unusable path → StorageError when opened and when checked', async () => {
  await writeFile(path.join(root, 'file'), '')
  await assert.rejects(openFolder(path.join(root, 'file')), {
    name: 'StorageError',
    message: /cannot be used: E\w+\.$/,
  })
  const vanished = await openFolder(path.join(root, 'vanished'))
  await rm(path.join(root, 'vanished'), { recursive: true })
  await assert.rejects(vanished.check(), { name: 'StorageError', message: /cannot be used: ENOENT\.$/ })
  const readOnly = await openFolder(path.join(root, 'read-only'))
  await rm(path.join(root, 'read-only', '.incoming'), { recursive: true })
  await assert.rejects(readOnly.check(), { name: 'StorageError', message: /cannot be written to: ENOENT\.$/ })
})

test('attachment: ASCII name → filename; other names → filename and filename*; no header injection', () => {
  assert.equal(attachment('kinora-eeeeffff.mp4'), 'attachment; filename="kinora-eeeeffff.mp4"')
  assert.equal(attachment('Ü "x".mp4'), `attachment; filename="_ _x_.mp4"; filename*=UTF-8''%C3%9C%20%22x%22.mp4`)
  assert.equal(attachment("it's (a) *.mp4"), `attachment; filename="it's (a) *.mp4"`)
  assert.equal(attachment('100%.mp4'), `attachment; filename="100_.mp4"; filename*=UTF-8''100%25.mp4`)
  for (const name of ['a\r\nSet-Cookie: b', 'a\0b', '../../x', 'a\\b', '\u202Efdp.exe', '\uD800', '🎬']) {
    const header = attachment(name)
    assert.match(header, /^attachment; filename="[\x20-\x21\x23-\x7e]*"(; filename\*=UTF-8''[\w.~!*'()%-]+)?$/, header)
    assert.doesNotMatch(header, /[/\\]|%2F|%5C|%E2%80%AE/i)
  }
})

test('key: every extension that inspection returns → its content type', () => {
  const all = { ...filmContentTypes, ...imageContentTypes, ...assetContentTypes }
  for (const [extension, contentType] of Object.entries(all)) {
    assert.equal(contentTypeOf(`video/u/v.${extension}`), contentType)
  }
})

test('key: extension and id → content type and download name', () => {
  assert.equal(contentTypeOf('video/u/v.mp4'), 'video/mp4')
  assert.equal(contentTypeOf('video/u/v.jpg'), 'image/jpeg')
  for (const key of ['v.html', 'v.svg', 'v', 'v.constructor'])
    assert.equal(contentTypeOf(key), 'application/octet-stream')
  assert.equal(downloadNameOf('video/u/0193e7a1-aaaa-7bbb-8ccc-ddddeeeeffff.mp4'), 'kinora-eeeeffff.mp4')
  assert.equal(downloadNameOf('v'), 'kinora-v')
  assert.equal(downloadNameOf('video/u/0193e7a1-aaaa-7bbb-8ccc-ddddeeeeffff.mp4', 'A paper boat'), 'A paper boat.mp4')
  for (const [wanted, name] of [
    ['a.mp4', 'a.mp4'],
    ['A.MP4', 'A.mp4'],
    ['a.mov', 'a.mov.mp4'],
    ['.mp4', 'kinora-v.mp4'],
  ])
    assert.equal(downloadNameOf('video/u/v.mp4', wanted), name)
})

test('download name: device of Windows, hidden file, dots and spaces at an end, folder → a name that every file system takes', () => {
  const nameOf = (wanted: string) => downloadNameOf('video/u/v.mp4', wanted)
  for (const device of [
    'CON',
    'con',
    'PRN',
    'aux',
    'Nul',
    'COM1',
    'lpt9',
    'COM0',
    'com¹',
    'CONIN$',
    'CON .x',
    'nul.tar.gz',
  ])
    assert.equal(nameOf(device), `_${device}.mp4`)
  for (const plain of ['CONE', 'COM10', 'A CON', 'connect.x']) assert.equal(nameOf(plain), `${plain}.mp4`)
  for (const [wanted, name] of Object.entries({
    ...{
      'Boat. . ': 'Boat',
      '.hidden': 'hidden',
      ' CON. ': '_CON',
      '../CON': '_CON',
      'a/b\\c:d': 'a_b_c_d',
      '... ': 'kinora-v',
    },
    ...{ '\u202Efdp': '_fdp', 'a\nb': 'a_b', 'e\u0301': 'é' },
  }))
    assert.equal(nameOf(wanted), `${name}.mp4`)
})
