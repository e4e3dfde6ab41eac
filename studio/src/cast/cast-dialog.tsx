/** Dialog that makes a member of the cast, or changes its name and its pictures. Nothing is kept until it is saved. */
import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { dataOf, kinora, queryClient, refreshQueries } from '../api.ts'
import { acceptOf, assetQuery, kindOfFile } from '../studio/asset-file.ts'
import { asReadable, HEIC_ACCEPT } from '../studio/heic.ts'
import { formatsText } from '../studio/input-words.ts'
import { uploadFile } from '../studio/upload-file.ts'
import { ActionDialog, ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { useFileDrop } from '../ui/file-drop.ts'
import { castQuery, type Member, PICTURES_MAX } from './cast.ts'
import styles from './cast-dialog.module.css'
import { readName } from './mention.ts'

/** `id`: of the asset; null during the upload. */
type Picture = { key: string; id: string | null; url: string }

type Props = {
  /** Absent for a new one. */
  member?: Member
  /** A picture that a new one begins with. */
  first?: Blob
  onClose: () => void
  /** @param name null: it was deleted */
  onSaved: (name: string | null) => void
}

export function CastDialog(props: Props) {
  const [isDeleting, setDeleting] = useState(false)
  const { member } = props
  return isDeleting && member ? (
    <DeleteDialog member={member} onClose={() => setDeleting(false)} onDeleted={() => props.onSaved(null)} />
  ) : (
    <EditDialog {...props} onDelete={() => setDeleting(true)} />
  )
}

function EditDialog({ member, first, onClose, onSaved, onDelete }: Props & { onDelete: () => void }) {
  const { data: cast = [] } = useQuery(castQuery)
  const [typed, setTyped] = useState(member?.name ?? '')
  const [wasSubmitted, setSubmitted] = useState(false)
  const { pictures, problem, add, remove, isPending } = usePictures(member, first)
  const name = readName(typed)
  const other = cast.find((each) => each.name === name && each.name !== member?.name)
  const room = PICTURES_MAX - pictures.length - (other?.assets.length ?? 0)
  const nameError =
    name === null
      ? t`A name has letters, digits, - and _, at most 40 of them, such as mara.`
      : other && member
        ? t`There is another @${name}.`
        : undefined
  const save = useAction({
    send: () =>
      saveMember(
        name ?? '',
        pictures.flatMap(({ id }) => id ?? []),
        member,
      ),
    refreshesAlways: true,
    refresh: () => refreshQueries(['cast']),
    onDone: () => onSaved(name),
  })
  return (
    <Dialog open onClose={onClose} title={member ? t`Edit @${member.name}` : t`Add to the cast`}>
      <ActionForm
        action={save}
        submitLabel={t`Save`}
        isReady={pictures.length > 0 && !isPending && room >= 0}
        onCancel={onClose}
        onSubmit={() => {
          setSubmitted(true)
          if (nameError === undefined) save.mutate()
        }}
      >
        <Field
          label={t`Name`}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={41}
          list={member ? undefined : 'cast-names'}
          error={wasSubmitted || other ? nameError : undefined}
          hint={
            other && !member
              ? t`@${other.name} has ${plural(other.assets.length, { one: '# picture', other: '# pictures' })}; these are added.`
              : t`The prompt names it so: ${`@${name ?? 'mara'}`}`
          }
          onChange={({ target }) => setTyped(target.value)}
        />
        {member ? null : (
          <datalist id="cast-names">
            {cast.map((each) => (
              <option key={each.name} value={each.name} />
            ))}
          </datalist>
        )}
        <PictureSet {...{ pictures, room, add, remove }} />
        {problem ? (
          <p className="field-error" role="alert">
            {problem}
          </p>
        ) : null}
        {member ? (
          <Button kind="danger" className={styles.delete} onClick={onDelete}>
            {t`Delete…`}
          </Button>
        ) : null}
      </ActionForm>
    </Dialog>
  )
}

type SetProps = Pick<ReturnType<typeof usePictures>, 'pictures' | 'add' | 'remove'> & {
  /** For how many more; below zero: there are too many. */
  room: number
}

function PictureSet({ pictures, room, add, remove }: SetProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const isDraggingOver = useFileDrop(room > 0 ? add : null, () => true, { isModal: true })
  return (
    <>
      <ul className={styles.set} aria-label={t`Pictures`}>
        {pictures.map(({ key, id, url }, at) => (
          <li key={key} className={styles.picture}>
            <img className={styles.image} src={url} alt="" data-pending={id === null} />
            <button
              type="button"
              className={styles.remove}
              aria-label={t`Remove picture ${at + 1}`}
              onClick={() => remove(key)}
            >
              ×
            </button>
          </li>
        ))}
        {room > 0 ? (
          <li>
            <button
              type="button"
              className={styles.addPicture}
              data-over={isDraggingOver}
              onClick={() => fileInput.current?.click()}
            >
              {isDraggingOver ? t`Let it go to use it` : t`Add pictures`}
            </button>
          </li>
        ) : null}
      </ul>
      <input
        ref={fileInput}
        type="file"
        hidden
        multiple
        aria-label={t`Add pictures`}
        accept={`${acceptOf(['image'])},${HEIC_ACCEPT}`}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Reset the input, or choosing the same file again would fire no change event.
          currentTarget.value = ''
          for (const file of files.slice(0, room)) add(file)
        }}
      />
      <p className="field-hint">
        {room > 0
          ? t`Up to ${PICTURES_MAX} pictures of the same character, place or product; films take them in this order.`
          : t`${PICTURES_MAX} pictures are the most.`}
      </p>
    </>
  )
}

/** The pictures of the dialog: those of the member, and what is added to them, uploaded at once. */
function usePictures(member: Member | undefined, first: Blob | undefined) {
  const [pictures, setPictures] = useState<Picture[]>(() =>
    (member?.assets ?? []).map(({ id, url }) => ({ key: id, id, url })),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const objectUrls = useRef<string[]>([])
  const { mutate, isPending } = useMutation({
    // One after the other: their order is that of the films.
    scope: { id: 'cast' },
    mutationFn: async ({ file }: { file: Blob; key: string }) => {
      const { asset = '' } = await uploadFile(file instanceof File ? await asReadable(file) : file)
      return asset
    },
    onError: ({ message }, { key }) => {
      setProblem(message)
      remove(key)
    },
    onSuccess: (id, { key }) => {
      const name = queryClient.getQueryData(assetQuery(id).queryKey)?.name ?? null
      const isOfOther = name !== null && name !== member?.name
      if (isOfOther) setProblem(t`This picture is one of @${name} already.`)
      setPictures((latest) => {
        const isThere = isOfOther || latest.some((each) => each.id === id)
        return latest.flatMap((each) => (each.key !== key ? [each] : isThere ? [] : [{ ...each, id }]))
      })
    },
  })
  const remove = (key: string) => setPictures((latest) => latest.filter((each) => each.key !== key))
  const add = (file: Blob) => {
    setProblem(null)
    if (file instanceof File && kindOfFile(file) !== 'image') return setProblem(formatsText('image'))
    const url = URL.createObjectURL(file)
    objectUrls.current.push(url)
    const key = url
    setPictures((latest) => [...latest, { key, id: null, url }])
    mutate({ file, key })
  }
  const begin = useEffectEvent(() => {
    if (first) add(first)
  })
  useEffect(() => {
    begin()
    const { current } = objectUrls
    return () => {
      for (const url of current) URL.revokeObjectURL(url)
    }
  }, [])
  return { pictures, problem, add, remove, isPending: isPending || pictures.some(({ id }) => id === null) }
}

/** Names the assets, and takes the name from those that were removed. What an attempt before has done stays. */
async function saveMember(name: string, ids: string[], member: Member | undefined): Promise<void> {
  const before = member?.assets ?? []
  const rename = (id: string, to: string | null) =>
    dataOf(kinora.PATCH('/api/v1/asset/{id}', { params: { path: { id } }, body: { name: to } }))
  // First, as a name has a limit.
  for (const { id } of before.filter(({ id }) => !ids.includes(id))) await rename(id, null)
  for (const id of ids) if (before.find((each) => each.id === id)?.name !== name) await rename(id, name)
}

const DeleteDialog = ({
  member,
  onClose,
  onDeleted,
}: {
  member: Member
  onClose: () => void
  onDeleted: () => void
}) => (
  <ActionDialog
    title={t`Delete @${member.name}?`}
    submitLabel={t`Delete`}
    kind="danger"
    cancelLabel={t`Keep it`}
    send={async () => {
      for (const { id } of member.assets)
        await dataOf(kinora.DELETE('/api/v1/asset/{id}', { params: { path: { id } } }))
    }}
    refresh={() => {
      onDeleted()
      return refreshQueries(['cast'])
    }}
    done={t`@${member.name} is deleted.`}
    onClose={onClose}
  >
    <p>{t`Its pictures are deleted. Films that used it stay.`}</p>
  </ActionDialog>
)
