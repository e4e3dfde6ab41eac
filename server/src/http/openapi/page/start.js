/**
 * Opens Swagger UI with openapi.json, or at /docs?operator with openapi-operator.json, in the studio's light or dark
 * theme. Credentials typed into "Authorize" are not stored; a browser that is signed in to the studio sends its session
 * cookie.
 */
const root = document.documentElement
const light = matchMedia('(prefers-color-scheme: light)')
const showTheme = () => {
  root.classList.toggle('dark-mode', (storedTheme() ?? (light.matches ? 'light' : 'dark')) === 'dark')
}
showTheme()
light.addEventListener('change', showTheme)

try {
  const response = await fetch(location.search === '?operator' ? '/openapi-operator.json' : '/openapi.json')
  if (!response.ok) throw new Error(String(response.status))
  const spec = await response.json()
  window.SwaggerUIBundle({
    // Requests go to this page's origin, even when PUBLIC_URL names another.
    spec: { ...spec, servers: [{ url: location.origin }] },
    domNode: document.getElementById('reference'),
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    plugins: [listByTag],
    displayRequestDuration: true,
    // Its colours have too little contrast in either theme.
    syntaxHighlight: false,
    // Swagger UI without null sends the document to a validator on another host.
    validatorUrl: null,
  })
} catch {
  document.getElementById('reference').textContent = 'The description of the API cannot be read. Load the page again.'
}

/**
 * A plugin of Swagger UI that lists the operations of each tag by themselves: of 150 rows in one list it renders only
 * those near the screen, and the browser's search on the page finds no others.
 */
function listByTag() {
  const operations = (Operations, { React }) =>
    function OperationsByTag(props) {
      const tagged = props.specSelectors.taggedOperations()
      return [...tagged.keys()].map((tag) => {
        const ofTag = () => tagged.filter((_, each) => each === tag)
        return React.createElement(Operations, {
          ...props,
          key: tag,
          specSelectors: { ...props.specSelectors, taggedOperations: ofTag },
        })
      })
    }
  return { wrapComponents: { operations } }
}

/** The theme that the user chose in the studio; null without a choice. */
function storedTheme() {
  try {
    return localStorage.getItem('kinora.theme')
  } catch {
    return null
  }
}
