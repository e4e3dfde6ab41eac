/** Checks a film, for everyone: what its content credentials say, which this browser reads, and whether the service knows it. */
import { t } from '@lingui/core/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useRef } from 'react'
import { LanguageSelect } from '../i18n/language-select.tsx'
import { Brand } from '../shell/brand.tsx'
import { Footer } from '../shell/footer.tsx'
import { site } from '../site.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { useFileDrop } from '../ui/file-drop.ts'
import { formatBytes, formatPercent } from '../ui/format.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { FileResult } from './file-result.tsx'
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
    <>
      <PageTitle of={[t`Check a film`]} />
      <header className={`top ${styles.top}`}>
        <Link to="/" className="brand" preload={false}>
          <Brand />
        </Link>
      </header>
      <main className={styles.page}>
        <div className="stack">
          <h1>{t`Check a film`}</h1>
          <p>{t`Was it made by AI, and here? Choose a film or a picture. Its content credentials are read in your browser, and ${site.name} is asked whether it has made the file.`}</p>
        </div>
        <FileChoice onFile={chooseFile} />
        <LinkForm key={link} link={link} onLink={follow} />
        <section className="stack" aria-live="polite" aria-label={t`Result`}>
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
      </main>
      <div className={styles.foot}>
        <Footer>
          <LanguageSelect />
        </Footer>
      </div>
    </>
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
  const share = file.size === 0 ? 1 : bytesRead / file.size
  return (
    <div className={styles.reading}>
      <p>
        {sha256
          ? t`Reading the content credentials of ${file.name}…`
          : t`Reading ${file.name}: ${formatPercent(Math.floor(share * 100) / 100)} of ${formatBytes(file.size)}`}
      </p>
      <progress className={styles.bar} value={sha256 ? undefined : share} aria-label={t`Reading the file`} />
      <Button onClick={onCancel}>{t`Cancel`}</Button>
    </div>
  )
}
