// Styles and scripts change at the same four widths, in rem: with a larger browser font, both change together.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const src = new URL('..', import.meta.url).pathname
const files = globSync('**/*.{svelte,css,ts}', { cwd: src }).filter((file) => !file.endsWith('.test.ts'))
const sources = files.map((file) => ({ file, text: readFileSync(`${src}${file}`, 'utf8') }))

const allowed = /^\(width (?:<|>=) (?:30|40|48|64)rem\)$/
/** Every condition on a width, in any notation. */
const widthConditions = (query: string) =>
  [...query.matchAll(/\([^()]*\bwidth\b[^()]*\)/g)].map(([condition]) => condition)

const found = (pattern: RegExp, within = sources) =>
  within.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([match]) => ({ file, match })))

test('media queries ask for four widths only', () => {
  const queries = found(/@media[^{]*/g)
  const conditions = queries.flatMap(({ file, match }) =>
    widthConditions(match).map((condition) => ({ file, condition })),
  )
  assert.ok(conditions.length > 50, 'the queries are found')
  assert.deepEqual(
    conditions.filter(({ condition }) => !allowed.test(condition)),
    [],
  )
})

/** The sign-in page is rendered by the server and uses neither Svelte nor these styles; it follows pages.css. */
const ofServer = 'sign-in/passkeys.ts'
const viewport = 'lib/viewport.svelte.ts'

test('scripts ask for the width of the window in one place', () => {
  const own = found(
    /MediaQuery\(('[^']*')\)/g,
    sources.filter(({ file }) => file === viewport),
  )
  assert.ok(own.length > 0)
  for (const { match } of own)
    for (const condition of widthConditions(match)) assert.match(condition, allowed)
  const others = sources.filter(({ file }) => file !== viewport)
  assert.deepEqual(found(/\bMediaQuery\b|\binnerWidth\b/g, others), [])
  assert.deepEqual(
    found(/\bmatchMedia\((?!'[^']*'\))|\bmatchMedia\('[^']*width[^']*'\)/g, others).filter(
      ({ file }) => file !== ofServer,
    ),
    [],
  )
})
