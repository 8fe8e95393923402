// Databases as earlier versions left them.
import { join } from 'node:path'
import { createLogger } from '../../server/base/log.ts'
import { builtInRoles, scopes } from '../../server/domain/access/access.ts'
import { defaultPreferences } from '../../server/domain/people/preferences.ts'
import type { Engine } from '../../server/store/engine/engine.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openSqlite } from '../../server/store/engine/sqlite.ts'
import { tables, tablesLeftOut } from '../../server/store/instance/backup.ts'
import { migrate, migrations } from '../../server/store/migrations/migrate.ts'
import type { Database } from '../running/processes.ts'

const log = createLogger('silent')

/** Not migrated. */
export const openBare = ({ databaseUrl, dataDir }: Database): Engine =>
  databaseUrl
    ? openPostgres({ url: databaseUrl, connections: 4 }, log)
    : openSqlite(join(dataDir, 'contrail.sqlite'))

const literal = (value: unknown) =>
  value === null
    ? 'null'
    : typeof value === 'number'
      ? String(value)
      : `'${String(value).replaceAll("'", "''")}'`

/** One row of every kind, as written by the first version. */
function firstRows(hash: string): [string, Record<string, unknown>][] {
  const at = '2025-03-01T10:00:00.000Z'
  return [
    ...builtInRoles.map((role): [string, Record<string, unknown>] => [
      'role',
      {
        id: role.id,
        name: role.name,
        name_folded: role.name.toLowerCase(),
        description: role.description,
        permissions: JSON.stringify(role.permissions),
        created_at: at,
        updated_at: at,
      },
    ]),
    ['setting', { name: 'defaultRoleId', value: 'role-user' }],
    [
      'person',
      {
        id: 'firstowner00001',
        username: 'ada',
        username_folded: 'ada',
        display_name: 'Ada',
        password_hash: null,
        role_id: null,
        is_owner: 1,
        preferences: JSON.stringify(defaultPreferences),
        created_at: at,
      },
    ],
    [
      'api_key',
      {
        user_id: 'firstowner00001',
        name: 'old',
        hash,
        last_four: 'abcd',
        scopes: JSON.stringify(scopes),
        legacy_format: 'codes',
        created_at: at,
        last_used_at: null,
      },
    ],
    [
      'airport',
      {
        id: 2542,
        icao: 'EKCH',
        iata: 'CPH',
        name: 'Old name',
        municipality: null,
        latitude: 55.6,
        longitude: 12.6,
        timezone: 'Europe/Copenhagen',
        type: 'large_airport',
        continent: 'EU',
        country: 'DK',
        former_codes: '[]',
        custom: 0,
        search: '',
      },
    ],
    [
      'flight',
      {
        date: '2025-02-20',
        date_precision: 'day',
        flight_number: 'SK909',
        note: 'from the first version',
        from_id: 2542,
        to_id: 2542,
        created_at: at,
        updated_at: at,
      },
    ],
    ['flight_passenger', { flight_id: 1, flight_date: '2025-02-20', user_id: 'firstowner00001' }],
  ]
}

/** Empties the copied database and creates the schema of a version with its own statements, the first one if not told. */
export async function buildVersion(database: Database, hash: string, upTo = 1): Promise<void> {
  const engine = openBare(database)
  await engine.transaction(async (tx) => {
    for (const name of [...tablesLeftOut, ...tables.map((table) => table.name).reverse()])
      await tx.execute(`/* test */ drop table if exists ${name}`)
    await tx.execute('/* test */ drop table migration')
  })
  await migrate(engine, migrations.slice(0, upTo))
  await engine.transaction(async (tx) => {
    for (const [table, row] of firstRows(hash)) {
      const [names, values] = [Object.keys(row), Object.values(row).map(literal)]
      await tx.execute(`insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`)
    }
  })
  await engine.close()
}
