/** The verdict about a file, and what is known of it: by its content credentials, and by this service. */
import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { site } from '../site.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatBytes, formatDateTime, formatList } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import type { Claims, Credentials } from './credentials.ts'
import styles from './verify-page.module.css'

type Known = Schemas['ProvenanceVerification']

export const provenanceQuery = (sha256: string) =>
  queryOptions({
    queryKey: ['provenance', sha256],
    queryFn: () => dataOf(kinora.POST('/api/v1/provenance/verify', { body: { sha256 } })),
    retry: false,
  })

type FileProps = { file: File; sha256: string; credentials: Credentials }

/** What the file says is shown also when the service does not answer. */
export function FileResult({ file, sha256, credentials }: FileProps) {
  const { data, error, isPending, refetch } = useQuery(provenanceQuery(sha256))
  if (isPending) return <p>{t`Asking ${site.name}…`}</p>
  return (
    <>
      <KnownResult known={data ?? null} credentials={credentials} sha256={sha256} file={file} />
      {error ? (
        <div className="stack">
          <p>{t`Whether this service has made the file is not known: it could not be asked.`}</p>
          <ErrorState error={error} retry={() => refetch()} />
        </div>
      ) : null}
    </>
  )
}

type Props = { known: Known | null; credentials: Credentials | null; sha256: string | null; file?: File }

/** @param props `known`: null when the service could not be asked; `credentials`: null when they were not read */
export function KnownResult({ known, credentials, sha256, file }: Props) {
  const { kind, title, sentences } = known?.known
    ? ofThisService(known, credentials)
    : ofAnother(credentials, known !== null)
  const claims = credentials && 'chain' in credentials ? credentials : null
  const [newest] = claims?.chain ?? []
  const madeAt = known?.madeAt ?? newest?.at
  return (
    <div className="panel">
      <div className="stack">
        <h2>
          <span className={`mark ${styles.verdict}`} data-kind={kind}>
            {title}
          </span>
        </h2>
        <div>
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </div>
      <dl className="facts">
        {file ? <Fact name={t`File`}>{`${file.name} · ${formatBytes(file.size)}`}</Fact> : null}
        {known?.known || newest ? (
          <>
            <Fact name={t`Made with`}>{known?.model ?? newest?.maker}</Fact>
            <Fact name={t`Made`}>{madeAt ? formatDateTime(madeAt) : null}</Fact>
            <Fact name={t`Made from`}>{origins(known?.ingredients ?? null, claims)}</Fact>
            <Fact name={t`Signed by`}>{known?.signer ?? newest?.signer}</Fact>
          </>
        ) : null}
        {credentials ? <Fact name={t`Content credentials`}>{stateLabels()[credentials.state]}</Fact> : null}
      </dl>
      {credentials?.state === 'valid' && credentials.chain.length > 1 ? <Chain chain={credentials.chain} /> : null}
      {sha256 ? (
        <div className={styles.hash}>
          <span className="quiet">{t`SHA-256`}</span>
          <code>{sha256}</code>
          <CopyButton kind="quiet" text={sha256} />
        </div>
      ) : null}
    </div>
  )
}

type Verdict = { kind: 'done' | 'failed' | 'open'; title: string; sentences: string[] }

function ofThisService({ kind, signed }: Known, credentials: Credentials | null): Verdict {
  const title = kind === 'poster' ? t`The poster of a film made here, by AI` : t`Made here, by AI`
  const sentences = [
    credentials ? t`${site.name} has made exactly this file.` : t`${site.name} has made the film of this link.`,
    credentials?.state === 'valid' ? t`Its content credentials are valid.` : null,
    credentials?.state === 'none' && signed ? t`Its content credentials lie in a file beside it.` : null,
    signed ? null : t`It has no content credentials.`,
  ]
  return { kind: 'done', title, sentences: sentences.filter((each) => each !== null) }
}

/** @param isAsked whether the service has answered that it does not know the file */
function ofAnother(credentials: Credentials | null, isAsked: boolean): Verdict {
  const notHere = isAsked ? [t`${site.name} has not made this file, or not in this form.`] : []
  const verdict = (kind: Verdict['kind'], title: string, sentence: string): Verdict => ({
    kind,
    title,
    sentences: [sentence, ...notHere],
  })
  switch (credentials?.state) {
    case 'valid':
      return verdict(
        'done',
        credentials.isByAi ? t`Made by AI` : t`Valid content credentials`,
        t`The file is as its signer has signed it. Whether the signer can be trusted is for you to judge.`,
      )
    case 'changed':
      return verdict(
        'failed',
        t`Changed since it was signed`,
        t`The content credentials belong to other bytes: do not rely on what they say.`,
      )
    case 'invalid':
      return verdict('failed', t`Not validly signed`, t`Do not rely on what the content credentials say.`)
    case 'damaged':
      return verdict('failed', t`Not readable`, t`The file is damaged, or its content credentials are.`)
    case 'unavailable':
      return verdict(
        'open',
        t`Content credentials not read`,
        t`This browser could not load the reader, or has not enough memory for it.`,
      )
    default:
      return verdict(
        'open',
        isAsked ? t`Nothing is known of this file` : t`No content credentials`,
        t`It has no content credentials. AI may have made it all the same: a film that is cut or encoded again loses them.`,
      )
  }
}

const stateLabels = (): Record<Credentials['state'], string> => ({
  valid: t({ message: 'Valid', context: 'content credentials' }),
  changed: t`Valid for other bytes`,
  invalid: t({ message: 'Not valid', context: 'content credentials' }),
  none: t({ message: 'None in the file', context: 'content credentials' }),
  damaged: t({ message: 'Not readable', context: 'content credentials' }),
  unavailable: t({ message: 'Not read', context: 'content credentials' }),
})

/** By the service, else by the manifest; null: unknown. */
function origins(ingredients: Known['ingredients'], claims: Claims | null): string | null {
  if (!ingredients && !claims) return null
  const count = (of: 'parent' | 'input') => ingredients?.filter(({ relationship }) => relationship === of).length
  const inputs = count('input') ?? claims?.inputs ?? 0
  const parents = count('parent') ?? (claims?.chain.length ?? 1) - 1
  const found = [
    parents > 0 ? t`an earlier film` : null,
    inputs > 0 ? plural(inputs, { one: '# picture', other: '# pictures' }) : null,
  ]
  return formatList(found.filter((each) => each !== null)) || t`text`
}

const Chain = ({ chain }: { chain: Claims['chain'] }) => (
  <div className="stack">
    <h3>{t`Step by step`}</h3>
    <ol className={styles.chain}>
      {chain.toReversed().map(({ id, maker, signer, at }) => (
        <li key={id}>
          {[maker, at && formatDateTime(at), signer && t`signed by ${signer}`].filter(Boolean).join(' · ')}
        </li>
      ))}
    </ol>
  </div>
)
