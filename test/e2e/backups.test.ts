// What an administrator sees of the backups and does with them, and that other people see none of it.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '../../server/backup/schedule.ts'
import type { TestPerson } from '../harness.ts'
import { heading, journeys, requireAccessible } from './browser.ts'

const backupDir = join(
  mkdtempSync(join(process.env['TEST_SCRATCH']!, 'e2e-backups-')),
  'not-mounted',
  'contrail',
)

journeys(
  'automatic backups',
  'sqlite',
  ({ onEachDevice }) => {
    let owner: Promise<TestPerson> | undefined

    onEachDevice('a failed backup is shown until one succeeds', async ({ app, open }, device) => {
      // Backups that the page asks for are made by another process, at the real time.
      app.clock.set(Date.now() + 1000)
      const make = (folder: string) =>
        makeBackup({
          store: app.store,
          uploads: app.services.uploads,
          config: { backupDir: folder, backupKeep: 3, backupEveryMs: 86_400_000 },
          clock: app.clock,
        })
      await assert.rejects(make(join(backupDir, 'missing', device)), /there is no folder/)

      const other = await open('/flights', { as: await app.person(), device, clockOfMachine: true })
      await heading(other, 'Flights').waitFor()
      assert.equal(await other.getByText('The last backup of this instance failed.').count(), 0)

      owner ??= app.person('owner')
      const page = await open('/flights', { as: await owner, device, clockOfMachine: true })
      await page.getByText('The last backup of this instance failed.').waitFor()
      await requireAccessible(page, 'the banner')
      await page.getByRole('link', { name: 'Show details' }).click()
      await page.getByText('The last backup failed.').waitFor()
      await page.getByText(/^The folder does not exist/).waitFor()
      await page.getByText('The last backup of this instance failed.').waitFor({ state: 'detached' })
      await requireAccessible(page, 'a failed backup')

      app.clock.advance(1000)
      mkdirSync(backupDir, { recursive: true })
      await make(backupDir)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByText('The last backup succeeded.').waitFor()
      await requireAccessible(page, 'a made backup')

      const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
      const before = await files.count()
      assert.ok(before > 0)
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
      await requireAccessible(page, 'a checked backup')
      const download = page.waitForEvent('download')
      await files
        .first()
        .getByRole('button', { name: /^Download the backup of / })
        .click()
      assert.match((await download).suggestedFilename(), /^contrail-[a-z2-7]{6}-\d{8}T\d{6}Z\.gz$/)

      await page.goto('/flights')
      await heading(page, 'Flights').waitFor()
      assert.equal(await page.getByText('The last backup of this instance failed.').count(), 0)
    })
  },
  {},
  { backupDir },
)
