/**
 * Completes a name of the cast while it is typed into the prompt. The prompt stays a text box of several lines, which
 * no combobox is: its list is linked to it, and a status says that it is there.
 */
import { plural, t } from '@lingui/core/macro'
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isComposing } from '../ui/composition.ts'
import styles from './cast.module.css'
import type { Member } from './cast.ts'
import { completionsOf, type OpenMention, openMentionIn, withMention } from './mention.ts'

type Props = {
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  cast: readonly Member[]
  onText: (text: string) => void
  onChoose: (member: Member) => void
}

/** Listens to the text box, which is drawn without it: it is loaded once there is a cast. */
export function Mentions({ field, value, cast, onText, onChoose }: Props) {
  const id = useId()
  const [open, setOpen] = useState<OpenMention | null>(null)
  const [active, setActive] = useState(0)
  const found = open ? completionsOf(open, cast) : []
  const isOpen = found.length > 0
  const at = Math.min(active, found.length - 1)
  /** Below the text box, whose block both are in. */
  const top = (field.current?.offsetTop ?? 0) + (field.current?.offsetHeight ?? 0)
  const look = useEffectEvent(() => {
    const { current } = field
    setOpen(current && openMentionIn(current.value, current.selectionEnd))
    setActive(0)
  })
  const choose = (member: Member) => {
    if (!open) return
    const end = field.current?.selectionEnd ?? open.start
    const { text, caret } = withMention(value, { start: open.start, end }, member.name)
    setOpen(null)
    writeAt(field, caret, () => {
      onText(text)
      onChoose(member)
    })
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isOpen || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return
    const member = found[at]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setActive((at + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && member) choose(member)
    else if (event.key === 'Escape') setOpen(null)
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  })
  // An arrow to the side may lead the caret out of the name.
  const onKeyUp = useEffectEvent(({ key }: KeyboardEvent) => {
    if (open && /^(Arrow(Left|Right)|Home|End)$/.test(key)) look()
  })
  useEffect(() => {
    const { current } = field
    if (!current) return
    const listening = new AbortController()
    const { signal } = listening
    const close = () => setOpen(null)
    // Before the listener of the text box itself, to which an arrow recalls a prompt.
    current.addEventListener('keydown', (event) => onKeyDown(event), { signal, capture: true })
    current.addEventListener('keyup', (event) => onKeyUp(event), { signal })
    current.addEventListener(
      'input',
      (event) => {
        if (!(event as InputEvent).isComposing) look()
      },
      { signal },
    )
    current.addEventListener('compositionend', () => look(), { signal })
    current.addEventListener('pointerup', close, { signal })
    current.addEventListener('blur', close, { signal })
    return () => listening.abort()
  }, [field])
  useEffect(() => {
    const { current } = field
    const linked = { 'aria-controls': id, 'aria-activedescendant': `${id}-${at}` }
    current?.setAttribute('aria-autocomplete', 'list')
    for (const [name, value] of Object.entries(linked))
      if (isOpen) current?.setAttribute(name, value)
      else current?.removeAttribute(name)
  }, [isOpen, at, id, field])
  return (
    <>
      <p className="hidden-text" role="status">
        {isOpen ? plural(found.length, { one: '# name of your cast', other: '# names of your cast' }) : ''}
      </p>
      {isOpen ? <MentionList {...{ id, found, at, top }} onChoose={choose} /> : null}
    </>
  )
}

/** Writes, and moves the caret before the next key, which would else be typed where the caret was. */
export function writeAt(field: RefObject<HTMLTextAreaElement | null>, caret: number, write: () => void): void {
  flushSync(write)
  field.current?.focus()
  field.current?.setSelectionRange(caret, caret)
}

type ListProps = { id: string; found: readonly Member[]; at: number; top: number; onChoose: (member: Member) => void }

function MentionList({ id, found, at, top, onChoose }: ListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at])
  return (
    <div className={styles.completions} style={{ top }} ref={list} role="listbox" id={id} aria-label={t`Cast`}>
      {found.map((member, position) => (
        <button
          key={member.name}
          type="button"
          id={`${id}-${position}`}
          className={styles.completion}
          role="option"
          tabIndex={-1}
          aria-selected={position === at}
          // The text box keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(member)}
        >
          <img className={styles.completionFace} src={member.picture.url} alt="" />
          <span className={styles.completionName}>{`@${member.name}`}</span>
          <span className="quiet small">{plural(member.assets.length, { one: '# picture', other: '# pictures' })}</span>
        </button>
      ))}
    </div>
  )
}
