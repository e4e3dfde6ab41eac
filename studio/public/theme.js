// The theme somebody chose here, set before anything is painted; without a choice the system's own holds.
try {
  const theme = JSON.parse(localStorage.getItem('kinora.theme'))
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be switched off or damaged; the system's theme is fine then.
}
