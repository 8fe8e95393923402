// A host of calendars on loopback with responses set by a test.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepsConnections } from '../external-host.ts'

export interface CalendarHost {
  url: string
  /** The headers of each request. */
  requests: http.IncomingHttpHeaders[]
  respond: (response: http.ServerResponse, headers: http.IncomingHttpHeaders) => void
  close(): Promise<void>
}

export async function startCalendarHost(): Promise<CalendarHost> {
  const server = http.createServer(keepsConnections, (request, response) => {
    host.requests.push(request.headers)
    host.respond(response, request.headers)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host: CalendarHost = {
    url: `http://127.0.0.1:${port}/trips.ics`,
    requests: [],
    respond: (response) => void response.writeHead(404).end(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return host
}

/** Responds with this text, and with 304 if the client has it already. */
export const serving =
  (text: string, etag?: string): CalendarHost['respond'] =>
  (response, headers) => {
    if (etag !== undefined && headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response
      .writeHead(200, { 'content-type': 'text/calendar', ...(etag === undefined ? {} : { etag }) })
      .end(text)
  }

interface Event {
  uid: string
  summary: string
  /** `20260620T101500Z` */
  start: string
  end: string
  more?: string[]
}

/** As written by TripIt. */
export const calendar = (...events: Event[]): string => calendarOf(tripit, events)
/** As written by most programs. */
export const plainCalendar = (...events: Event[]): string =>
  calendarOf(['PRODID:-//Example//Trips//EN'], events)

const tripit = ['PRODID:-//TripIt Inc//TripIt Calendar 1.0//EN', 'X-WR-CALNAME:TripIt']

const calendarOf = (heads: readonly string[], events: readonly Event[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...heads,
    ...events.flatMap(({ uid, summary, start, end, more = [] }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      'DTSTAMP:20260601T000000Z',
      `DTSTART:${start}`,
      `DTEND:${end}`,
      `SUMMARY:${summary}`,
      `DESCRIPTION:[Flight] ${summary}`,
      ...more,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

export const toNewark: Event = {
  uid: 'item-1@tripit.com',
  summary: 'SK909 CPH to EWR',
  start: '20260720T101500Z',
  end: '20260720T185500Z',
}
export const home: Event = {
  uid: 'item-2@tripit.com',
  summary: 'SK910 EWR to CPH',
  start: '20260728T221500Z',
  end: '20260729T055500Z',
}
