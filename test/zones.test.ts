// The rules of time zones compared with foreign ones: since 1970 moment-timezone's packed table, before 1970 the output of
// Debian's zdump. Both were compiled by zic; our compiler is tools/reference/zone-source.ts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import moment from 'moment-timezone'
import {
  formatInZone,
  localMinute,
  offsetMinutes,
  readLocal,
  timeZoneNamed,
} from '../server/domain/time/time.ts'
import table from '../server/domain/time/zone-rules.json' with { type: 'json' }
import { listZoneNames, tzdataVersion } from '../server/domain/time/zone-rules.ts'
import manifest from '../server/services/reference/data/manifest.json' with { type: 'json' }

/** Zones that tzdata changed after the release of moment-timezone; none if both have the same release. */
const changedSince: string[] = []

/** Names of the places in zone-history.txt, each with its name there. */
const sameHistory: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'Africa/Timbuktu': 'Africa/Bamako',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Kralendijk': 'America/Curacao',
  'America/Lower_Princes': 'America/Curacao',
  'America/Marigot': 'America/Port_of_Spain',
  'America/St_Barthelemy': 'America/Port_of_Spain',
  'America/Virgin': 'America/St_Thomas',
  'Antarctica/South_Pole': 'Antarctica/McMurdo',
  'Arctic/Longyearbyen': 'Europe/Oslo',
  'Atlantic/Jan_Mayen': 'Europe/Oslo',
  Iceland: 'Atlantic/Reykjavik',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
  'Pacific/Yap': 'Pacific/Chuuk',
}

interface History {
  first: number
  changes: { at: number; offset: number }[]
}

/** The changes before 1970 as zdump printed them, by zone; offsets in seconds. */
function readHistories(): Map<string, History> {
  const lines = readFileSync('test/data/zone-history.txt', 'utf8').split('\n')
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [zone, first, ...rest] = line.split(' ')
        const changes = rest.flatMap((text, index) =>
          index % 2 === 0 ? { at: Date.parse(text), offset: Number(rest[index + 1]) } : [],
        )
        return [zone!, { first: Number(first), changes }]
      }),
  )
}

/** The instants in our table at which a zone's offset changes, without those of a yearly rule. */
function changesOf(name: string): number[] {
  const zone = table.links.find((link) => link.startsWith(`${name} `))?.split(' ')[1] ?? name
  const gaps = table.zones.find((line) => line.startsWith(`${zone}|`))!.split('|')[3]!
  let seconds = 0
  return gaps.split(' ').flatMap((gap) => {
    if (gap === '') return []
    seconds += Number.parseInt(gap, 36)
    return seconds * 1000
  })
}

const secondsAt = (instant: number, zone: string) => Math.round(offsetMinutes(instant, zone) * 60)
const momentSecondsAt = (instant: number, zone: string) =>
  Math.round(moment.tz.zone(zone)!.utcOffset(instant) * -60)
const day = (instant: number) => new Date(instant).toISOString()

/** Both sides of every change that either table has between two instants. */
function instantsBetween(zone: string, from: number, to: number): number[] {
  const changes = [...moment.tz.zone(zone)!.untils, ...changesOf(zone)]
  return [from, ...changes.flatMap((change) => [change - 1, change])].filter(
    (instant) => instant >= from && instant < to,
  )
}

const histories = readHistories()

test('since 1970 every zone equals moment-timezone’s, up to 2200', () => {
  const differences = moment.tz.names().flatMap((zone) =>
    instantsBetween(zone, 0, Date.UTC(2200, 0, 1))
      .filter((instant) => secondsAt(instant, zone) !== momentSecondsAt(instant, zone))
      .map((instant) => ({ zone, text: `${zone} ${day(instant)}: ${secondsAt(instant, zone)}` })),
  )
  assert.deepEqual(
    differences.filter(({ zone }) => !changedSince.includes(zone)).map(({ text }) => text),
    [],
  )
})

test('before 1970 a zone has its own history from tzdata, else that of moment-timezone', () => {
  const expectedOf = (zone: string) => {
    const history = histories.get(sameHistory[zone] ?? zone)
    if (!history) return (instant: number) => momentSecondsAt(instant, zone)
    return (instant: number) => history.changes.findLast(({ at }) => at <= instant)?.offset ?? history.first
  }
  const differences = moment.tz.names().flatMap((zone) => {
    const expected = expectedOf(zone)
    const written = (histories.get(sameHistory[zone] ?? zone)?.changes ?? []).flatMap(({ at }) => [
      at - 1,
      at,
    ])
    return [...instantsBetween(zone, Date.UTC(1800, 0, 1), 0), ...written]
      .filter((instant) => secondsAt(instant, zone) !== expected(instant))
      .map((instant) => `${zone} ${day(instant)}: ${secondsAt(instant, zone)}, not ${expected(instant)}`)
  })
  assert.deepEqual(differences, [])
})

test('local times before 1970 are right', () => {
  const facts: [zone: string, wallClock: string, offset: string][] = [
    ['Atlantic/Reykjavik', '1960-01-15T12:00', '-01:00'],
    ['Atlantic/Reykjavik', '1960-07-01T12:00', '+00:00'],
    ['Atlantic/Reykjavik', '1967-12-24T18:00', '-01:00'],
    ['Atlantic/Reykjavik', '1969-01-15T12:00', '+00:00'],
    ['Europe/Oslo', '1962-07-01T12:00', '+02:00'],
    ['Europe/Oslo', '1962-01-15T12:00', '+01:00'],
    ['Europe/Oslo', '1958-07-01T12:00', '+01:00'],
    ['Europe/Oslo', '1966-07-01T12:00', '+01:00'],
    ['Arctic/Longyearbyen', '1962-07-01T12:00', '+02:00'],
    ['Europe/Stockholm', '1945-07-01T12:00', '+01:00'],
    ['Europe/Copenhagen', '1948-07-01T12:00', '+02:00'],
    ['Europe/Copenhagen', '1949-07-01T12:00', '+01:00'],
    ['Europe/Amsterdam', '1938-01-15T12:00', '+00:20'],
    ['Europe/Amsterdam', '1938-07-01T12:00', '+01:20'],
    ['Europe/Amsterdam', '1943-01-15T12:00', '+01:00'],
    ['Europe/Luxembourg', '1935-07-01T12:00', '+01:00'],
    ['Europe/Monaco', '1938-01-15T12:00', '+00:00'],
    ['Europe/Zagreb', '1943-07-01T12:00', '+02:00'],
    ['Africa/Accra', '1955-10-01T12:00', '+00:30'],
    ['Africa/Accra', '1955-03-01T12:00', '+00:00'],
    ['Africa/Dar_es_Salaam', '1955-03-01T12:00', '+02:45'],
    ['Africa/Kampala', '1955-03-01T12:00', '+02:45'],
    ['Africa/Mogadishu', '1955-03-01T12:00', '+02:30'],
    ['Africa/Niamey', '1955-03-01T12:00', '+00:00'],
    ['Africa/Dakar', '1940-03-01T12:00', '-01:00'],
    ['Africa/Bamako', '1959-03-01T12:00', '-01:00'],
    ['Africa/Malabo', '1960-03-01T12:00', '+00:00'],
    ['America/Curacao', '1960-03-01T12:00', '-04:30'],
    ['America/Aruba', '1964-12-31T12:00', '-04:30'],
    ['America/Kralendijk', '1960-03-01T12:00', '-04:30'],
    ['America/Antigua', '1950-03-01T12:00', '-05:00'],
    ['America/Nassau', '1958-07-01T12:00', '-05:00'],
    ['Asia/Bahrain', '1943-03-01T12:00', '+03:30'],
    ['Asia/Brunei', '1940-03-01T12:00', '+08:00'],
    ['Asia/Phnom_Penh', '1950-03-01T12:00', '+07:00'],
    ['Asia/Vientiane', '1950-03-01T12:00', '+08:00'],
    ['Indian/Antananarivo', '1954-04-01T12:00', '+04:00'],
    ['Pacific/Majuro', '1969-09-01T12:00', '+11:00'],
    ['Pacific/Majuro', '1969-12-01T12:00', '+12:00'],
    ['Pacific/Midway', '1956-07-01T12:00', '-10:00'],
    // Zones that always had their history.
    ['Europe/London', '1943-07-01T12:00', '+02:00'],
    ['Europe/Berlin', '1947-06-01T12:00', '+03:00'],
    ['America/New_York', '1944-01-15T12:00', '-04:00'],
    ['Asia/Singapore', '1950-03-01T12:00', '+07:30'],
  ]
  const read = facts.map(([zone, wallClock]) => {
    const { instant } = readLocal(wallClock, zone)
    assert.equal(localMinute(instant, zone), wallClock)
    return [zone, wallClock, formatInZone(instant, zone).slice(-6)]
  })
  assert.deepEqual(read, facts)
})

test('yearly rules apply in every later year', () => {
  const facts: [zone: string, day: string, offset: string][] = [
    ['Europe/Oslo', '07-01', '+02:00'],
    ['Europe/Oslo', '12-31', '+01:00'],
    ['Europe/Dublin', '07-01', '+01:00'],
    ['Australia/Sydney', '12-31', '+11:00'],
  ]
  for (const year of ['2100', '2500', '3000', '9999']) {
    for (const [zone, day, offset] of facts) {
      const { instant } = readLocal(`${year}-${day}T12:00`, zone)
      assert.equal(formatInZone(instant, zone), `${year}-${day}T12:00:00${offset}`, zone)
    }
  }
  // 2999-03-31 and 9999-03-28 are Sundays, the last of their months.
  for (const date of ['2999-03-31', '9999-03-28']) {
    const { shifted, instant } = readLocal(`${date}T02:30`, 'Europe/Oslo')
    assert.deepEqual([shifted, instant], [true, Date.parse(`${date}T01:30:00Z`)])
  }
})

test('every name of moment-timezone is known, in any case', () => {
  const names = moment.tz.names()
  assert.ok(names.length >= 597)
  for (const name of names) assert.equal(timeZoneNamed(name.toUpperCase()), name)
  assert.deepEqual(listZoneNames().sort(), names.sort())
  for (const name of ['Factory', 'constructor', '', 'Europe']) assert.equal(timeZoneNamed(name), undefined)
  assert.throws(() => offsetMinutes(0, 'Europe/Nowhere'), /unknown time zone/)
})

test('the table equals its source, and the reference set names its release', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/reference/zone-rules.ts', '--check'])
  assert.equal(status, 0, String(stderr))
  assert.equal(manifest.tzdata, tzdataVersion)
  assert.match(tzdataVersion, /^20\d\d[a-z]$/)
})
