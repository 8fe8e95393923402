// The timeline of the map: the slider, playback, colouring, the address, and the files made of it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { filmLength } from '../../web/src/map/time/webm.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until as waitUntil } from '../until.ts'
import { journeys, requireAccessible, TIMEOUT_MS } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

async function aLog(app: TestApp): Promise<TestPerson> {
  const ada = await app.person()
  const [cph, hel, hkg, lhr] = await airportIds(app, 'CPH', 'HEL', 'HKG', 'LHR')
  const flights = [
    { date: '2017-05-02', fromId: cph, toId: hel },
    {
      date: '2019-08-14',
      fromId: hel,
      toId: hkg,
      departure: '2019-08-14T16:45:00+03:00',
      arrival: '2019-08-15T07:55:00+08:00',
    },
    { date: '2019-08-20', fromId: hkg, toId: cph },
    { date: '2021-03-01', fromId: cph, toId: lhr },
  ]
  for (const flight of flights) await logFlight(app, ada, flight)
  return ada
}

const until = (page: Page) => page.getByRole('slider', { name: 'Until' })
const panel = (page: Page) => page.getByRole('region', { name: 'Timeline on the map' })
const figure = (page: Page, name: string) =>
  page.getByRole('definition').and(page.locator(`dt:text-is("${name}") + dd`))

/** Waits until the handle has this value. */
const stands = (page: Page, text: string) =>
  page.locator(`[role=slider][aria-label=Until][aria-valuetext="${text}"]`).waitFor()

/** Runs in the page: records every text of the panel's live region with its time, in `said`. */
const noteWhatIsSaid = `{
  const live = document.querySelector('[aria-label="Timeline on the map"] [aria-live]')
  window.said = []
  new MutationObserver(() => said.push([live.textContent, Date.now()])).observe(live, { childList: true, characterData: true, subtree: true })
}`

/** Runs in the page: records every name of a button of the panel, in `named` and in an attribute. */
const noteNames = `{
  window.named = []
  new MutationObserver((changes) => {
    for (const { target } of changes) named.push(target.getAttribute('aria-label'))
    document.body.dataset.named = named.join()
  }).observe(document.querySelector('[aria-label="Timeline on the map"]'), { attributeFilter: ['aria-label'], subtree: true })
}`

async function openTime(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Time', exact: true }).click()
  await until(page).waitFor()
}

/** Whether lit pixels over the map have about the colour of this token, or get it when drawn. */
const isLitIn = (page: Page, token: string, isWanted = true): Promise<boolean> =>
  page.evaluate<boolean>(`(async () => {
    const canvas = document.querySelectorAll('[role=application] canvas')[1]
    const probe = new OffscreenCanvas(1, 1).getContext('2d')
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('${token}')
    probe.fillRect(0, 0, 1, 1)
    const wanted = probe.getImageData(0, 0, 1, 1).data
    const isLit = () => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      let found = 0
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] > 150 && [0, 1, 2].every((k) => Math.abs(data[i + k] - wanted[k]) < 20)) found++
      return found >= 20
    }
    const end = performance.now() + ${TIMEOUT_MS}
    while (isLit() !== ${isWanted} && performance.now() < end) await new Promise(requestAnimationFrame)
    return isLit()
  })()`)

journeys('time on the map', 'sqlite', ({ journey }) => {
  journey(
    'The timeline works by keyboard and mouse, colours the map, plays by years and combines with a search',
    async ({ app, open }) => {
      const page = await open('/', { as: await aLog(app), colorScheme: 'dark' })
      await moveByKeys(page)
      await requireColours(page)
      await playByYears(page)
      await dragAndSearch(page)
    },
  )

  journey('A flat map fits between the search and the panel', async ({ app, open }) => {
    const ada = await app.person()
    const [fromId, toId] = await airportIds(app, 'LYR', 'CPT')
    await logFlight(app, ada, { date: '2020-02-01', fromId, toId })
    const page = await open('/', { as: ada })
    await page.getByText('1 flight between 2 airports', { exact: false }).waitFor()
    await page.getByRole('radio', { name: 'Flat' }).check()
    await openTime(page)
    const map = (await page.getByRole('application').boundingBox())!
    const search = (await page.getByLabel('Search flights').boundingBox())!
    const x = map.x + map.width / 2
    // The map moves to make room for the panel when that is measured.
    const y = await waitUntil('the pointer finds the airport', async () => {
      for (let at = search.y + search.height + 4; at < map.y + map.height; at += 4) {
        await page.mouse.move(x, at)
        const found = await page.getByRole('application').getAttribute('class')
        if (found?.includes('pointing')) return at
      }
    })
    await page.mouse.click(x, y)
    await page.getByRole('complementary', { name: /Longyearbyen/ }).waitFor()
  })

  journey('Playback advances, pauses and jumps from flight to flight', async ({ app, open }) => {
    const page = await open('/?time=years', { as: await aLog(app), reducedMotion: 'no-preference' })
    await stands(page, 'December 2021, 4 flights')
    await page.keyboard.press('Home')
    await page.getByRole('button', { name: 'Next flight' }).click()
    await panel(page)
      .getByText(/^Copenhagen to (?:Vantaa|Helsinki)$/)
      .waitFor()
    // The button has the focus, so the handle does not announce the time.
    await panel(page)
      .locator('[aria-live]', { hasText: /\d{4}, Copenhagen to (?:Vantaa|Helsinki)$/ })
      .waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Next flight' }).click()
    await stands(page, 'August 2019, 2 flights')
    assert.equal(await figure(page, 'Countries').textContent(), '3')
    await page.waitForURL(/to=2019-08-1\d/)
    await page.getByRole('button', { name: 'Previous flight' }).click()
    await panel(page)
      .getByText(/^Copenhagen to/)
      .waitFor()
    await page.getByRole('button', { name: 'Speed: 1 year per second' }).click()
    await page.getByRole('menuitem', { name: '4 years per second' }).click()
    // It plays only for a second: the page records the buttons' names meanwhile.
    await page.evaluate(noteNames)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await stands(page, 'December 2021, 4 flights')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    const named = await page.evaluate<string[]>('named')
    assert.ok(named.includes('Next year'), named.join(' · '))
  })
})

const bytesOf = async (download: Download) => readFileSync(await download.path())

async function exported(page: Page, kind: string): Promise<Buffer> {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).click()
  const download = await coming
  assert.match(download.suggestedFilename(), /^contrail-\d{4}-\d\d\.(png|webm)$/)
  return bytesOf(download)
}

journeys('files of the timeline', 'sqlite', ({ journey }) => {
  journey('The timeline is saved as a picture and a film', async ({ app, open }) => {
    const page = await open('/?time=years&to=2019-12&night=1', { as: await aLog(app) })
    await stands(page, 'November 2019, 3 flights')
    const png = await exported(page, 'Picture')
    assert.equal(png.subarray(0, 8).toString('hex'), '89504e470d0a1a0a')
    const size = await page.getByRole('application').boundingBox()
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * size!.width, 2 * size!.height])

    await page.getByRole('button', { name: 'Speed: 1 year per second' }).click()
    await page.getByRole('menuitem', { name: '4 years per second' }).click()
    const webm = await exported(page, 'Film')
    assert.equal(webm.subarray(0, 4).toString('hex'), '1a45dfa3')
    assert.ok(webm.length > 20_000, `${webm.length} bytes`)
    const seconds = filmLength(webm)!
    // A busy machine may record only a part of the film.
    assert.ok(seconds > 0 && seconds < 60, `${seconds} seconds`)
    // As read by a player; without a length it reports infinity.
    const player = await page.context().newPage()
    const played = await player.evaluate<number>(`new Promise((resolve, reject) => {
      const video = document.createElement('video')
      video.onloadedmetadata = () => resolve(video.duration)
      video.onerror = () => reject(new Error(video.error.message))
      const bytes = Uint8Array.from(atob('${webm.toString('base64')}'), (c) => c.charCodeAt(0))
      video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }))
    })`)
    assert.ok(Math.abs(played - seconds) < 0.1, `a player says ${played} seconds`)
  })

  journey('A film can be cancelled, and an unsupported browser gets a message', async ({ app, open }) => {
    const page = await open('/stats/review?year=all', { as: await aLog(app) })
    await page.getByRole('link', { name: 'Make a film' }).click()
    await page.getByRole('progressbar', { name: 'Recording the film' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL((url) => url.search === '?time=years')
    await until(page).waitFor()
    // A long film: it must not end before it is cancelled, however busy the machine is.
    await page.getByRole('button', { name: 'Speed: 1 year per second' }).click()
    await page.getByRole('menuitem', { name: '3 months per second' }).click()
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: /^Film/ }).click()
    await page.getByRole('progressbar', { name: 'Recording the film' }).waitFor()
    // Not among the screens: Chromium may crash when a page is left after a recording.
    await requireAccessible(page, 'while a film is recorded')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    await page.addInitScript('delete window.MediaRecorder')
    await page.reload()
    await page.getByRole('button', { name: 'Export' }).click()
    const film = page.getByRole('menuitem', { name: /This browser cannot record films/ })
    assert.equal(await film.getAttribute('aria-disabled'), 'true')
    await film.press('Enter')
    assert.equal(await page.getByRole('progressbar').count(), 0)
  })
})

/** Steps, colouring and the address, which a reload reads. */
async function moveByKeys(page: Page): Promise<void> {
  const { press, tabTo } = keyboardOf(page)
  await page.getByText('4 flights between 4 airports', { exact: false }).waitFor()
  await tabTo('Time')
  await press('Enter')
  await stands(page, 'December 2021, 4 flights')
  await press('Home')
  await stands(page, 'January 2017, 0 flights')
  await panel(page).getByText('No flights in these years').waitFor()
  for (let i = 0; i < 3; i++) await press('Shift+ArrowRight')
  await stands(page, 'December 2019, 3 flights')
  await press('ArrowLeft')
  await stands(page, 'November 2019, 3 flights')
  assert.equal(await figure(page, 'Airports').textContent(), '3')
  await page.waitForURL(/\?time=years&to=2019-12$/)
  await tabTo('Years')
  await press('ArrowRight', 'ArrowRight')
  await page.waitForURL(/time=heat&to=2019-12$/)
  await page.reload()
  await stands(page, 'November 2019, 3 flights')
  assert.ok(await page.getByRole('radio', { name: 'Heat' }).isChecked())
  await press('End')
  await stands(page, 'December 2021, 4 flights')
  await page.waitForURL(/time=heat$/)
}

/** The selection has the colours of its years, and only flights completed by then. */
async function requireColours(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Years' }).check()
  await page.getByRole('application').press('Enter')
  await page.getByRole('complementary', { name: /Copenhagen/ }).waitFor()
  assert.ok(await isLitIn(page, '--c5'), 'the route of the first year')
  assert.ok(await isLitIn(page, '--c3'), 'the route of the year in the middle')
  for (let i = 0; i < 3; i++) await until(page).press('Shift+ArrowLeft')
  await stands(page, 'December 2018, 1 flight')
  assert.equal(await isLitIn(page, '--c3', false), false, 'the planned flights')
  assert.ok(await isLitIn(page, '--c5'), 'the first year is still there')
  await until(page).press('End')
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('complementary').waitFor({ state: 'detached' })
}

/** With reduced motion, and without a plane. */
async function playByYears(page: Page): Promise<void> {
  await stands(page, 'December 2021, 4 flights')
  // A year is announced only for a second, and it plays for a few: the page records it, however busy the machine is.
  await page.evaluate(noteWhatIsSaid)
  await page.evaluate(noteNames)
  await page.keyboard.press('Space')
  await page.locator('body[data-named*="Pause"]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await stands(page, 'December 2021, 4 flights')
  const said = await page.evaluate<[string, number][]>('said')
  assert.match(said[0]?.[0] ?? '', /^20\d\d, \d flights?$/)
  // Speech is slower than the years.
  for (const [i, [text, at]] of said.slice(1).entries())
    assert.ok(at - said[i]![1] >= 4900, `${text} came ${at - said[i]![1]} ms after ${said[i]![0]}`)
}

async function dragAndSearch(page: Page): Promise<void> {
  await stands(page, 'December 2021, 4 flights')
  await page.getByRole('switch', { name: 'Day and night' }).click()
  await page.waitForURL(/night=1/)
  const box = (await until(page).locator('..').boundingBox())!
  const y = box.y + box.height * 0.7
  await page.mouse.move(box.x + box.width - 1, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 })
  await page.mouse.up()
  await stands(page, 'June 2019, 1 flight')
  // The start handle cuts off the beginning.
  await page.mouse.move(box.x + 1, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.3, y, { steps: 4 })
  await page.mouse.up()
  await stands(page, 'June 2019, 0 flights')
  await page.waitForURL(/from=2018-0[67]/)
  await page.getByRole('searchbox').fill('LHR')
  await page.waitForURL(/q=LHR/)
  await page.waitForURL(/time=years/)
  await page.locator('dt:text-is("Flights") + dd:text-is("1")').waitFor()
  await page.getByRole('button', { name: 'Time', exact: true }).click()
  await until(page).waitFor({ state: 'detached' })
  assert.doesNotMatch(page.url(), /time|night|from/)
}
