/** Checks a film, for everyone: what its content credentials say, which this browser reads, and whether the service knows it. */
import { t } from '@lingui/core/macro'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useRef } from 'react'
import { site } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { useFileDrop } from '../ui/file-drop.ts'
import { formatBytes, formatPercent } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { FileResult } from './file-result.tsx'
import { OpenPage } from './open-page.tsx'
import { useFileReading } from './read-file.ts'
import { SharedResult } from './shared-result.tsx'
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
      <p className="quiet small">{t`It stays on your device. Only its SHA-256 is sent, from which nobody can make the film.`}</p>
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
