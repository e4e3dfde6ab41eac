/**
 * The theme of the studio, one language of the samples at a time, and the reader's API key in place of the names of
 * environment variables. The key stays in this tab of the browser (sessionStorage). Search and requests are loaded when
 * they are used.
 */
const root = document.documentElement
const light = matchMedia('(prefers-color-scheme: light)')
const showTheme = () =>
  root.classList.toggle(
    'dark-mode',
    (stored(localStorage, 'kinora.theme') ?? (light.matches ? 'light' : 'dark')) === 'dark',
  )
showTheme()
light.addEventListener('change', showTheme)

const LANGUAGE = 'kinora.docs.language'
const KEY = 'kinora.docs.key'

const samples = document.querySelectorAll('pre.sample')
if (samples.length > 0) {
  const languages = document.querySelector('.languages')
  languages.hidden = false
  const show = (language) => {
    root.dataset.language = language
    languages.querySelector(`[value="${language}"]`).checked = true
  }
  show(stored(localStorage, LANGUAGE) ?? 'sh')
  languages.addEventListener('change', ({ target }) => {
    show(target.value)
    store(localStorage, LANGUAGE, target.value)
  })
}

/** Where a sample reads the key, in its language. */
const READS =
  /\$KINORA_(?:API_KEY|TOKEN)|process\.env\.KINORA_(?:API_KEY|TOKEN)|os\.environ\["KINORA_(?:API_KEY|TOKEN)"\]/g
const codes = [...document.querySelectorAll('pre code')].map((code) => ({ code, text: code.textContent }))
const keyInput = document.getElementById('key')
const fillIn = () => {
  const key = keyInput.value.trim()
  for (const { code, text } of codes) {
    if (text.includes('KINORA_'))
      code.textContent = key ? text.replace(READS, (read) => (read.startsWith('$') ? key : JSON.stringify(key))) : text
  }
}
keyInput.value = stored(sessionStorage, KEY) ?? ''
keyInput.addEventListener('input', () => {
  store(sessionStorage, KEY, keyInput.value.trim())
  fillIn()
})
if (keyInput.value) fillIn()

for (const { code } of codes) {
  const button = newButton('Copy', async () => {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
  })
  button.className = 'copy'
  if (navigator.clipboard) code.parentElement.append(button)
}

/** An operation names itself in a paragraph of its own, such as `GET /api/v1/key`. */
for (const code of document.querySelectorAll('h2 + p > code:only-child')) {
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(code.textContent) ?? []
  if (!method) continue
  const button = newButton('Try it', async () => {
    button.disabled = true
    const { openForm } = await import('/docs/try.js')
    await openForm(button, method, path, () => keyInput.value.trim())
  })
  code.after(' ', button)
}

const search = document.getElementById('search')
search.addEventListener('focus', () => import('/docs/search.js').then(({ start }) => start(search)), { once: true })

// On a narrow screen the list of pages would be before the text.
if (matchMedia('(max-width: 900px)').matches) document.querySelector('.contents').open = false

function newButton(text, onClick) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}

/** A browser may refuse storage. */
function stored(storage, name) {
  try {
    return storage.getItem(name)
  } catch {
    return null
  }
}

function store(storage, name, value) {
  try {
    storage.setItem(name, value)
  } catch {
    // It holds for this page.
  }
}
