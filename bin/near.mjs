/**
 * Which test files are near changed files: `npm test -- --near FILE` and `--changed`. Nothing is recorded: nearness
 * follows from the texts of the files as they are. A file's score flows to the files that import it, that call a
 * function of its SQL, or that name an address which it registers; the more there are of those, the less each gets.
 * Rare words that a test shares with the file count as much, those of its titles and of both first comments again by
 * half. A test that is named like the file, or like what the score flowed through, is nearer.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const READ =
  /^(server|simulator|cli|client|python-client|ai-sdk-provider|user-cli|studio|proofs|bench|catalogue|bin)\/.*\.(tsx?|mjs|js|sql|json|po|css)$/
/** Their text is made from that of others. */
const GENERATED = /openapi.*\.json$|schema\.json$|\/generated|\/openapi\.ts$|released-functions\.json$/
const TEST = /\.test\.ts$/
const CHOSEN_MIN = 10
const CHOSEN_MAX = 20
/** Of the score of the nearest, from the eleventh on. */
const CHOSEN_SCORE_MIN = 0.16
/** Further away a path says nothing. */
const STEPS_MAX = 7
const SUBJECT_WEIGHT = 0.5
/** What names are compared with: the nearest files, functions and addresses. */
const NEAREST_MAX = 60
const KEPT_PER_STEP = 0.7
const FOLDER_FILES_MAX = 40

/** @returns what `git` names as changed since the last commit; in a clean tree, by the last commit */
export function changedFiles(root) {
  const now = git(root, 'status', '--porcelain', '--no-renames', '--untracked-files=all').map((line) => line.slice(3))
  return now.length > 0 ? now : git(root, 'diff', '--name-only', 'HEAD~1')
}

/** @returns {Map<string, string>} the texts of the sources, by their path below `root` */
export function readSources(root) {
  const names = git(root, 'ls-files', '--cached', '--others', '--exclude-standard')
  return new Map(
    names
      .filter((name) => READ.test(name) && !GENERATED.test(name) && existsSync(path.join(root, name)))
      .map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
  )
}

const git = (cwd, ...args) => execFileSync('git', args, { cwd, encoding: 'utf8' }).split('\n').filter(Boolean)

/**
 * @param {Map<string, string>} sources
 * @param {string[]} files paths below the root
 * @returns {{ file: string, reason: string }[]} the nearest test file first
 */
export function testsNear(sources, files) {
  const known = files.filter((file) => sources.has(file))
  const usersOf = findUsers(sources)
  const { scores, from } = spread(known, usersOf)
  const words = sharedWords(sources, known, (file, text) => `${file} ${text}`)
  const subjects = sharedWords(sources, known, subjectOf)
  const nearest = nearestOf(scores)
  const best = Math.max(
    ...[...scores].filter(([name]) => TEST.test(name) && !known.includes(name)).map(([, n]) => n),
    0,
  )
  const ranked = [...sources.keys()].filter(isTest).map((file) => {
    const shared = words.get(file)
    const near =
      (scores.get(file) ?? 0) / (best || 1) + (shared?.score ?? 0) + SUBJECT_WEIGHT * (subjects.get(file)?.score ?? 0)
    const alikes = [
      ...known.map((each) => alike(file, sources.get(file), each)),
      ...nearest.map(({ name, weight }) => 2 * weight * namedAlike(file, name)),
    ]
    const score = known.includes(file) ? 10 : near * (1 + Math.max(...alikes))
    return { file, score, reason: known.includes(file) ? 'changed' : reasonOf(file, from, shared) }
  })
  ranked.sort((a, b) => b.score - a.score)
  const highest = ranked.find(({ file }) => !known.includes(file))?.score ?? 0
  return ranked
    .filter(({ score }, rank) => score > 0 && (rank < CHOSEN_MIN || score >= highest * CHOSEN_SCORE_MIN))
    .slice(0, CHOSEN_MAX + known.filter(isTest).length)
    .map(({ file, reason }) => ({ file, reason }))
}

/** 2 for a test that is named like the file, or names it; less for one with some of its words, or of its folder's. */
const alike = (test, text, file) => (text.includes(path.posix.basename(file)) ? 2 : 2 * namedAlike(test, file))

/** The share of words that the names of a test and of a file, a function or an address have in common. */
function namedAlike(test, name) {
  const [ofTest, ofName] = [test, name].map(nameWords)
  return (2 * ofName.filter((word) => ofTest.includes(word)).length) / (ofTest.length + ofName.length || 1)
}
const nameWords = (name) => [
  ...new Set(name.replace(/^.*?\/(src|test|sql|v1)\/|^kinora\.|(\.test)?\.\w+$/g, '').match(/[a-zA-Z0-9]+/g)),
]

/** What the score flowed through, with a weight of at most 1. */
function nearestOf(scores) {
  const through = [...scores].filter(([name]) => !isTest(name)).sort(([, a], [, b]) => b - a)
  return through.slice(0, NEAREST_MAX).map(([name, score]) => ({ name, weight: Math.sqrt(score / through[0][1]) }))
}

/** What a file says that it is about: its path, its first comment, and of a test the titles. */
function subjectOf(file, text) {
  const [comment] = /^(#!.*\n)?\s*(\/\*\*[\s\S]*?\*\/|((--|\/\/).*\n)+)/.exec(text) ?? ['']
  const titles = [...text.matchAll(/\btest\(\s*['`]([^'`]*)/g)].map(([, title]) => title)
  return [file, comment, ...titles].join(' ')
}

const isTest = (file) => TEST.test(file)

/** The files that use a file, an SQL function (`kinora.name`) or an address (`/api/…`). */
function findUsers(sources) {
  const usersOf = new Map()
  const add = (used, user) => {
    if (used === user) return
    if (!usersOf.has(used)) usersOf.set(used, new Set())
    usersOf.get(used).add(user)
  }
  const functions = sqlFunctions(sources, add)
  const addresses = registeredAddresses(sources, add)
  const pages = studioPages(sources, add)
  for (const [file, text] of sources) {
    for (const imported of importsOf(file, text, sources)) add(imported, file)
    const [, generator] = /^-- .*\bWritten by .* from (\S+)\.$/m.exec(text) ?? []
    if (sources.has(generator)) add(generator, file)
    for (const called of new Set(text.match(/\b\w+(?=\()|(?<=\b(?:part|call)\([\w.]+, ')\w+/g))) {
      const name = functions.get(called)
      if (name) add(name, file)
    }
    for (const address of addressesIn(text)) if (addresses.has(address)) add(address, file)
    if (!file.startsWith('studio/test/')) continue
    for (const [, url] of text.matchAll(/['`](\/[^'`\s?#]*)/g))
      if (pages.has(normalized(url))) add(`page ${normalized(url)}`, file)
  }
  return usersOf
}

/** @returns the functions of server/sql by both of their names, in SQL and as a binding of TypeScript */
function sqlFunctions(sources, add) {
  const functions = new Map()
  for (const [file, text] of sources) {
    if (!file.startsWith('server/sql/')) continue
    for (const [, name] of text.matchAll(/create (?:or replace )?function kinora\.(\w+)/g)) {
      functions.set(name, `kinora.${name}`)
      functions.set(
        name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
        `kinora.${name}`,
      )
      add(file, `kinora.${name}`)
    }
  }
  return functions
}

function registeredAddresses(sources, add) {
  const addresses = new Set()
  for (const [file, text] of sources) {
    if (!file.startsWith('server/src/')) continue
    for (const [, url] of text.matchAll(/\b(?:url: |route\(\s*'[A-Z]+',\s*)['`]([^'`]+)['`]/g)) {
      const address = normalized(url)
      addresses.add(address)
      add(file, address)
    }
  }
  return addresses
}

/** Pages of the studio, by the routes that load them. */
function studioPages(sources, add) {
  const pages = new Set()
  for (const [file, text] of sources) {
    if (!/^studio\/src\/(.*\/)?routes\.tsx?$/.test(file)) continue
    const paths = new Map()
    for (const [route, name, parent, own] of text.matchAll(ROUTE)) {
      const page = normalized((paths.get(parent) ?? '') + own)
      paths.set(name, page)
      pages.add(page)
      for (const component of importsOf(file, route, sources)) add(component, `page ${page}`)
    }
  }
  return pages
}
const ROUTE = /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']*)'[\s\S]*?\n\}\)/g

const addressesIn = (text) => new Set((text.match(/(?<=['`"}])\/(?:api|files)\/[^'`"\s?]*/g) ?? []).map(normalized))

/** `/api/v1/team/members/:id`, `{id}`, `$id` and `${id}` are one address. */
const normalized = (url) => url.replace(/\$?\{[^}]*\}?|[:$]\w+/g, '*').replace(/(.)\/$/, '$1')

const SPECIFIER = /(?:\bfrom|\bimport|\bimport\(|new URL\()\s*['"]([^'"]+)['"]/g

/** Files that it imports, or a test names by path: a folder names each file in it, unless it names all sources. */
function importsOf(file, text, sources) {
  const found = !isTest(file)
    ? []
    : (text.match(/[\w.-]+(?:\/[\w.-]+)+\.\w+/g) ?? []).filter((name) => sources.has(name))
  for (const [, specifier] of text.matchAll(SPECIFIER)) {
    if (specifier === '@kinora/client') found.push('client/src/index.ts')
    if (!specifier.startsWith('.')) continue
    const target = path.posix.join(path.posix.dirname(file), specifier)
    if (sources.has(target)) found.push(target)
    else if (target.endsWith('/')) {
      const inFolder = [...sources.keys()].filter((name) => name.startsWith(target))
      if (inFolder.length <= FOLDER_FILES_MAX) found.push(...inFolder)
    }
  }
  return found
}

/** Lets the score of the changed files flow to their users. `from`: by which neighbour most of it came. */
function spread(files, usersOf) {
  const scores = new Map()
  const from = new Map()
  let wave = new Map(files.map((file) => [file, 1]))
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const next = new Map()
    for (const [used, score] of wave) {
      const users = usersOf.get(used) ?? []
      const share = (KEPT_PER_STEP * score) / Math.max(1, users.size) ** 0.75
      for (const user of users) {
        next.set(user, (next.get(user) ?? 0) + share)
        if (share > (from.get(user)?.share ?? 0) && !files.includes(user)) from.set(user, { used, share })
      }
    }
    for (const [user, score] of next) scores.set(user, (scores.get(user) ?? 0) + score)
    wave = next
  }
  return { scores, from }
}

/** The similarity of each test to the changed files by rare words (tf-idf) of a text of each, at most 1. */
function sharedWords(sources, files, textOf) {
  const compared = [...sources].filter(([file]) => isTest(file) || files.includes(file))
  const wordsOf = new Map(
    compared.map(([file, text]) => [file, new Set(textOf(file, text).match(/[a-zA-Z]\w{3,}|\p{Script=Han}{2,}/gu))]),
  )
  const filesWith = new Map()
  for (const words of wordsOf.values()) for (const word of words) filesWith.set(word, (filesWith.get(word) ?? 0) + 1)
  const weight = (word) => Math.log(compared.length / (filesWith.get(word) ?? 1)) ** 2
  const changed = new Set(files.flatMap((file) => [...(wordsOf.get(file) ?? [])]))
  const found = new Map()
  for (const [file, words] of wordsOf) {
    if (!isTest(file) || !files.some((changed) => mayRun(file, changed))) continue
    const shared = [...words].filter((word) => changed.has(word)).sort((a, b) => weight(b) - weight(a))
    const sum = shared.reduce((total, word) => total + weight(word), 0)
    const size = [...words].reduce((total, word) => total + weight(word), 0)
    found.set(file, { score: sum / Math.sqrt(size || 1), words: shared.slice(0, 3) })
  }
  const best = Math.max(...[...found.values()].map(({ score }) => score), 0) || 1
  return new Map([...found].map(([file, { score, words }]) => [file, { score: score / best, words }]))
}

/** Any test may start the service; what the other packages are, their own tests run. */
const mayRun = (test, file) => /^(server|simulator|catalogue)\//.test(file) || packageOf(test) === packageOf(file)
const packageOf = (file) => file.split('/', 1)[0]

/** The way by which the score came, from the test to the changed file; of a test that no way reaches, the words. */
function reasonOf(file, from, shared) {
  const way = []
  for (let at = from.get(file)?.used; at !== undefined && !way.includes(at); at = from.get(at)?.used) way.push(at)
  const words = shared?.words.length ? `says ${shared.words.join(', ')}` : ''
  return way.length > 0 && way.length <= 4 ? `by ${way.join(' ← ')}` : words
}
