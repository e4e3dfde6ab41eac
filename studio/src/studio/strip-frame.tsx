/** A frame of a strip: a button with a picture that plays below the pointer. */
import { type ReactNode, useEffect, useRef } from 'react'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import { usePreview } from '../video/poster.tsx'
import styles from './film-strip.module.css'

type Props = {
  /** What a screen reader says. */
  name: string
  aspectRatio: string
  isShown: boolean
  /** Of a film. */
  status?: string
  onChoose: () => void
  children: (isPreviewing: boolean) => ReactNode
}

export function StripFrame({ name, aspectRatio, isShown, status, onChoose, children }: Props) {
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const list = button.current?.closest<HTMLElement>('ul, ol')
    // Not scrollIntoView, which would scroll the page too.
    if (isShown && list && button.current) list.scrollLeft = button.current.offsetLeft - list.offsetLeft - 8
  }, [isShown])
  return (
    <li>
      <button
        ref={button}
        type="button"
        className={styles.frame}
        style={aspectRatioStyle(aspectRatio)}
        data-status={status}
        {...(isShown && { 'aria-current': true })}
        onClick={onChoose}
        {...pointerHandlers}
        {...focusHandlers}
      >
        <span className="hidden-text">{name}</span>
        {children(isPreviewing && !isShown)}
      </button>
    </li>
  )
}
