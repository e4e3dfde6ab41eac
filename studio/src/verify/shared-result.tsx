/** What the service says of the film behind a link: it has made it, so its bytes need no reading here. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useModelNames } from '../model-name.ts'
import { sharedFilmQuery } from '../share/shared-film-query.ts'
import { site } from '../site.ts'
import { ErrorState } from '../ui/states.tsx'
import { KnownResult, provenanceQuery } from './file-result.tsx'

const TOKEN = /^\/share\/([\w-]{80})(?:$|\/)/

export function SharedResult({ link }: { link: string }) {
  const url = URL.parse(link)
  const token = url?.origin === globalThis.location.origin ? TOKEN.exec(url.pathname)?.[1] : undefined
  if (token) return <SharedFilm token={token} />
  return (
    <p className="error-state">
      {t`This is no link to a shared film of ${site.name}. Save the film on your device, and choose the file.`}
    </p>
  )
}

function SharedFilm({ token }: { token: string }) {
  const film = useQuery(sharedFilmQuery(token))
  const sha256 = film.data?.sha256 ?? null
  const known = useQuery({ ...provenanceQuery(sha256 ?? ''), enabled: sha256 !== null })
  const nameOf = useModelNames()
  if (film.error?.code === 'NOT_FOUND') return <p className="error-state">{t`This film is not shared any more.`}</p>
  const failed = [film, known].find(({ error }) => error)
  if (failed?.error) return <ErrorState error={failed.error} retry={() => failed.refetch()} />
  if (!film.data || (sha256 !== null && !known.data)) return <p>{t`Asking ${site.name}…`}</p>
  const { model, completedAt } = film.data
  const unsigned = { kind: 'film', model: nameOf(model), madeAt: completedAt, signed: false, signer: null } as const
  return (
    <KnownResult
      known={known.data?.known ? known.data : { ...unsigned, known: true, ingredients: null }}
      credentials={null}
      sha256={sha256}
    />
  )
}
