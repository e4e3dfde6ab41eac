/** Dark, light, or what the system says; kept in this browser and applied before the first paint by public/theme.js. */
import { useState } from 'react'
import { browserStorage } from '../browser-storage.ts'

export type Theme = 'system' | 'dark' | 'light'
const KEY = 'kinora.theme'

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(read)
  const choose = (next: Theme) => {
    browserStorage.write(KEY, next === 'system' ? null : next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    setTheme(next)
  }
  return [theme, choose]
}

function read(): Theme {
  const theme = document.documentElement.dataset.theme
  return theme === 'dark' || theme === 'light' ? theme : 'system'
}
