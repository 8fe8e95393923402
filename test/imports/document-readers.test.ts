// Documents and recordings: the result of their readers for each file (one line per record, written manually from the file;
// `said.ts` describes the format), and their verdicts through the API.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { TRACK_POINTS_AT_MOST } from '../../server/domain/limits.ts'
import type { ContentKind } from '../../server/services/imports/content/content.ts'
import { partsOf } from '../../server/services/imports/content/kind.ts'
import type { ContentReader, ReadContext } from '../../server/services/imports/reading/source.ts'
import { sources } from '../../server/services/imports/reading/sources.ts'
import { fileOf, saidBy } from './said.ts'

const expected: Record<string, string[]> = {
  'flightmemory/deutsch.htm': [
    '- date:14.07.2027(dmy) from:AKL "Auckland" to:RAR "Rarotonga" departure:08:50 arrival:14:40-1d duration:13800 airline:"Air New Zealand" flightNumber:NZ946',
    '- date:09.11.2008(dmy) from:"Bad Vöslau" to:MUC "Franz Josef Strauß" arrival:21:35 duration:6900 airline:"Privat" aircraft:"Cessna 172" aircraftReg:OE-DKG note:Günter flog, 20 € Landegebühr me:pilot,leisure',
    '- date:01.05.2006(dmy) from:HAM "Hamburg" to:CGN "Köln/Bonn" departure:23:50 arrival:00:55+1d duration:3900 airline:"Germanwings" flightNumber:4U 019 aircraft:"Airbus A319" {Aircraft name: Stadt Köln} me:17C,aisle,business',
    '- date:03.04.2001(dmy) from:FRA "Frankfurt" to:LIN "Linate" !value_not_understood:seatClass:Business',
    '- error:bad_date',
  ],
  'flightmemory/english.html': [
    '- date:06-03-2019(mdy) from:MUC "Franz Josef Strauss" to:MAD "Barajas" departure:09:10 arrival:11:55 duration:9900 airline:"Lufthansa" flightNumber:1802 aircraft:"Airbus A320-200" aircraftReg:D-AIUB {Aircraft name: Bad Homburg} note:Late, but a "good" breakfast me:12A,window,economy,business',
    '- date:12-24-2015(mdy) from:JFK "John F Kennedy" to:CPH "Kastrup" departure:18:20 arrival:07:05+1d duration:24300 airline:"SAS Scandinavian Airlines" flightNumber:SK 902 aircraft:"Airbus A330-300" aircraftReg:LN-RKM me:4D,aisle,business,leisure',
    '- date:2003 from:TXL "Tegel" to:ZRH "Zurich" airline:"Swiss"',
  ],
  'flightmemory/no-flights.html': ['- error:unreadable_file'],
  'flightmemory/page-2.html': [
    '- date:07-04-1998(mdy) from:HKG "Kai Tak" to:BKK "Don Mueang" departure:12:00 arrival:14:10 duration:11400 airline:"Cathay Pacific" flightNumber:CX 751 aircraft:"Boeing 747-400" aircraftReg:VR-HOT me:61K,window,economy',
    '- date:07-05-1998(mdy) from:BKK "Bangkok"',
  ],
  'google/order-book.json': ['- skip:not_a_flight'],
  'google/order-flight.json': [
    '- date:2024-02-10 from:HND to:JFK airline:NH "All Nippon Airways" flightNumber:NH110 departure:2024-02-10T10:50:00/+09:00 arrival:2024-02-10T09:40:00/-05:00 bookingReference:Q7RT2M externalId:ORDER-17:1',
    '- from:JFK to:BOS flightNumber:B6 117 departure:2024-02-10T18:00:00/utc bookingReference:Q7RT2M externalId:ORDER-17:2',
  ],
  'google/order-unclear.json': ['- error:unreadable_row', '- error:bad_date', '- skip:not_a_flight'],
  'track/SK1416_2d3f.csv': [
    '2 fromPoint:55.618,12.656 toPoint:59.6519,17.9186 takeoffActual:2024-05-17T05:10:00/utc landingActual:2024-05-17T06:05:00/utc airline:SAS flightNumber:SAS1416 duration:3300 track:csv(15,times,groundSpeedKt,trackDeg)',
  ],
  'track/flightaware.kml': [
    '- fromPoint:55.62607,12.66653 toPoint:59.64383,17.90807 takeoffActual:2024-05-17T05:10:00/utc landingActual:2024-05-17T06:05:00/utc airline:SAS flightNumber:SAS1416 duration:3300 track:kml(12,times)',
  ],
  'track/flightradar24.kml': [
    '- fromPoint:55.618,12.656 toPoint:59.6519,17.9186 takeoffActual:2024-05-17T05:10:00/utc landingActual:2024-05-17T06:05:00/utc duration:3300 {Track: SK1416/SAS4KP} track:kml(15,times)',
  ],
  'track/glider.igc': [
    '7 fromPoint:50,9 toPoint:50,9 takeoffActual:2024-05-17T10:01:00/utc landingActual:2024-05-17T11:00:30/utc aircraft:"LS 4" aircraftReg:D-1234 duration:3570 {Pilot: Ada Gleit} track:igc(7,times)',
  ],
  'track/letters.csv': [
    '2 fromPoint:55.618,12.656 toPoint:59.6519,17.9186 takeoffActual:2024-05-17T05:10:00/utc landingActual:2024-05-17T06:05:00/utc duration:3300 {Callsign: DLH2AB} track:csv(15,times,groundSpeedKt,trackDeg)',
  ],
  'track/lines.kml': [
    '- fromPoint:55.618,12.656 toPoint:59.6519,17.9186 {Track: Out} track:kml(4)',
    '- fromPoint:59.6519,17.9186 toPoint:55.618,12.656 {Track: Back} track:kml(3)',
    '- fromPoint:50.0379,8.5622 toPoint:48.3538,11.786 {Track: Elsewhere} track:kml(2)',
  ],
  'track/night.igc': [
    '5 fromPoint:-33.9,-60 toPoint:-33,-60.6 takeoffActual:1999-12-31T23:50:00/utc landingActual:2000-01-01T00:30:00/utc duration:2400 track:igc(4,times)',
  ],
  'track/receiver.gpx': [
    '- fromPoint:55.618,12.656 toPoint:59.6519,17.9186 takeoffActual:2024-05-17T05:10:00/utc landingActual:2024-05-17T06:05:00/utc duration:3300 {Track: Copenhagen to Stockholm} track:gpx(15,times)',
  ],
  'track/several.gpx': [
    '- fromPoint:55.618,12.656 toPoint:59.6519,17.9186 {Track: Without times & heights} track:gpx(3)',
    '- fromPoint:55.618,12.656 toPoint:50.0379,8.5622 takeoffActual:2024-05-18T05:06:00/utc landingActual:2024-05-18T06:30:00/utc duration:5040 track:gpx(4,times,groundSpeedKt)',
    '- error:unreadable_row',
  ],
  'track/trace_empty.json': ['- error:unreadable_row'],
  'track/trace_full_4ac9e5.json': [
    '- fromPoint:55.618,12.656 toPoint:59.6519,17.9186 takeoffActual:2024-05-17T05:10:00/utc landingActual:2024-05-17T06:05:00/utc airline:SAS flightNumber:SAS1416 aircraft:A20N aircraftReg:SE-ROA duration:3300 track:readsb(15,times,groundSpeedKt,trackDeg,ground)',
    '- fromPoint:59.6519,17.9186 toPoint:55.618,12.656 takeoffActual:2024-05-17T06:55:00/utc landingActual:2024-05-17T07:50:00/utc aircraft:A20N aircraftReg:SE-ROA duration:3300 {Callsign: SAS4KP} track:readsb(14,times,groundSpeedKt,trackDeg,ground)',
  ],
  'track/undated.igc': ['3 fromPoint:47,8 toPoint:47.5,8.5 track:igc(2)'],
  'tripit/api-v1.xml': [
    '- date:2012-02-20 from:BRU to:FCO airline:SN flightNumber:SN3177 aircraft:319 departure:2012-02-20T18:30 arrival:2012-02-20T20:40 departureScheduled:2012-02-20T18:30 arrivalScheduled:2012-02-20T20:40 bookingReference:X1Y2Z3 {Trip: Brussels & Rome, 2012} {Cost of the booking: EUR 310.00} me:business,2F externalId:990001',
    '- date:2012-02-24 from:"Rome" to:BRU airline:"Brussels Airlines" flightNumber:3178 departure:2012-02-24T21:05/+01:00 arrival:2012-02-24T23:15/+01:00 departureScheduled:2012-02-24T21:05/+01:00 arrivalScheduled:2012-02-24T23:15/+01:00 bookingReference:X1Y2Z3 {Trip: Brussels & Rome, 2012} externalId:990002',
    '- skip:not_a_flight',
  ],
  'tripit/exporter.json': [
    '- date:2024-03-30 from:EWR to:CPH airline:UA flightNumber:UA8902 operatingAirline:SK operatingFlightNumber:SK910 aircraft:333 departure:2024-03-30T23:10/-04:00 arrival:2024-03-31T12:25/+02:00 departureScheduled:2024-03-30T23:10/-04:00 arrivalScheduled:2024-03-31T12:25/+02:00 bookingReference:K3LM9P note:Ask for the seats\nby the door. {Trip: Easter} {Cost of the booking: $2,310.00} with:"Nora Lindqvist",economy,31A with:"Ben A Okafor",economy,31B isImporterNamed:true externalId:seg-0002',
    '- date:2024-03-31 from:CPH to:ARN airline:SK flightNumber:SK1420 departure:2024-03-31T14:00 arrival:2024-03-31T15:10 departureScheduled:2024-03-31T14:00 arrivalScheduled:2024-03-31T15:10 bookingReference:K3LM9P note:Ask for the seats\nby the door. {Trip: Easter} {Seats: 12A} with:"Nora Lindqvist" with:"Ben A Okafor" isImporterNamed:true externalId:seg-0003 !value_not_understood:seatClass:Holzklasse !value_not_understood:seatNumber:12A',
    '- skip:not_mine date:2024-04-02 from:ARN to:CPH airline:SK flightNumber:SK1401 departure:2024-04-02T08:00/+02:00 arrival:2024-04-02T09:10/+02:00 departureScheduled:2024-04-02T08:00/+02:00 arrivalScheduled:2024-04-02T09:10/+02:00 {Trip: Easter} with:"Ben Okafor" externalId:seg-0004',
    '- skip:not_a_flight',
    '- skip:not_a_flight',
    '- skip:not_a_flight',
    '- date:2024-03-30 from:EWR to:CPH airline:UA flightNumber:UA8902 operatingAirline:SK operatingFlightNumber:SK910 aircraft:333 departure:2024-03-30T23:10/-04:00 arrival:2024-03-31T12:25/+02:00 departureScheduled:2024-03-30T23:10/-04:00 arrivalScheduled:2024-03-31T12:25/+02:00 bookingReference:K3LM9P note:Ask for the seats\nby the door. {Trip: Easter} {Cost of the booking: $2,310.00} with:"Nora Lindqvist",economy,31A with:"Ben A Okafor",economy,31B isImporterNamed:true externalId:seg-0002',
    '- skip:hidden date:2024-05-10 from:ARN to:HEL airline:AY flightNumber:AY802 departure:2024-05-10T06:30 arrival:2024-05-10T08:40 departureScheduled:2024-05-10T06:30 arrivalScheduled:2024-05-10T08:40 {Trip: Work} externalId:seg-0005',
    '- skip:cancelled date:2024-05-10 from:HEL to:OUL outcome:cancelled airline:AY flightNumber:AY431 departure:2024-05-10T09:30 arrival:2024-05-10T10:40 departureScheduled:2024-05-10T09:30 arrivalScheduled:2024-05-10T10:40 {Trip: Work} externalId:seg-0006',
    '- date:2024-05-11 from:HEL to:RVN plannedTo:OUL outcome:diverted airline:AY flightNumber:AY433 departure:2024-05-11T09:30 departureScheduled:2024-05-11T09:30 arrivalScheduled:2024-05-11T10:40 {Trip: Work} externalId:seg-0007',
    '- date:2024-05-11 from:RVN to:OUL airline:AY flightNumber:AY435 departure:2024-05-11T16:00 arrival:2024-05-11T17:00 departureScheduled:2024-05-11T16:00 arrivalScheduled:2024-05-11T17:00 {Trip: Work} externalId:seg-0010 !diverted:toId',
    '- error:bad_date from:OUL to:HEL {Trip: Work} externalId:seg-0008',
    '- error:unreadable_row',
  ],
  'tripit/one-trip.json': [
    '- date:2025-09-01 from:MAD "Madrid" to:LHR "London" airline:IB "Iberia" flightNumber:IB3170 aircraft:32A "Airbus A320" departure:2025-09-01T08:05/+02:00 arrival:2025-09-01T09:17/+01:00 departureScheduled:2025-09-01T07:50/+02:00 arrivalScheduled:2025-09-01T09:20/+01:00 departureTerminal:4S departureGate:S12 arrivalTerminal:5 bookingReference:Q7RT2M price:1142.50 EUR {Trip: London, September 2025} {Booking site reference: 88-1204} me:economy,12C externalId:seg-0001',
    '- skip:not_a_flight',
  ],
  'tripit-ics/feed.ics': [
    '6 skip:not_a_flight',
    '14 from:MAD to:LHR airline:IB flightNumber:IB3170 departure:2025-09-01T05:50:00/utc arrival:2025-09-01T08:20:00/utc departureTerminal:4S departureGate:S12 arrivalTerminal:5 externalId:item-1a2b@tripit.com',
    '25 from:LGW to:FCO airline:U2 flightNumber:U28642 departure:2025-09-03T19:05:00/utc arrival:2025-09-03T21:35:00/utc externalId:item-3c4d@tripit.com',
    '33 skip:not_a_flight',
  ],
  'tripit-ics/nasty.ics': [
    '3 from:AKL to:RAR airline:NZ flightNumber:NZ946 departure:2025-03-01T08:50:00/Pacific/Auckland arrival:2025-02-28T14:40:00/Pacific/Rarotonga externalId:item-n1@tripit.com',
    '10 date:2025-03-10 from:BOM to:DEL airline:9W flightNumber:9W123 departure:2025-03-10T06:00:00 arrival:2025-03-10T07:10:00 externalId:item-n2@tripit.com !floating_time:departure',
    '16 skip:cancelled from:CPH to:ARN airline:SK flightNumber:SK1416 departure:2025-03-12T06:00:00/utc arrival:2025-03-12T07:10:00/utc externalId:item-n3@tripit.com outcome:cancelled',
    '23 error:unreadable_row',
    '30 error:bad_date',
    '35 error:unreadable_row',
  ],
  'tripit-ics/one-trip.ics': [
    '4 from:EWR to:CPH airline:SAS flightNumber:SAS902 departure:2011-12-24T23:20:00/utc arrival:2011-12-25T06:05:00/utc externalId:item-2011@tripit.com',
  ],
}

const context: ReadContext = {
  options: {},
  mapping: null,
  today: '2026-06-15',
  documentDate: '2026-06-15',
  preferredOrder: null,
  filename: 'folder/my night.igc',
}
const trackReader = (wanted: ContentKind): ContentReader<never> =>
  sources.find(({ id }) => id === 'track')!.readers.find(({ kind }) => kind === (wanted as never))!

const folders = ['flightmemory', 'google', 'track', 'tripit', 'tripit-ics']

for (const [path, records] of Object.entries(expected))
  test(`records of ${path} are as expected`, async () => {
    const said = await saidBy(fileOf(path))
    assert.equal(said.source, path.split('/')[0])
    assert.deepEqual(said.records, records)
  })

test('every file of these sources has expectations', () => {
  const files = folders.flatMap((folder) => globSync(`${folder}/*`, { cwd: `${import.meta.dirname}/files` }))
  assert.deepEqual(files.sort(), Object.keys(expected).sort())
})

test('several saved pages of FlightMemory are one import in archive order', async () => {
  const zip = zipSync({
    'page 1.html': fileOf('flightmemory/english.html'),
    'page 2.htm': fileOf('flightmemory/deutsch.htm'),
  })
  const { source, records } = await saidBy(zip)
  assert.equal(source, 'flightmemory')
  assert.deepEqual(records, [
    ...expected['flightmemory/english.html']!,
    ...expected['flightmemory/deutsch.htm']!,
  ])
})

test('a KMZ is read as the map in it', async () => {
  const kmz = zipSync({ 'files/icon.png': new Uint8Array([1]), 'doc.kml': fileOf('track/flightradar24.kml') })
  assert.deepEqual(await saidBy(kmz), { source: 'track', records: expected['track/flightradar24.kml']! })
})

test('a recording past midnight becomes points as the API accepts them', async () => {
  const [content] = await partsOf(fileOf('track/night.igc'))[0]!()
  const [record] = trackReader('text').records(content as never, context)
  assert.deepEqual(record!.flight?.track, {
    // Height from satellites if the fix has one, else from the air pressure.
    coordinates: [
      [-60, -33.9, 100],
      [-60, -33.8, 900],
      [-60.5, -33.2, 1600],
      [-60.6, -33, 95],
    ],
    times: [946_684_200, 946_684_500, 946_685_400, 946_686_600],
    sourceFormat: 'igc',
    sourceName: 'my night.igc',
  })
})

test('a long track is thinned to the API’s limit and keeps its ends', async () => {
  const many = TRACK_POINTS_AT_MOST * 2 + 3
  const row = (i: number) => `${1_700_000_000 + i},,SAS1,"${(i / many).toFixed(6)},10",30000,400,0`
  const csv = `Timestamp,UTC,Callsign,Position,Altitude,Speed,Direction\n${Array.from({ length: many }, (_, i) => row(i)).join('\n')}`
  const { records } = await saidBy(strToU8(csv))
  assert.deepEqual(records, [
    '2 fromPoint:0,10 toPoint:0.999995,10 takeoffActual:2023-11-14T22:13:20/utc landingActual:2023-11-17T05:46:42/utc airline:SAS flightNumber:SAS1 duration:200002 track:csv(66669,times,groundSpeedKt,trackDeg)',
  ])
})

test('a source chosen by the person reports files of other sources', () => {
  const content = { kind: 'json', part: null, value: { a: 1 }, form: 'json' }
  assert.deepEqual(
    [...trackReader('json').records(content as never, context)],
    [{ line: null, raw: '{"a":1}', error: { code: 'unreadable_row' } }],
  )
})
