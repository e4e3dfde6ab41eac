/**
 * What the user writes into a shot: settings and notes, saved while the user types. Invariant: what is not saved yet
 * is kept in this browser, also when another member has changed the same meanwhile, until the user decides.
 */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { browserStorage } from '../browser-storage.ts'
import { ownerKey } from '../chosen-team.ts'
import type { Model } from '../studio/form-fields.ts'
import type { Draft, Kind } from '../studio/form-values.ts'
import { toast } from '../ui/toasts.tsx'
import { changeShot, isSame, type Shot } from './queries.ts'
import { draftOfSettings, settingsOf } from './shot-settings.ts'

/** `seen`: the shot as it was when the user began, or as it was saved last. */
type Edit = { seen: Seen; draft: Draft; notes: string; isSaved: boolean }

const SAVE_AFTER_MS = 800
const RETRY_AFTER_MS = 5_000

type Seen = Pick<Shot, 'id' | 'settings' | 'notes'>

type Options = {
  userId: string
  projectId: string
  shot: Shot
  models: Model[]
  kinds: ReadonlyMap<string, Kind>
  isMaker: boolean
}

export function useShotEdit({ userId, projectId, shot, models, kinds, isMaker }: Options) {
  const key = `kinora.shot.${ownerKey(userId)}.${shot.id}`
  const [edit, setEdit] = useState<Edit>(() => readEdit(key) ?? editOf(shot, kinds))
  const [hasConflict, setConflict] = useState(false)
  const [problem, setProblem] = useState<KinoraError | null>(null)
  // What another member has saved is shown where the user has typed nothing of it.
  const isOlder = edit.isSaved && !(isSame(edit.seen.settings, shot.settings) && edit.seen.notes === shot.notes)
  const shown = isOlder ? editOf(shot, kinds) : edit
  if (isOlder) setEdit(shown)

  const change = (make: (latest: Edit) => Partial<Edit>) => {
    if (isMaker) setEdit((latest) => ({ ...latest, ...make(latest), isSaved: false }))
  }
  const save = async (edited: Edit) => {
    const settings = settingsOf(edited.draft, models)
    const { seen, notes } = edited
    const isOther = !isSame(settings, seen.settings)
    const whole = { ...(isOther && { settings }), ...(notes !== seen.notes && { notes }) }
    if (Object.keys(whole).length === 0) return settle(edited, seen)
    try {
      const saved = await changeShot(projectId, seen, whole)
      setProblem(null)
      if ('row' in saved) return settle(edited, saved.row)
      setConflict(true)
    } catch (error) {
      setProblem(error as KinoraError)
    }
  }
  const settle = (edited: Edit, saved: Seen) => {
    setEdit((latest) => {
      const isSaved = latest.draft === edited.draft && latest.notes === edited.notes
      if (isSaved) browserStorage.write(key, null)
      return { ...latest, seen: seenOf(saved), isSaved }
    })
  }
  const flush = useEffectEvent(() => {
    if (!edit.isSaved && !hasConflict) void save(edit)
  })
  useEffect(() => {
    if (edit.isSaved) return
    const { isSaved: _, ...kept } = edit
    browserStorage.write(key, kept)
    const timer = setTimeout(() => flush(), problem ? RETRY_AFTER_MS : SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [edit, problem, key])
  useEffect(() => () => flush(), [])

  return {
    draft: shown.draft,
    notes: shown.notes,
    isSaved: shown.isSaved,
    /** Another member has changed the same since. */
    hasConflict,
    problem,
    onDraft: (make: (latest: Draft) => Draft) => change(({ draft }) => ({ draft: make(draft) })),
    onNotes: (notes: string) => change(() => ({ notes })),
    /** What is kept here goes on top of what another user has saved. */
    keepMine: () => {
      setConflict(false)
      setEdit((latest) => ({ ...latest, seen: seenOf(shot) }))
    },
    takeTheirs: () => {
      const mine = edit
      setConflict(false)
      browserStorage.write(key, null)
      setEdit(editOf(shot, kinds))
      const undo = () => setEdit({ ...mine, seen: seenOf(shot), isSaved: false })
      toast({ text: t`Your text is replaced.`, action: { label: t`Undo`, onClick: undo } })
    },
  }
}

const seenOf = ({ id, settings, notes }: Seen): Seen => ({ id, settings, notes })

const editOf = (shot: Shot, kinds: ReadonlyMap<string, Kind>): Edit => ({
  seen: seenOf(shot),
  draft: draftOfSettings(shot.settings, kinds),
  notes: shot.notes,
  isSaved: true,
})

/** What an earlier page could not save. */
function readEdit(key: string): Edit | null {
  const kept = browserStorage.read(key)
  const isEdit = typeof kept === 'object' && kept !== null && 'seen' in kept && 'draft' in kept && 'notes' in kept
  return isEdit ? { ...(kept as Omit<Edit, 'isSaved'>), isSaved: false } : null
}
