// The caller's display preferences.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { invalidField } from '../../base/errors.ts'
import { PREFERENCES_ID } from '../../domain/history/changes.ts'
import { defaultPreferences, preferenceValues } from '../../domain/people/preferences.ts'
import { RowId } from '../../domain/row-id.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { recordChanges } from '../../store/history/changes.ts'
import {
  findPreferences,
  lockPreferences,
  updatePreferences as storePreferences,
} from '../../store/people/people.ts'
import { single } from '../wire/schemas.ts'

const values = preferenceValues

export const Preferences = z
  .object({
    distanceUnit: z.enum(values.distanceUnit),
    windSpeedUnit: z.enum(values.windSpeedUnit),
    temperatureUnit: z.enum(values.temperatureUnit),
    pressureUnit: z.enum(values.pressureUnit),
    timeFormat: z.enum(values.timeFormat),
    dateFormat: z.enum(values.dateFormat),
    weekStartsOn: z.enum(values.weekStartsOn),
    flightTimeDisplay: z.enum(values.flightTimeDisplay),
    language: z
      .enum(values.language)
      .describe('Of the texts that others see of your log, such as the picture under the link to a share.'),
    homeAirportId: RowId.nullable().describe(
      'Where your journeys begin and end; null to go by your flights.',
    ),
  })
  .meta({ id: 'Preferences' })

const tag = 'Personal data'

export const getPreferences = operation({
  id: 'get-preferences',
  method: 'GET',
  path: '/preferences',
  tag,
  summary: 'Read your preferences',
  access: credentialWith(['profile.read']),
  output: single(Preferences),
  tool: { title: 'Read your preferences', says: ({ data }) => inWords(data) },
  run: async ({ principal, db }) => ({
    data: { ...defaultPreferences, ...(await findPreferences(db, principal.user.id)) },
  }),
})

const inWords = (preferences: object): string =>
  `${Object.entries(preferences)
    .map(([name, value]) => `${name}: ${value ?? 'none'}`)
    .join(', ')}.`

export const updatePreferences = operation({
  id: 'update-preferences',
  method: 'PUT',
  path: '/preferences',
  tag,
  summary: 'Change your preferences',
  example: { body: { distanceUnit: 'mi' } },
  description: 'Changes the given preferences and keeps the others.',
  access: credentialWith(['preferences.write']),
  body: takes(Preferences.partial().meta({ id: 'PreferencesInput' })),
  output: single(z.object({ updated: z.literal(true), ...Preferences.shape })),
  tool: {
    title: 'Change your preferences',
    says: ({ data: { updated: _updated, ...preferences } }) => inWords(preferences),
  },
  async run(call) {
    const { principal, input, db, now } = call
    const { id } = principal.user
    await requireHome(call, input.homeAirportId ?? null)
    const before = { ...defaultPreferences, ...(await lockPreferences(db, { id })) }
    const preferences = { ...before }
    for (const [name, value] of Object.entries(input)) {
      if (value !== undefined) Object.assign(preferences, { [name]: value })
    }
    if (!isDeepStrictEqual(preferences, before)) {
      await storePreferences(db, id, preferences)
      const change = { type: 'preferences', id: PREFERENCES_ID, kind: 'updated' } as const
      await recordChanges(db, id, [change], now.toISOString())
    }
    return { data: { updated: true as const, ...preferences } }
  },
})

async function requireHome({ db, principal, services }: Call, id: number | null): Promise<void> {
  if (id === null) return
  const wanted = { airports: [id], airlines: [], aircraft: [] }
  const { airports } = await services.reference.records(db, principal.revisions.reference, wanted)
  if (!airports.has(id)) throw invalidField(['homeAirportId'], 'no_such_home_airport')
}
