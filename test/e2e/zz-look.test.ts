import type { TestApp, TestPerson } from '../harness.ts'
import { journeys } from './browser.ts'
const codes = ['CPH', 'NRT', 'LHR', 'JFK', 'SIN', 'SYD', 'KEF', 'FRA', 'OSL', 'BCN', 'MUC', 'DXB']
async function fill(app: TestApp, who: TestPerson, count: number) {
  const key = await who.key()
  for (let start = 0; start < count; start += 500) {
    const operations = Array.from({ length: Math.min(500, count - start) }, (_, j) => {
      const i = start + j
      const year = 2002 + ((i * 7) % 24)
      if (year === 2009) return null
      const [from, to] = [codes[i % 2 ? 0 : i % 12], codes[(i * 5 + 3) % 12]]
      const date = `${year}-${String(1 + (i % 12)).padStart(2, '0')}-${String(1 + (i % 28)).padStart(2, '0')}`
      const timed = i === 3 ? { departure: `${date}T10:00:00Z`, arrival: `${date}T13:15:00Z` } : {}
      return { op: 'create', flight: { date, from, to: from === to ? codes[(i * 5 + 4) % 12] : to, airline: i % 3 ? 'SK' : 'BA', ...timed, passengers: [{ userId: who.id, seatClass: i % 9 === 0 ? 'economy' : null }] } }
    }).filter(Boolean)
    const reply = await app.request('POST', '/api/v1/flights/bulk', { key, body: { operations } })
    if (reply.status !== 200) throw new Error(reply.text.slice(0, 400))
  }
}
const counts = (process.env['COUNTS'] ?? '0,1,4,5,301').split(',').map(Number)
journeys('look', 'sqlite', ({ journey }) => {
  journey('look', async ({ app, open }) => {
    for (const count of counts) {
      const ada = await app.person(count === 301 ? 'role-administrator' : undefined)
      await fill(app, ada, count)
      const looks = count === 301 ? [['desktop', 'light', 'en-GB'], ['phone', 'dark', 'de-DE'], ['phone', 'light', 'en-GB']] : count === 5 ? [['desktop', 'dark', 'de-DE']] : [['phone', 'light', 'en-GB']]
      for (const [device, colorScheme, locale] of looks as any) {
        const page = await open('/stats', { as: ada, device, colorScheme, locale })
        if (count > 0) await page.getByRole('heading', { name: /Badges|Abzeichen/ }).waitFor()
        await page.waitForTimeout(500)
        await page.screenshot({ path: `/tmp/h6/top-${count}-${device}-${colorScheme}.png` })
        const card = page.locator('section.card', { has: page.getByRole('heading', { name: /^(Records|Rekorde)$/ }) })
        if (await card.count()) await card.screenshot({ path: `/tmp/h6/records-${count}-${device}-${colorScheme}.png` })
        const how = page.locator('section', { has: page.getByRole('heading', { name: /^(How you flew|Wie du geflogen bist)$/ }) })
        if (await how.count()) await how.last().screenshot({ path: `/tmp/h6/how-${count}-${device}-${colorScheme}.png` })
        if (count === 1) {
          await page.goto(`/stats/review${count === 301 ? '' : ''}`)
          await page.waitForTimeout(1500)
          await page.screenshot({ path: `/tmp/h6/review-${count}-${device}-${colorScheme}.png`, fullPage: true })
        }
        await page.context().close()
      }
    }
  })
})
