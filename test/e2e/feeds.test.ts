// Feeds in the settings: a person creates one, adds its address to a calendar, changes it, and deletes it.
import assert from 'node:assert/strict'
import { logFlight } from '../fixtures.ts'
import { heading, journeys } from './browser.ts'

journeys('feeds', 'postgres', ({ journey }) => {
  journey('A feed is created, read, changed, given a new address and deleted', async ({ app, open }) => {
    const ada = await app.person()
    const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('EWR')]
    await logFlight(app, ada, {
      date: '2026-02-20',
      fromId,
      toId,
      flightNumber: 'SK909',
      note: 'window seat',
    })
    const page = await open('/settings/integrations', { as: ada, device: 'phone' })
    await heading(page, 'Feeds and webhooks').waitFor()
    await page.getByText('No feeds yet.').waitFor()

    await page.getByRole('button', { name: 'New feed' }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'My flights')
    await dialog.getByLabel('Name').fill('')
    await dialog.getByRole('button', { name: 'Create feed' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByLabel('Name').fill('Trips')
    await dialog.getByRole('switch', { name: 'Notes' }).check()
    await dialog.getByRole('button', { name: 'Create feed' }).click()
    await dialog.waitFor({ state: 'detached' })

    const addressOf = () => page.getByRole('region', { name: 'Secret address' }).innerText()
    await page.getByText('Shown only once').waitFor()
    const address = await addressOf()
    assert.match(address, /\/feeds\/ctf_[a-z2-7]{39}\.ics$/)
    await page.getByRole('img', { name: 'QR code of the secret address' }).waitFor()
    const subscribe = page.getByRole('link', { name: 'Subscribe on this device' })
    assert.equal(await subscribe.getAttribute('href'), address.replace('http:', 'webcal:'))
    const path = new URL(address).pathname
    const calendar = await app.request('GET', path)
    assert.equal(calendar.status, 200)
    assert.ok(calendar.text.includes('X-WR-CALNAME:Trips\r\n') && calendar.text.includes('SK909 CPH → EWR'))
    assert.ok(!calendar.text.includes('window seat'))

    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('Shown only once').waitFor({ state: 'detached' })
    await page.getByText('All flights · without notes').waitFor()
    assert.ok(!(await page.content()).includes(path))

    await page.getByRole('button', { name: 'Edit Trips' }).click()
    await dialog.getByText('Upcoming').click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Upcoming flights · without notes').waitFor()
    assert.ok(!(await app.request('GET', path)).text.includes('SK909'))

    await page.getByRole('button', { name: 'New address: Trips' }).click()
    await dialog.getByRole('button', { name: 'New address' }).click()
    await page.getByText('Shown only once').waitFor()
    const next = new URL(await addressOf()).pathname
    assert.equal((await app.request('GET', path)).status, 404)
    assert.equal((await app.request('GET', next)).status, 200)
    await page.getByRole('button', { name: 'I have copied it' }).click()

    await page.getByRole('button', { name: 'Delete Trips' }).click()
    await dialog.getByRole('button', { name: 'Delete feed' }).click()
    await page.getByText('No feeds yet.').waitFor()
    assert.equal((await app.request('GET', next)).status, 404)
  })
})
