// Made-up mails and calendars, as senders write them.

const CRLF = '\r\n'

/** A part of a message: headers and a body. */
export const part = (type: string, body: string | Buffer, ...headers: string[]): string =>
  [
    `Content-Type: ${type}`,
    ...headers,
    ...(typeof body === 'string' ? ['', body] : ['Content-Transfer-Encoding: base64', '', wrapped(body)]),
  ].join(CRLF)

const wrapped = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}/g, `$&${CRLF}`)

export const multipart = (kind: string, parts: readonly string[], boundary = 'b1'): string =>
  [
    `Content-Type: multipart/${kind}; boundary="${boundary}"`,
    '',
    ...parts.flatMap((one) => [`--${boundary}`, one]),
    `--${boundary}--`,
    '',
  ].join(CRLF)

export const message = (
  body: string,
  { date = 'Mon, 1 Jun 2026 10:00:00 +0200', subject = 'Your booking' } = {},
): string =>
  [
    'Received: from mail.example (mail.example [192.0.2.1]) by mx.example; Mon, 1 Jun 2026 10:00:01 +0200',
    'From: Nordic Air <booking@nordic.example>',
    `Date: ${date}`,
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    body,
  ].join(CRLF)

export const page = (html: string): string =>
  part('text/html; charset=utf-8', `<html><body>${html}</body></html>`)

export const script = (value: unknown): string =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`

type Fields = Record<string, unknown>

/** A reservation of schema.org: CPH to ARN on 1 July 2026, unless overridden. */
export const reservation = (name: string, more: Fields = {}, flight: Fields = {}): Fields => ({
  '@context': 'http://schema.org',
  '@type': 'FlightReservation',
  reservationNumber: 'Q7RT2M',
  reservationStatus: 'http://schema.org/ReservationConfirmed',
  underName: { '@type': 'Person', name },
  ...more,
  reservationFor: {
    '@type': 'Flight',
    flightNumber: '1416',
    airline: { '@type': 'Airline', name: 'SAS', iataCode: 'SK' },
    departureAirport: { '@type': 'Airport', name: 'Copenhagen', iataCode: 'CPH' },
    arrivalAirport: { '@type': 'Airport', name: 'Stockholm', iataCode: 'ARN' },
    departureTime: '2026-07-01T09:20:00+02:00',
    arrivalTime: '2026-07-01T10:30:00+02:00',
    ...flight,
  },
})

/** From New York overnight: a flight whose UTC and local times differ. */
export const toCopenhagen: Fields = {
  flightNumber: 'SK910',
  departureAirport: { '@type': 'Airport', iataCode: 'EWR' },
  arrivalAirport: { '@type': 'Airport', iataCode: 'CPH' },
}

export const event = (...lines: string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT', ''].join(CRLF)

export const calendar = (events: readonly string[], ...head: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...(head.length > 0 ? head : ['PRODID:-//Example//Calendar//EN']),
    '',
  ].join(CRLF) +
  events.join('') +
  `END:VCALENDAR${CRLF}`

/** The text of a bar code: CPH to ARN on day 182, which is 1 July of a common year. */
export const passText = (name: string): string =>
  `M1${name.padEnd(20).slice(0, 20)}EQ7RT2M CPHARNSK 1416 182Y012C0041 100`
