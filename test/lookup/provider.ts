// A provider on loopback with responses set by the test, which counts requests.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepsConnections } from '../external-host.ts'

export interface Answer {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  body?: string
  /** The connection stays open without a response, or is cut. */
  silent?: true
  cut?: true
}

export interface Provider {
  url: string
  /** Paths, in the order of requests. */
  asked: string[]
  headers: http.IncomingHttpHeaders[]
  /** Responses by path; every other path is 404. */
  says(path: string, answer: Answer): void
  close(): Promise<void>
}

export async function startProvider(): Promise<Provider> {
  const answers = new Map<string, Answer>()
  const asked: string[] = []
  const headers: http.IncomingHttpHeaders[] = []
  const server = http.createServer(keepsConnections, (request, response) => {
    asked.push(request.url!)
    headers.push(request.headers)
    const answer = answers.get(request.url!) ?? { status: 404, json: { response: 'unknown callsign' } }
    if (answer.silent) return
    if (answer.cut) return void request.socket.destroy()
    const body = answer.body ?? (answer.json === undefined ? '' : JSON.stringify(answer.json))
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers,
    says: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

interface LegParts {
  number?: string
  from?: string
  to?: string
  /** `2026-06-01 18:25-03:00`. */
  departs: string
  arrives: string
  departure?: Record<string, unknown>
  arrival?: Record<string, unknown>
  [other: string]: unknown
}

const zones: Record<string, string> = {
  GRU: 'America/Sao_Paulo',
  ZRH: 'Europe/Zurich',
  EZE: 'America/Argentina/Buenos_Aires',
  CPH: 'Europe/Copenhagen',
  JFK: 'America/New_York',
  ARN: 'Europe/Stockholm',
}
const icaos: Record<string, string> = {
  GRU: 'SBGR',
  ZRH: 'LSZH',
  EZE: 'SAEZ',
  CPH: 'EKCH',
  JFK: 'KJFK',
  ARN: 'ESSA',
}

/** A time in the provider's format: UTC and local. */
export const moment = (local: string) => ({
  utc: `${new Date(local.replace(' ', 'T')).toISOString().slice(0, 16).replace('T', ' ')}Z`,
  local,
})

/** One flight as AeroDataBox describes it. */
export const leg = ({
  number = 'LX 93',
  from = 'GRU',
  to = 'ZRH',
  departs,
  arrives,
  departure,
  arrival,
  ...rest
}: LegParts) => ({
  greatCircleDistance: { meter: 9_560_000, km: 9560 },
  departure: {
    airport: { icao: icaos[from], iata: from, name: from, timeZone: zones[from], countryCode: 'XX' },
    scheduledTime: moment(departs),
    terminal: '3',
    quality: ['Basic', 'Live'],
    ...departure,
  },
  arrival: {
    airport: { icao: icaos[to], iata: to, name: to, timeZone: zones[to] },
    scheduledTime: moment(arrives),
    quality: ['Basic'],
    ...arrival,
  },
  lastUpdatedUtc: '2026-06-02 12:00Z',
  number,
  callSign: 'SWR93',
  status: 'Arrived',
  codeshareStatus: 'IsOperator',
  isCargo: false,
  aircraft: { reg: 'HB-JNA', modeS: '4B1901', model: 'Boeing 777-300ER' },
  airline: { name: 'SWISS', iata: 'LX', icao: 'SWR' },
  ...rest,
})

/** One route as adsbdb describes it. */
export const usualRoute = (from: [string, string], to: [string, string], midpoint?: [string, string]) => {
  const place = ([icao, iata]: [string, string]) => ({
    icao_code: icao,
    iata_code: iata,
    name: iata,
    latitude: 0,
  })
  return {
    response: {
      flightroute: {
        callsign: 'SAS909',
        callsign_icao: 'SAS909',
        callsign_iata: 'SK909',
        airline: { name: 'Scandinavian Airlines', icao: 'SAS', iata: 'SK', country: 'Sweden' },
        origin: place(from),
        ...(midpoint && { midpoint: place(midpoint) }),
        destination: place(to),
      },
    },
  }
}
