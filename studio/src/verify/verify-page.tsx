/** Checks a film, for everyone: its content credentials, read by this browser, and whether the service knows it. */

import type { KinoraError, Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { publishedFilmQuery } from '../explore/queries.ts'
import { useModelNames } from '../model-name.ts'
import { uuidParam } from '../search-params.ts'
import { sharedFilmQuery } from '../share/shared-film-query.ts'
import { site } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { useFileDrop } from '../ui/file-drop.ts'
import { formatBytes, formatPercent } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { ErrorState } from '../ui/states.tsx'
import type { ReadFile } from './credentials.ts'
import { FileResult, KnownResult, provenanceQuery } from './file-result.tsx'
import { OpenPage } from './open-page.tsx'
import workerUrl from './read-file.worker.ts?worker&url'
import styles from './verify-page.module.css'

const route = getRouteApi('/verify')

export function VerifyPage() {
  const { link } = route.useSearch()
  const navigate = route.useNavigate()
  const { reading, choose } = useFileReading()
  const chooseFile = (file: File) => {
    choose(file)
    if (link) navigate({ search: {}, resetScroll: false })
  }
  const follow = (given: string) => {
    choose(null)
    navigate({ search: { link: given }, resetScroll: false })
  }
  const isReading = reading && !reading.isUnreadable && !reading.credentials
  return (
    <OpenPage title={t`Check a film`}>
      <div className="stack">
        <h1>{t`Check a film`}</h1>
        <p>{t`Was it made by AI, and here? Choose a film or a picture. Its content credentials are read in your browser, and ${site.name} is asked whether it has made the file.`}</p>
      </div>
      <FileChoice onFile={chooseFile} />
      <LinkForm key={link} link={link} onLink={follow} />
      <section className="stack" aria-live={isReading ? 'off' : 'polite'} aria-label={t`Result`}>
        {isReading ? <Reading {...reading} onCancel={() => choose(null)} /> : null}
        {reading?.isUnreadable ? (
          <p className="error-state">
            {t`${reading.file.name} could not be read. It may have been moved, be a folder, or be too large for this browser.`}
          </p>
        ) : null}
        {reading?.sha256 && reading.credentials ? (
          <FileResult file={reading.file} sha256={reading.sha256} credentials={reading.credentials} />
        ) : null}
        {link && !reading ? <SharedResult link={link} /> : null}
      </section>
    </OpenPage>
  )
}

function FileChoice({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useFileDrop(onFile)
  return (
    <div className={styles.drop} data-over={isOver}>
      <Button kind="primary" onClick={() => input.current?.click()}>
        {isOver ? t`Let it go to check it` : t`Choose a file`}
      </Button>
      <p className={`quiet ${styles.dropHint}`}>{t`or drop it anywhere on this page`}</p>
      <p className="quiet small">{t`It stays on your device. Only its SHA-256 is sent, from which the service cannot make the film.`}</p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t`File to check`}
        accept="video/*,image/*"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Reset the input, or choosing the same file again would fire no change event.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </div>
  )
}

function LinkForm({ link, onLink }: { link: string | undefined; onLink: (link: string) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onLink(String(new FormData(event.currentTarget).get('link')).trim())
  }
  return (
    <form className={styles.link} onSubmit={submit}>
      <Field label={t`Or paste the link of a shared film`} name="link" type="url" required defaultValue={link} />
      <Button type="submit">{t`Check the link`}</Button>
    </form>
  )
}

type ReadingProps = { file: File; bytesRead?: number; sha256?: string; onCancel: () => void }

function Reading({ file, bytesRead = 0, sha256, onCancel }: ReadingProps) {
  const percent = sha256 ? 100 : Math.floor((bytesRead / (file.size || 1)) * 100)
  const text = sha256
    ? t`Reading the content credentials of ${file.name}…`
    : t`Reading ${file.name}: ${formatPercent(percent / 100)} of ${formatBytes(file.size)}`
  return (
    <div className={styles.reading}>
      <p>{text}</p>
      <ProgressStrip status="GENERATING" progress={percent} label={t`Reading the file`} text={text} />
      <div>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
      </div>
    </div>
  )
}

const TOKEN = /^\/share\/([\w-]{80})(?:$|\/)/

/** What the service says of the film behind a link: it has made it, so its bytes need no reading here. */
function SharedResult({ link }: { link: string }) {
  const url = URL.parse(link)
  const isHere = url?.origin === globalThis.location.origin
  const token = isHere ? TOKEN.exec(url.pathname)?.[1] : undefined
  const published = isHere && url.pathname === '/explore' ? uuidParam(url.searchParams.get('film')) : undefined
  if (token) return <SharedFilm token={token} />
  if (published) return <PublishedFilm id={published} />
  return (
    <p className="error-state">
      {t`This is no link to a shared film of ${site.name}. Save the film on your device, and choose the file.`}
    </p>
  )
}

const SharedFilm = ({ token }: { token: string }) => <FilmResult film={useQuery(sharedFilmQuery(token))} />
const PublishedFilm = ({ id }: { id: string }) => <FilmResult film={useQuery(publishedFilmQuery(id))} />

type Film = {
  data: Pick<Schemas['SharedVideo'], 'sha256' | 'model' | 'completedAt'> | undefined
  error: KinoraError | null
  refetch: () => unknown
}

function FilmResult({ film }: { film: Film }) {
  const sha256 = film.data?.sha256 ?? null
  const known = useQuery({ ...provenanceQuery(sha256 ?? ''), enabled: sha256 !== null })
  const nameOf = useModelNames()
  if (film.error?.code === 'NOT_FOUND') return <p className="error-state">{t`This film is not shared any more.`}</p>
  const failed = [film, known].find(({ error }) => error)
  if (failed?.error) return <ErrorState error={failed.error} retry={() => failed.refetch()} />
  const model = film.data ? nameOf(film.data.model) : null
  if (!film.data || model === null || (sha256 !== null && !known.data)) return <p>{t`Asking ${site.name}…`}</p>
  const unsigned = { kind: 'film', model, madeAt: film.data.completedAt, signed: false, signer: null } as const
  return (
    <KnownResult
      known={known.data?.known ? known.data : { ...unsigned, known: true, ingredients: null }}
      credentials={null}
      sha256={sha256}
    />
  )
}

/** The file that is being read, or was; `null`: none. Another one replaces it, and `choose(null)` ends the reading. */
function useFileReading() {
  const [reading, setReading] = useState<({ file: File } & ReadFile) | null>(null)
  const worker = useRef<Worker | null>(null)
  const choose = (file: File | null) => {
    worker.current?.terminate()
    worker.current = file && openWorker()
    setReading(file && { file })
    if (!file || !worker.current) return
    const add = (known: ReadFile) => setReading((before) => (before?.file === file ? { ...before, ...known } : before))
    worker.current.onmessage = ({ data }: MessageEvent<ReadFile>) => add(data)
    // Its script could not be loaded, or it has not enough memory.
    worker.current.onerror = () => add({ isUnreadable: true })
    worker.current.postMessage(file)
  }
  useEffect(() => () => worker.current?.terminate(), [])
  return { reading, choose }
}

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string }
}
/** Trusted Types, where the browser has them: the one policy that the page's allows, for one address. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('kinora-worker', {
  createScriptURL: () => workerUrl,
})
const openWorker = () => new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' })
