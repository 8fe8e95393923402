// The only script of the documentation: search, and the list of headings, which is open where there is room next to the text.
import MiniSearch from './minisearch.js'

const form = document.querySelector('form[role=search]')
const input = form.querySelector('input')
const results = form.querySelector('.results')
const status = results.querySelector('p')
const list = results.querySelector('ol')
const root = new URL('../', import.meta.url)
/** As tools/docs.ts builds it. */
const options = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'text'] }
const SHOWN = 12
/** Most readers look for how, not for why. */
const boostDocument = (id) => (id.startsWith('decisions/') ? 0.2 : 1)

let loading
const loadIndex = () => {
  loading ??= fetch(new URL('assets/search.json', root))
    .then((response) => response.text())
    .then((text) => MiniSearch.loadJSON(text, options))
    .catch((error) => {
      loading = undefined
      throw error
    })
  return loading
}

/** The text around the first word that was found. */
function excerpt(text, terms) {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - 50)
  const from = places.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 140)}${text.length > from + 140 ? ' …' : ''}`
}

/** The text with its found words marked. */
function marked(text, terms) {
  const pattern = new RegExp(
    `(${terms.map((term) => RegExp.escape?.(term) ?? term.replace(/\W/g, '\\$&')).join('|')})`,
    'i',
  )
  return text.split(pattern).map((part, i) => {
    if (i % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

function row({ id, title, page, text, terms }) {
  const link = document.createElement('a')
  link.href = new URL(id || './', root).href
  const where = document.createElement('small')
  where.textContent = page === title ? '' : page
  const found = document.createElement('small')
  found.append(...marked(excerpt(text, terms), terms))
  link.append(title, where, found)
  const item = document.createElement('li')
  item.append(link)
  return item
}

async function show() {
  const words = input.value.trim()
  results.hidden = words === ''
  if (words === '') return
  let found
  try {
    const index = await loadIndex()
    found = index.search(words, {
      prefix: true,
      fuzzy: 0.15,
      boost: { title: 4, page: 2 },
      combineWith: 'AND',
      boostDocument,
    })
  } catch {
    list.replaceChildren()
    status.textContent = 'The search could not be loaded. Try again.'
    return
  }
  if (input.value.trim() !== words) return
  status.textContent = found.length === 0 ? `Nothing found for “${words}”.` : `${found.length} found`
  list.replaceChildren(...found.slice(0, SHOWN).map(row))
}

/** Arrow keys move through the results; Escape closes them. */
function move(event) {
  const links = [input, ...list.querySelectorAll('a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape') {
    results.hidden = true
    input.focus()
  } else if (step !== undefined && !results.hidden) {
    event.preventDefault()
    links[links.indexOf(document.activeElement) + step]?.focus()
  }
}

form.hidden = false
// An instance serves the documentation at this path. The public site has no app.
if (root.pathname === '/docs/') {
  const app = document.createElement('a')
  app.href = '/'
  app.textContent = 'Open Contrail'
  app.className = 'app'
  form.after(app)
}
input.addEventListener('focus', () => loadIndex().catch(() => {}))
input.addEventListener('input', show)
form.addEventListener('keydown', move)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
form.addEventListener('click', (event) => {
  if (event.target.closest('a')) results.hidden = true
})
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) results.hidden = true
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input')) return
  event.preventDefault()
  input.focus()
})

const contents = document.querySelector('.toc details')
if (contents) contents.open = matchMedia('(width >= 80rem)').matches
