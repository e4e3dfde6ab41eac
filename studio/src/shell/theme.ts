/** The theme: dark, light, or the system's. Stored in this browser; early.js applies it before the first paint. */
import { useState } from 'react'
import { browserStorage } from '../browser-storage.ts'

export type Theme = 'system' | 'dark' | 'light'
const STORAGE_KEY = 'kinora.theme'

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(appliedTheme)
  const choose = (next: Theme) => {
    browserStorage.write(STORAGE_KEY, next === 'system' ? null : next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    setTheme(next)
  }
  return [theme, choose]
}

function appliedTheme(): Theme {
  const theme = document.documentElement.dataset.theme
  return theme === 'dark' || theme === 'light' ? theme : 'system'
}
