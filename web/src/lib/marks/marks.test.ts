import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseColour } from '../../../../server/domain/colour.ts'
import {
  badgeCode,
  badgeColours,
  knownBadges,
  otherGrounds,
  shortAircraftName,
  silhouetteOf,
  silhouettePaths,
} from './marks.ts'

function luminance(colour: string): number {
  const [r, g, b] = parseColour(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

test('every badge can be read', () => {
  const pairs = [...Object.entries(knownBadges), ...otherGrounds.map((ground) => ['', [ground, '#ffffff']])]
  for (const [code, [ground, text]] of pairs as [string, [string, string]][])
    assert.ok(contrast(ground, text) >= 4.5, `${code} ${ground} ${text}: ${contrast(ground, text)}`)
})

test('a code always has the same colours, and codes share them out', () => {
  assert.deepEqual(badgeColours('SK'), knownBadges['SK'])
  assert.deepEqual(badgeColours('ZZ9'), badgeColours('ZZ9'))
  const codes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}9`)
  assert.ok(new Set(codes.map((code) => badgeColours(code)[0])).size >= 8)
})

test('a badge has the code, else the letters of the flight number, else initials', () => {
  assert.equal(badgeCode({ iata: 'LH', icao: 'DLH', name: 'Lufthansa' }), 'LH')
  assert.equal(badgeCode({ iata: null, icao: 'DLH', name: 'Lufthansa' }), 'DLH')
  assert.equal(badgeCode({ iata: null, icao: null, name: 'Greenland Express Air' }), 'GE')
  assert.equal(badgeCode(null, 'SK 909'), 'SK')
  assert.equal(badgeCode(null, 'u2123'), 'U2')
  assert.equal(badgeCode(null, '4711'), '')
  assert.equal(badgeCode(null), '')
})

test('aircraft are drawn by what is known of their type', () => {
  const shape = (icao: string | null, kind: Parameters<typeof silhouetteOf>[0]['class'] = 'jet') =>
    silhouetteOf({ icao, class: kind })
  for (const icao of ['B77W', 'A359', 'A35K', 'A388', 'B744', 'MD11']) assert.equal(shape(icao), 'wide', icao)
  for (const icao of ['A320', 'A20N', 'B738', 'BCS3', 'MD82', 'A318'])
    assert.equal(shape(icao), 'narrow', icao)
  for (const icao of ['CRJ9', 'E190', 'E75L', 'F100', 'E145']) assert.equal(shape(icao), 'regional', icao)
  for (const icao of ['GLF5', 'C25A', 'LJ45']) assert.equal(shape(icao), 'small', icao)
  assert.equal(shape(null), 'narrow')
  assert.equal(shape('AT76', 'turboprop'), 'turboprop')
  assert.equal(shape('C172', 'piston'), 'small')
  assert.equal(shape('EC35', 'helicopter'), 'helicopter')
  assert.equal(shape('CONC', 'supersonic'), 'supersonic')
  assert.equal(shape('B738', null), null, 'unknown: nothing is drawn')
  assert.equal(new Set(Object.values(silhouettePaths)).size, 7)
})

test('the makers of A and 7 numbers go without saying', () => {
  assert.equal(shortAircraftName('Boeing 777-300ER'), '777-300ER')
  assert.equal(shortAircraftName('Airbus A350-900'), 'A350-900')
  assert.equal(shortAircraftName('Airbus BelugaXL'), 'Airbus BelugaXL')
  assert.equal(shortAircraftName('ATR 72-600'), 'ATR 72-600')
})
