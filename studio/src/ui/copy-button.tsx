/** Copies a text and says so on the button itself, to the eye and to a screen reader. */
import { useEffect, useState } from 'react'
import { Button, type ButtonKind } from './button.tsx'
import { copyText } from './clipboard.ts'

type Props = { text: string; label?: string; kind?: ButtonKind }

export function CopyButton({ text, label = 'Copy', kind = 'plain' }: Props) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(''), 2000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => setSaid((await copyText(text)) ? 'Copied' : 'Mark the text and copy it by hand')
  return (
    <Button kind={kind} onClick={copy} aria-live="polite">
      {said || label}
    </Button>
  )
}
