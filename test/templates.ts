// A prepared database of each engine, which every suite copies: loading the reference data takes seconds, a copy
// milliseconds. They are kept between runs until their sources change. Suites find them through the environment.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { DAY } from '../server/domain/time/durations.ts'
import { dependenciesOf } from './dependencies.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const TEMPLATE = 'contrail_template'
/** Where runs store what the next one can use. */
export const keptFolder = resolve('node_modules/.cache/contrail-tests')

/** Starts PostgreSQL too if it is needed; the returned function stops it. */
export async function prepareEngines(scratch: string, withPostgres: boolean): Promise<() => Promise<void>> {
  const kept = join(keptFolder, keyOfTemplates())
  deleteOld(kept)
  process.env['TEST_SCRATCH'] = scratch
  process.env['TEST_TEMPLATE_DIR'] = join(kept, 'sqlite')
  await keep(join(kept, 'sqlite'), (dataDir) => fill(undefined, dataDir))
  if (!withPostgres) return async () => {}
  const postgres = await startWithTemplate(scratch, join(kept, 'postgres'))
  process.env['TEST_POSTGRES'] = postgres.url
  process.env['TEST_TEMPLATE_DATABASE'] = TEMPLATE
  return postgres.stop
}

/** A server of this run alone, on a copy of the kept one; a given server gets its template in each run. */
async function startWithTemplate(scratch: string, kept: string): Promise<Postgres> {
  const folder = join(scratch, 'postgres')
  if (process.env['TEST_DATABASE_URL']) {
    const postgres = await startPostgres(scratch, false)
    await fillTemplate(postgres, scratch)
    return postgres
  }
  await keep(kept, async (copy) => {
    const postgres = await startPostgres(scratch, false)
    await fillTemplate(postgres, scratch)
    await postgres.stop()
    copyFolder(folder, copy)
    rmSync(folder, { recursive: true })
  })
  copyFolder(kept, folder)
  return startPostgres(scratch, false)
}

async function fillTemplate(postgres: Postgres, scratch: string): Promise<void> {
  const { databaseUrl } = await postgres.place('postgres', TEMPLATE)
  await fill(databaseUrl, join(scratch, 'filling'))
}

/** The application is loaded only to fill a template. */
async function fill(databaseUrl: string | undefined, dataDir: string): Promise<void> {
  const [{ createLogger }, { seed }, { openStore }, { readForIndexes }] = await Promise.all([
    import('../server/base/log.ts'),
    import('../server/process/seed.ts'),
    import('../server/store/store.ts'),
    import('../server/services/reference/shipped-indexes.ts'),
  ])
  const log = createLogger('silent')
  const store = await openStore({ databaseUrl, dataDir }, log)
  await seed(store, log, new Date('2026-01-01T00:00:00Z'))
  const makeIndexes = await readForIndexes(store.read, dataDir)
  await store.close()
  await makeIndexes()
}

/** Made in another folder first, so that an interrupted run keeps nothing partial. */
async function keep(folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return
  mkdirSync(join(folder, '..'), { recursive: true })
  const making = mkdtempSync(`${folder}-`)
  await make(join(making, 'made'))
  // Another run may have been faster.
  if (!existsSync(folder)) renameSync(join(making, 'made'), folder)
  rmSync(making, { recursive: true, force: true })
}

/** The code that fills a template, with its imports, and the shipped data. */
function keyOfTemplates(): string {
  const hash = createHash('sha256')
  const code = [
    ...dependenciesOf('test/templates.ts'),
    ...dependenciesOf('server/services/reference/load.ts'),
    ...dependenciesOf('server/services/reference/shipped-indexes.ts'),
  ]
  for (const [file, source] of code) hash.update(file).update(source)
  for (const file of globSync('server/services/reference/data/**', { withFileTypes: true }).filter((one) =>
    one.isFile(),
  ))
    hash.update(readFileSync(join(file.parentPath, file.name)))
  return hash.digest('hex').slice(0, 16)
}

/** Templates of other sources; another run may still use one from today. */
function deleteOld(kept: string): void {
  for (const folder of globSync(join(keptFolder, '*/')).filter((one) => one !== kept))
    if (statSync(folder).mtimeMs < Date.now() - DAY) rmSync(folder, { recursive: true, force: true })
}

/** Keeps the owner: run as root, PostgreSQL has its own user. */
function copyFolder(from: string, to: string): void {
  if (process.platform === 'win32') cpSync(from, to, { recursive: true })
  else execFileSync('cp', ['-a', from, to])
}
