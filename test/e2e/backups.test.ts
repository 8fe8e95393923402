// What an administrator sees of the backups and can do with them, and that other people see nothing of them.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '../../server/services/backup/schedule.ts'
import { heading, journeys } from './browser.ts'
import { follow } from './screens.ts'

const backupDir = join(
  mkdtempSync(join(process.env['TEST_SCRATCH']!, 'e2e-backups-')),
  'not-mounted',
  'contrail',
)

journeys(
  'automatic backups',
  'sqlite',
  ({ journey }) => {
    journey('A failed backup is shown to administrators until one succeeds', async ({ app, open }) => {
      // Requested backups are made by another process, at the real time.
      app.clock.set(Date.now() + 1000)
      const make = (folder: string) =>
        makeBackup({
          store: app.store,
          uploads: app.services.uploads,
          config: { backupDir: folder, backupKeep: 3, backupEveryMs: 86_400_000 },
          clock: app.clock,
        })
      await assert.rejects(make(join(backupDir, 'missing')), /there is no folder/)

      const other = await open('/flights', { as: await app.person(), clockOfMachine: true })
      await heading(other, 'Flights').waitFor()
      assert.equal(await other.getByText('The last backup of this instance failed.').count(), 0)

      const page = await open('/flights', {
        as: await app.person('owner'),
        device: 'phone',
        clockOfMachine: true,
      })
      await page.getByText('The last backup of this instance failed.').waitFor()
      await page.getByRole('link', { name: 'Show details' }).click()
      await page.getByText('The last backup failed.').waitFor()
      await page.getByText(/^The folder does not exist/).waitFor()
      await page.getByText('The last backup of this instance failed.').waitFor({ state: 'detached' })

      app.clock.advance(1000)
      mkdirSync(backupDir, { recursive: true })
      await make(backupDir)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByText('The last backup succeeded.').waitFor()

      const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
      await files.first().waitFor()
      const before = await files.count()
      await page.getByRole('button', { name: 'Make a backup now' }).click()
      await files.nth(before).waitFor()
      await files
        .first()
        .getByRole('button', { name: /^Check the backup of / })
        .click()
      await page
        .getByText(/^This file is complete: \d+ (person|people), \d+ flights?, made on /)
        .first()
        .waitFor()
      await page.getByText(/^contrail restore \/.*\.gz$/).waitFor()
      const download = page.waitForEvent('download')
      await files
        .first()
        .getByRole('button', { name: /^Download the backup of / })
        .click()
      assert.match((await download).suggestedFilename(), /^contrail-[a-z2-7]{6}-\d{8}T\d{6}Z\.gz$/)

      await follow(page, '/flights')
      await heading(page, 'Flights').waitFor()
      assert.equal(await page.getByText('The last backup of this instance failed.').count(), 0)
    })
  },
  {},
  { backupDir },
)
