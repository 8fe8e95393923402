// Draws assets/globe.svg, the picture next to the sign-in form: the same for every instance, without data of any log. `node
// tools/globe-picture.ts` writes it; the colours are those of assets/tokens.css.
import { readFileSync, writeFileSync } from 'node:fs'
import { geoDistance, geoGraticule, geoInterpolate, geoOrthographic, geoPath, geoRotation } from 'd3-geo'
import { merge, mesh } from 'topojson-client'
import type { GeometryCollection, MultiPolygon, Topology } from 'topojson-specification'

type Point = [number, number]

const RADIUS = 300
const MIDDLE = 360
const TURNED: [number, number] = [-6, -38]

const home: Point = [12.65, 55.62]
const places: Record<string, Point> = {
  EWR: [-74.17, 40.69],
  KEF: [-22.6, 63.99],
  SFJ: [-50.71, 67.01],
  TOS: [18.92, 69.68],
  LIS: [-9.13, 38.77],
  DSS: [-17.07, 14.67],
  GRU: [-46.47, -23.43],
  JNB: [28.24, -26.13],
  NBO: [36.93, -1.32],
  DXB: [55.36, 25.25],
  DEL: [77.1, 28.57],
}
/** Second airports of routes that do not start at home, and the unnamed ones. */
const others: [Point, Point][] = [
  [places['LIS']!, places['GRU']!],
  [[-0.46, 51.47], places['JNB']!],
  [[8.57, 50.03], places['DEL']!],
  [[2.55, 49.01], places['DSS']!],
]
const near: Point[] = [
  [-0.46, 51.47],
  [8.57, 50.03],
  [2.55, 49.01],
  [24.96, 60.32],
  [23.94, 37.94],
  [28.81, 41.26],
  [2.08, 41.3],
]

const projection = geoOrthographic().rotate(TURNED).scale(RADIUS).translate([MIDDLE, MIDDLE])
const path = geoPath(projection).digits(1)
type Countries = GeometryCollection<{ name: string }>
const world = JSON.parse(
  readFileSync(new URL('../assets/land-110m.json', import.meta.url), 'utf8'),
) as Topology<{ countries: Countries }>
const land = merge(world, world.objects.countries.geometries as MultiPolygon[])
const borders = mesh(world, world.objects.countries, (a, b) => a !== b)

/** The same drawing in fewer bytes: closer points are left out, the others are relative to the last one. */
const CLOSEST = 1.4
function short(drawing: string | null): string {
  return (drawing ?? '').replace(/M[^M]+/g, (line) => {
    const closed = line.endsWith('Z')
    const points = line
      .replace(/[MZ]/g, '')
      .split('L')
      .map((pair) => pair.split(',').map(Number) as Point)
    const first = points[0]!
    let last = first
    const steps: string[] = []
    for (const [i, [x, y]] of points.entries()) {
      const isEnd = i === points.length - 1
      if (i === 0 || (!isEnd && Math.hypot(x - last[0], y - last[1]) < CLOSEST)) continue
      const step: Point = [tenths(x - last[0]), tenths(y - last[1])]
      last = [last[0] + step[0], last[1] + step[1]]
      steps.push(step.map(plain).join(' ').replace(' -', '-'))
    }
    // Shapes smaller than a point are not drawn.
    if (steps.length < 3 && closed) return ''
    return `M${first.map(plain).join(' ')}l${steps.join(' ').replaceAll(' -', '-')}${closed ? 'z' : ''}`
  })
}

const tenths = (value: number): number => Math.round(value * 10) / 10
const plain = (value: number): string => String(value).replace(/^(-?)0\./, '$1.')

const turn = geoRotation(TURNED)
const radians = Math.PI / 180

/** A visible point at a height above the ground; undefined behind the globe. The height follows the map's rule. */
function seen(place: Point, height: number): Point | undefined {
  const [lon, lat] = turn(place)
  const depth = Math.cos(lat * radians) * Math.cos(lon * radians)
  if (depth < 0) return undefined
  const t = Math.min(1, depth / 0.72)
  const radius = RADIUS * (1 + height * t * t * (3 - 2 * t))
  return [
    MIDDLE + radius * Math.cos(lat * radians) * Math.sin(lon * radians),
    MIDDLE - radius * Math.sin(lat * radians),
  ]
}

const STEPS = 20
function arc(from: Point, to: Point): string {
  const angle = geoDistance(from, to)
  const top = Math.min(0.3, 0.012 + 0.085 * angle ** 1.15)
  const along = geoInterpolate(from, to)
  const points = Array.from({ length: STEPS + 1 }, (_, i) =>
    seen(along(i / STEPS) as Point, top * Math.max(0, Math.sin((Math.PI * i) / STEPS)) ** 0.85),
  ).filter((point) => point !== undefined)
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`
}

const dot = (place: Point, r: number): string => {
  const at = seen(place, 0)
  return at ? `<circle cx="${at[0].toFixed(1)}" cy="${at[1].toFixed(1)}" r="${r}"/>` : ''
}

const far = Object.values(places)
const rare = [
  ...others,
  ...far
    .slice(0, 11)
    .filter((_, i) => i !== 6 && i !== 7)
    .map((to): [Point, Point] => [home, to]),
]
const often = near.map((to): [Point, Point] => [home, to])
const lines = (list: [Point, Point][]) => list.map(([from, to]) => arc(from, to)).join('')
const style = `.o{fill:url(#o)}.l{fill:#fbfbf9;stroke:#b9c6d6}.i{stroke:#d4dbe4}.g{stroke:#c3d2e3}.e{stroke:#547cb4}.h{stop-color:#b9d0f0}.a{stop-color:#eef4fb}.b{stop-color:#c3d5ea}.r{stroke:#3f74dc}.f{stroke:#c2255c}.d{fill:#141a24;stroke:#fff}@media(prefers-color-scheme:dark){.l{fill:#223150;stroke:#3a4c6e}.i{stroke:#3a4c6e}.g{stroke:#141d2c}.e{stroke:#2c4a80}.h{stop-color:#1b3a6e}.a{stop-color:#101a30}.b{stop-color:#0a1120}.r{stroke:#4f86f0}.f{stroke:#ff9ec4}.d{fill:#e9edf4;stroke:#070a11}}`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 720"><style>${style}</style><defs><radialGradient id="o" cx=".36" cy=".3" r=".85"><stop class="a"/><stop class="b" offset="1"/></radialGradient><radialGradient id="h"><stop class="h" offset=".8" stop-opacity=".55"/><stop class="h" offset="1" stop-opacity="0"/></radialGradient></defs><circle cx="360" cy="360" r="358" fill="url(#h)"/><circle class="o" cx="360" cy="360" r="300"/><path class="g" fill="none" stroke-width=".6" d="${short(path(geoGraticule().step([20, 20]).precision(8)()))}"/><path class="l" stroke-width=".8" stroke-linejoin="round" d="${short(path(land))}"/><path class="i" fill="none" stroke-width=".6" d="${short(path(borders))}"/><circle class="e" cx="360" cy="360" r="300" fill="none" stroke-opacity=".55"/><g fill="none" stroke-linecap="round"><path class="r" stroke-width="1.8" d="${lines(rare)}"/><path class="f" stroke-width="1.8" d="${lines(often)}"/></g><g class="d" stroke-width="1.2">${[...far, ...near].map((place) => dot(place, 3)).join('')}${dot(home, 5.5)}</g></svg>
`
writeFileSync(new URL('../assets/globe.svg', import.meta.url), svg)
process.stdout.write(`assets/globe.svg: ${Buffer.byteLength(svg)} bytes\n`)
