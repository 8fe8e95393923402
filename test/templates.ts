// A set-up database of each engine, which every suite copies: loading the reference data takes a second or two, a copy a
// moment. The suites find them through the environment.
import { join } from 'node:path'
import pg from 'pg'
import { createLogger } from '../server/base/log.ts'
import { seed } from '../server/process/seed.ts'
import { openStore } from '../server/store/store.ts'

const TEMPLATE = 'contrail_template'

/** Without an address of PostgreSQL only for the embedded engine. */
export async function prepareTemplates(scratch: string, postgresUrl?: string): Promise<void> {
  const databases = [undefined, ...(postgresUrl ? [await createTemplateDatabase(postgresUrl)] : [])]
  const log = createLogger('silent')
  for (const databaseUrl of databases) {
    const store = await openStore({ databaseUrl, dataDir: join(scratch, 'template') }, log)
    await seed(store, log, new Date('2026-01-01T00:00:00Z'))
    await store.close()
  }
  if (postgresUrl) process.env['TEST_POSTGRES'] = postgresUrl
  process.env['TEST_TEMPLATE_DATABASE'] = TEMPLATE
  process.env['TEST_TEMPLATE_DIR'] = join(scratch, 'template')
  process.env['TEST_SCRATCH'] = scratch
}

async function createTemplateDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE}`)
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = new URL(url)
  template.pathname = `/${TEMPLATE}`
  return template.href
}
