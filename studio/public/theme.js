// Applies the theme that the user chose in this browser, before the first paint. Without a choice the system's theme applies.
try {
  const theme = JSON.parse(localStorage.getItem('kinora.theme'))
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch {
  // Storage is disabled or holds invalid JSON: use the system's theme.
}
