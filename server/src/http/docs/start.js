/**
 * Opens Swagger UI on openapi.json, in the light or dark of the studio. What is typed into "Authorize" is forgotten with
 * the page; a browser that is signed in to the studio needs none of it.
 */
const root = document.documentElement
const light = matchMedia('(prefers-color-scheme: light)')
const showTheme = () => {
  root.classList.toggle('dark-mode', (chosenTheme() ?? (light.matches ? 'light' : 'dark')) === 'dark')
}
showTheme()
light.addEventListener('change', showTheme)

try {
  const answer = await fetch('/openapi.json')
  if (!answer.ok) throw new Error(String(answer.status))
  const spec = await answer.json()
  window.SwaggerUIBundle({
    // Calls go to where this page is from, whatever other name the service has.
    spec: { ...spec, servers: [{ url: location.origin }] },
    domNode: document.getElementById('reference'),
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // Its colours are too faint to read on either ground.
    syntaxHighlight: false,
    // Otherwise a validator on another host would be asked.
    validatorUrl: null,
  })
} catch {
  document.getElementById('reference').textContent = 'The description of the API cannot be read. Load the page again.'
}

/** What somebody chose in the studio; null without a choice. */
function chosenTheme() {
  try {
    return localStorage.getItem('kinora.theme')
  } catch {
    return null
  }
}
