// The pages of docs/decisions are short, complete and in the index, every file that they name exists, and so does every
// referenced decision. So does every test that the threat model names.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const FOLDER = 'docs/decisions'
const WORDS_AT_MOST = 200
/** Its table of what was measured may be longer. */
const longPages = ['002-rooms.md']

const pages = globSync('[0-9]*.md', { cwd: FOLDER }).sort()
const textOf = (page: string) => readFileSync(`${FOLDER}/${page}`, 'utf8')
const wordsIn = (text: string) => text.split(/\s+/).filter((word) => word !== '')

test('a decision has a number, a status, a rule, a reason and a test, in at most 200 words', () => {
  assert.ok(pages.length > 20)
  for (const [i, page] of pages.entries()) {
    const text = textOf(page)
    assert.match(page, /^\d{3}-[a-z-]+\.md$/)
    assert.equal(Number(page.slice(0, 3)), i + 1, `${page}: pages are numbered without gaps`)
    assert.match(text, new RegExp(`^# ${i + 1}\\. [A-Z]`), page)
    const parts = [...text.matchAll(/^\*\*(Status|Rule|Reason|Test)\.\*\* \S/gm)].map(([, part]) => part)
    assert.deepEqual(parts, ['Status', 'Rule', 'Reason', 'Test'], page)
    assert.match(text, /^\*\*Test\.\*\* [^\n]*`(?:test|web)\//m, `${page} names its test`)
    if (!longPages.includes(page)) assert.ok(wordsIn(text).length <= WORDS_AT_MOST, `${page} is too long`)
  }
})

test('every decision is in the index with its title', () => {
  const entries = [...readFileSync(`${FOLDER}/README.md`, 'utf8').matchAll(/^- \[(.*)\]\((.*)\)$/gm)]
  assert.deepEqual(
    entries.map(([, title, page]) => [page, `# ${title}`]),
    pages.map((page) => [page, textOf(page).split('\n')[0]]),
  )
})

test('every file that a decision names exists', () => {
  const missing = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`((?:server|web|test|tools|docs|bench|deploy|assets)\/[^\s`*]*)`/g)]
      .filter(([, path]) => !existsSync(path!))
      .map(([, path]) => `${page}: ${path}`),
  )
  assert.deepEqual(missing, [])
})

const referring = globSync([
  '*.md',
  'docs/**/*.md',
  '{server,web,test,tools,bench,deploy}/**/*.{ts,js,svelte,css,md}',
]).filter((file) => !file.includes('node_modules') && !file.startsWith('web/dist'))

/** `docs/decisions/007`, `](decisions/007-change-sequence.md)`, `](007-…)` in the folder itself, `decision 7`. */
function decisionsNamedIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const paths = [...text.matchAll(/\bdecisions\/(\d{3}(?:-[\w-]+\.md)?)/g)].map(([, name]) => name!)
  const links = file.startsWith(FOLDER)
    ? [...text.matchAll(/\]\((\d{3}[\w-]*\.md)\)/g)].map(([, name]) => name!)
    : []
  const numbers = [...text.matchAll(/\bdecisions? (\d+)\b/gi)].map(([, number]) => number!.padStart(3, '0'))
  return [...paths, ...links, ...numbers]
}

test('every referenced decision exists', () => {
  const wrong = referring.flatMap((file) =>
    decisionsNamedIn(file)
      .filter((name) => !pages.some((page) => page === name || page.startsWith(`${name}-`)))
      .map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(wrong, [])
})

test('every test that the threat model names exists', () => {
  const named = [...readFileSync('docs/threat-model.md', 'utf8').matchAll(/`(test\/[^`]+)`/g)]
  assert.ok(named.length > 20)
  for (const [, file] of named) assert.ok(existsSync(file!), `${file} is not there`)
})
