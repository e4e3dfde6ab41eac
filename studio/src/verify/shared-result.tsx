/** What the service says of the film behind a link: it has made it, so its bytes need no reading here. */
import type { KinoraError, Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { publishedFilmQuery } from '../explore/queries.ts'
import { useModelNames } from '../model-name.ts'
import { uuidParam } from '../search-params.ts'
import { sharedFilmQuery } from '../share/shared-film-query.ts'
import { site } from '../site.ts'
import { ErrorState } from '../ui/states.tsx'
import { KnownResult, provenanceQuery } from './file-result.tsx'

const TOKEN = /^\/share\/([\w-]{80})(?:$|\/)/

export function SharedResult({ link }: { link: string }) {
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
