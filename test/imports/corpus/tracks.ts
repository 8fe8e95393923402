// Recorded tracks: GPX, KML, IGC and the table of Flightradar24.
import type { Sample } from './sample.ts'

interface Point {
  latitude: number
  longitude: number
  /** Metres. */
  altitude: number
  at: Date
}

type Place = [latitude: number, longitude: number]

const FIELDS: Record<string, Place> = {
  EKRN: [55.0633, 14.7596],
  EKSB: [54.9644, 9.7917],
  BIAR: [65.6566, -18.072],
  BIEG: [65.2833, -14.4014],
  EIKY: [52.1809, -9.5238],
  EIDW: [53.4287, -6.2621],
  ENTC: [69.6833, 18.9189],
  ENKR: [69.7258, 29.8913],
  EFMI: [61.6866, 27.2018],
  LFNA: [44.455, 6.0378],
  EKCH: [55.6179, 12.656],
  EKYT: [57.0948, 9.8499],
  EFHK: [60.3184, 24.9633],
  EFOU: [64.9301, 25.3546],
}

const STEPS = 40

/** Two minutes on the ground, the way in even steps, a minute on the ground. `shape` says where one is after a share of the way. */
const track = (start: string, minutes: number, height: number, shape: (share: number) => Place): Point[] => {
  const begin = Date.parse(start)
  const point = (seconds: number, [latitude, longitude]: Place, altitude: number): Point => ({
    latitude: Number(latitude.toFixed(5)),
    longitude: Number(longitude.toFixed(5)),
    altitude: Math.round(altitude),
    at: new Date(begin + seconds * 1000),
  })
  const flown = Array.from({ length: STEPS + 1 }, (_, step) => {
    const share = step / STEPS
    return point(120 + share * minutes * 60, shape(share), height * Math.min(1, share * 6, (1 - share) * 6))
  })
  return [
    point(0, shape(0), 0),
    point(60, shape(0.0005), 0),
    ...flown,
    point(180 + minutes * 60, shape(1), 0),
  ]
}

const straight =
  (from: string, to: string) =>
  (share: number): Place => {
    const [[south, west], [north, east]] = [FIELDS[from]!, FIELDS[to]!]
    return [south + (north - south) * share, west + (east - west) * share]
  }

/** Round a point that lies `north` degrees away, back to the field. */
const round =
  (field: string, north: number) =>
  (share: number): Place => {
    const [latitude, longitude] = FIELDS[field]!
    const turned = 2 * Math.PI * share
    const wide = north / Math.cos((latitude * Math.PI) / 180)
    return [latitude + north * (1 - Math.cos(turned)), longitude + wide * Math.sin(turned)]
  }

const stamp = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

const gpx = (creator: string, tracks: [string, Point[]][]): string => {
  const trk = ([name, points]: [string, Point[]]): string =>
    `<trk><name>${name}</name><trkseg>\n${points
      .map(
        (one) =>
          `<trkpt lat="${one.latitude}" lon="${one.longitude}"><ele>${one.altitude}</ele><time>${stamp(one.at)}</time></trkpt>`,
      )
      .join('\n')}\n</trkseg></trk>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="${creator}" xmlns="http://www.topografix.com/GPX/1/1">\n${tracks.map(trk).join('\n')}\n</gpx>\n`
}

const kml = (name: string, points: Point[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>${name}</name>
<Placemark><gx:Track><altitudeMode>absolute</altitudeMode>
${points.map((one) => `<when>${stamp(one.at)}</when>`).join('\n')}
${points.map((one) => `<gx:coord>${one.longitude} ${one.latitude} ${one.altitude}</gx:coord>`).join('\n')}
</gx:Track></Placemark></Document></kml>
`

/** Degrees with minutes in thousandths: `5503798N`. */
const angle = (degrees: number, digits: number, letters: string): string => {
  const whole = Math.floor(Math.abs(degrees))
  const minutes = Math.round((Math.abs(degrees) - whole) * 60_000)
  return `${String(whole).padStart(digits, '0')}${String(minutes).padStart(5, '0')}${letters[degrees < 0 ? 1 : 0]}`
}

const fix = (one: Point): string => {
  const height = String(one.altitude).padStart(5, '0')
  const time = one.at.toISOString().slice(11, 19).replaceAll(':', '')
  return `B${time}${angle(one.latitude, 2, 'NS')}${angle(one.longitude, 3, 'EW')}A${height}${height}`
}

const igc = (head: string[], points: Point[]): string =>
  `${[...head, ...points.map(fix), 'G7F3A09'].join('\r\n')}\r\n`

const radar = (callsign: string, points: Point[]): string =>
  `Timestamp,UTC,Callsign,Position,Altitude,Speed,Direction\n${points
    .map(
      (one, at) =>
        `${one.at.getTime() / 1000},${stamp(one.at)},${callsign},"${one.latitude},${one.longitude}",${Math.round(one.altitude * 3.281)},${at < 2 || at > STEPS + 1 ? 8 : 310},285`,
    )
    .join('\n')}\n`

export const tracks: Sample[] = [
  {
    name: 'GPX of two flights on one day, there and back',
    half: 'a',
    filename: 'bornholm.gpx',
    content: gpx('SkyDemon', [
      ['EKRN EKSB', track('2024-06-08T08:12:00Z', 95, 900, straight('EKRN', 'EKSB'))],
      ['EKSB EKRN', track('2024-06-08T14:40:00Z', 90, 1200, straight('EKSB', 'EKRN'))],
    ]),
    truth: '2024-06-08 EKRN EKSB\n2024-06-08 EKSB EKRN',
  },
  {
    name: 'GPX of a flight in the light night of Iceland, past midnight',
    half: 'b',
    filename: '2023-06-21 track.gpx',
    content: gpx('Garmin Pilot', [
      ['TF-KFA', track('2023-06-21T23:20:00Z', 62, 1500, straight('BIAR', 'BIEG'))],
    ]),
    truth: '2023-06-21 BIAR BIEG',
  },
  {
    name: 'KML track over Ireland',
    half: 'a',
    filename: 'kerry.kml',
    content: kml('Kerry to Dublin', track('2025-05-02T16:05:00Z', 70, 1800, straight('EIKY', 'EIDW'))),
    truth: '2025-05-02 EIKY EIDW',
  },
  {
    name: 'KML track in Norway, after midnight there and before it in UTC',
    half: 'b',
    filename: 'nord.kml',
    content: kml('nord', track('2022-07-30T22:30:00Z', 50, 8000, straight('ENTC', 'ENKR'))),
    truth: '2022-07-31 ENTC ENKR',
  },
  {
    name: 'IGC of a glider, back to its field',
    half: 'a',
    filename: '46CXABC1.igc',
    content: igc(
      [
        'AXCT4f0',
        'HFDTEDATE:120624,01',
        'HFPLTPILOTINCHARGE:Elias Nyström',
        'HFGTYGLIDERTYPE:LS 4',
        'HFGIDGLIDERID:OH-842',
        'HFFTYFRTYPE:XCTrack',
      ],
      track('2024-06-12T10:05:00Z', 64, 1400, round('EFMI', 0.12)),
    ),
    truth: '2024-06-12 EFMI EFMI reg=OH-842',
  },
  {
    name: 'IGC without its first line, old form of the date',
    half: 'b',
    filename: 'tallard.igc',
    content: igc(
      ['HFDTE180523', 'HFPLTPILOT:Julien Moreau', 'HFGTYGLIDERTYPE:Discus', 'HFGIDGLIDERID:F-CEQX'],
      track('2023-05-18T12:30:00Z', 58, 2600, round('LFNA', 0.11)),
    ),
    truth: '2023-05-18 LFNA LFNA reg=F-CEQX',
  },
  {
    name: "Flightradar24's table of a flight",
    half: 'a',
    filename: 'SK1213_36a1b2c4.csv',
    content: radar('SAS1213', track('2025-09-17T06:20:00Z', 34, 7000, straight('EKCH', 'EKYT'))),
    truth: '2025-09-17 CPH AAL number=SK1213 airline=SAS',
  },
  {
    name: "Flightradar24's table of a flight that left after midnight",
    half: 'b',
    filename: 'flight_track.csv',
    content: radar('FIN437', track('2025-03-06T22:15:00Z', 52, 9100, straight('EFHK', 'EFOU'))),
    truth: '2025-03-07 HEL OUL number=AY437 airline=FIN',
  },
]
