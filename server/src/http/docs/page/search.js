/** The search over all pages: sections that have every word, those with the words in their heading first. */
const FOUND_MAX = 20

let started = null

/** @param {HTMLInputElement} input */
export function start(input) {
  started ??= listen(input)
  return started
}

async function listen(input) {
  const list = document.getElementById('found')
  const count = document.getElementById('found-count')
  const response = await fetch('/docs/search.json')
  if (!response.ok) {
    count.textContent = 'The search cannot be loaded. Load the page again.'
    return
  }
  const sections = (await response.json()).map((section) => ({
    ...section,
    heading: section.title.toLowerCase(),
    prose: `${section.page} ${section.title} ${section.text}`.toLowerCase(),
  }))
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = words.length > 0 ? rank(sections, words) : []
    list.replaceChildren(...found.slice(0, FOUND_MAX).map(item))
    list.hidden = found.length === 0
    count.textContent = words.length > 0 ? `${found.length} found` : ''
  }
  input.addEventListener('input', show)
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowDown') list.querySelector('a')?.focus()
    if (key === 'Escape') list.hidden = true
  })
  list.addEventListener('keydown', (event) => {
    const { key, target } = event
    const item = target.closest('li')
    const next = { ArrowDown: item?.nextElementSibling, ArrowUp: item?.previousElementSibling }[key]
    if (key === 'Escape' || (key === 'ArrowUp' && !next)) input.focus()
    else if (!next) return
    else next.querySelector('a').focus()
    event.preventDefault()
  })
  list.addEventListener('click', () => {
    list.hidden = true
  })
  show()
}

function rank(sections, words) {
  const score = ({ heading }) => words.filter((word) => heading.includes(word)).length
  return sections
    .filter(({ prose }) => words.every((word) => prose.includes(word)))
    .sort((one, other) => score(other) - score(one))
}

function item({ page, title, url }) {
  const li = document.createElement('li')
  const link = document.createElement('a')
  link.href = url
  const where = document.createElement('small')
  where.textContent = page
  link.append(title, ' ', where)
  li.append(link)
  return li
}
