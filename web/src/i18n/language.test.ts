// A language that is changed while texts of the one before are being loaded.
import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'

const { setLocale, t, withTexts } = await import('./i18n.svelte.ts')

test('a part that is loaded meanwhile has the texts of the new language', async () => {
  await setLocale('en')
  const loading = withTexts('visited', async () => 'part')
  // The texts of the old language are on their way now.
  await Promise.resolve()
  const changing = setLocale('de')
  assert.equal(await loading, 'part')
  await changing
  const { default: visited } = await import('./de/visited.json', { with: { type: 'json' } })
  assert.equal(t('visited.title'), visited['visited.title'])
})

test('texts that are requested while two languages load are those of the last one', async () => {
  const first = setLocale('de')
  const loading = withTexts('trips', async () => undefined)
  const last = setLocale('fr')
  await Promise.all([first, loading, last])
  const { default: trips } = await import('./fr/trips.json', { with: { type: 'json' } })
  assert.equal(t('trips.new'), trips['trips.new'])
})

test('a language that arrives late does not replace the one chosen after it', async () => {
  await setLocale('en')
  // Italian is read from disk; English is in memory.
  await Promise.all([setLocale('it'), setLocale('en')])
  assert.equal(t('app.retry'), 'Try again')
})
