// The preview picture for links to a share: the globe of the year card, the sharer's name and, if the share shows
// statistics, its figures. Drawn as SVG and rendered as a PNG in the usual size of link previews.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import type { FeatureCollection } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { escapeXml } from '../../domain/formats/xml.ts'
import { kmPerUnit, type Preferences } from '../../domain/people/preferences.ts'
import {
  type CardAirport,
  type CardRoute,
  drawCounters,
  drawGlobe,
  drawSky,
  shortened,
} from '../../domain/sharing/card.ts'
import { fill, type PluralForms, pluralFor } from '../../domain/text/messages.ts'
import { font } from './fonts.ts'
import { type PictureTexts, pictureTexts } from './texts.ts'

export interface FlownMap {
  routes: CardRoute[]
  airports: CardAirport[]
  /** Only if the share shows statistics. */
  figures?: { flights: number; distanceKm: number; airports: number; countries: number }
  /** For a share of one flight or trip. */
  title?: { kind: 'flight' | 'trip'; text: string }
  sharer: { displayName: string } & Pick<Preferences, 'distanceUnit' | 'language'>
}

const WIDTH = 1200
const HEIGHT = 630
const LEFT = 60
/** Width of the text column to the left of the globe. */
const COLUMN = 490
/** Distance between counters. */
const STEP = 172

const assets = join(import.meta.dirname, '../../../assets')

export function drawPicture(map: FlownMap): Uint8Array {
  return new Resvg(pictureSvg(map, readLand()), { font }).render().asPng()
}

function readLand(): FeatureCollection {
  const world: Topology<{ countries: GeometryCollection }> = JSON.parse(
    readFileSync(join(assets, 'land-50m.json'), 'utf8'),
  )
  return feature(world, world.objects.countries)
}

/** English if no language is chosen, because the server does not know the preference of the sharer's browser. */
function pictureSvg(map: FlownMap, land: FeatureCollection): string {
  const language = map.sharer.language === 'auto' ? 'en' : map.sharer.language
  const words = pictureTexts[language]
  const format = (value: number) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(value)
  const rules = new Intl.PluralRules(language)
  const counter = (value: number, forms: PluralForms) =>
    [format(value), pluralFor(forms, value, rules)] as const
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="Inter">
  ${drawSky(WIDTH, HEIGHT)}
  ${drawGlobe({ ...map, land }, { centre: [872, 315], radius: 284, textScale: 1.5 })}
  ${drawTitle(map, words)}
  ${map.figures ? drawFigures(map.figures, map.sharer.distanceUnit, words, { format, counter }) : ''}
  ${drawMark()}
</svg>`
}

/**
 * Undefined if the font lacks letters of the name; it has Latin, Greek and Cyrillic. Symbols such as emoji are removed.
 */
function drawableName(name: string): string | undefined {
  const letters = name.replaceAll(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u200d\ufe0f]/gu, '').trim()
  const isDrawable = /^[ -~\u00a0-\u052f\u1e00-\u1fff\u2000-\u206f]+$/.test(letters)
  return isDrawable ? letters : undefined
}

/** As large as the column allows; the longest names are shortened. */
const sizeFor = (text: string, largest: number) => Math.min(largest, COLUMN / (0.57 * [...text].length))

/** The name of a trip or a flight comes first, then its owner. */
function drawTitle({ title, figures, sharer }: FlownMap, words: PictureTexts): string {
  const y = figures ? 128 : 320
  const name = drawableName(sharer.displayName)
  const text = title && drawableName(title.text)
  const whoseIn = (kind: keyof PictureTexts['shared']) =>
    name === undefined ? words.shared[kind] : fill(words.sharedBy[kind], { name })
  if (!title || text === undefined) return drawHeadline(whoseIn('title'), y)
  const whose = escapeXml(shortened(whoseIn(title.kind), 40))
  return `${drawHeadline(text, y - 24)}<text x="${LEFT}" y="${y + 22}" font-size="26" fill="#aab9d4">${whose}</text>`
}

function drawHeadline(title: string, y: number): string {
  const text = shortened(title, 32)
  const size = sizeFor(text, 54)
  return `<text x="${LEFT}" y="${y}" font-size="${size}" font-weight="700" fill="#ffffff" letter-spacing="${-0.02 * size}">${escapeXml(text)}</text>`
}

function drawFigures(
  { flights, distanceKm, airports, countries }: NonNullable<FlownMap['figures']>,
  unit: Preferences['distanceUnit'],
  words: PictureTexts,
  {
    format,
    counter,
  }: {
    format: (value: number) => string
    counter: (value: number, forms: PluralForms) => readonly [value: string, label: string]
  },
): string {
  const distance = format(distanceKm / kmPerUnit[unit])
  const size = sizeFor(`${distance}ab`, 112)
  const counters = [
    counter(flights, words.flights),
    counter(airports, words.airports),
    counter(countries, words.countries),
  ]
  const longest = Math.max(...counters.map(([value]) => value.length))
  const counterSize = Math.min(50, (STEP - 18) / (0.6 * longest))
  return `<text x="${LEFT - 4}" y="316" font-size="${size}" font-weight="700" fill="#ffffff" letter-spacing="${-0.04 * size}">${distance}<tspan font-size="${0.38 * size}" font-weight="600" fill="#c3cfe6" letter-spacing="0" dx="12">${unit}</tspan></text>
  ${drawCounters(counters, { x: LEFT, y: 420, step: STEP, size: counterSize })}`
}

/** The application's mark: a contrail rising over the limb of the earth. */
const drawMark =
  () => `<g transform="translate(${LEFT - 3} 546)" fill="none" stroke-linecap="round" stroke-width="2.6">
    <path d="M3.5 25.5a19 19 0 0 1 25 0" stroke="#6f81a3"/>
    <path d="M5.5 21C9 12.5 15 7.5 24.5 6" stroke="#4f86f0"/>
    <circle cx="25.5" cy="5.8" r="2.6" fill="#4f86f0"/>
    <text x="42" y="23" font-size="20" font-weight="600" fill="#8fa1c2" letter-spacing="0.5">contrail</text>
  </g>`
