// Confirmation mails as sent by airlines, with data for programs (schema.org).

import { passText } from '../imports/mails-made.ts'

interface Booking {
  traveller: string | null
  number?: string
  day?: string
  status?: string
}

const reservation = ({ traveller, number = '909', day = '2026-07-20', status = 'Confirmed' }: Booking) => ({
  '@context': 'http://schema.org',
  '@type': 'FlightReservation',
  reservationNumber: 'Q7RT2M',
  reservationStatus: `http://schema.org/${status}`,
  ...(traveller === null ? {} : { underName: { '@type': 'Person', name: traveller } }),
  reservationFor: {
    '@type': 'Flight',
    flightNumber: number,
    airline: { '@type': 'Airline', name: 'SAS', iataCode: 'SK' },
    departureAirport: { '@type': 'Airport', iataCode: 'CPH' },
    arrivalAirport: { '@type': 'Airport', iataCode: 'EWR' },
    departureTime: `${day}T12:15:00+02:00`,
    arrivalTime: `${day}T14:55:00-04:00`,
  },
})

const message = (subject: string, html: string): string =>
  [
    'From: SAS <no-reply@sas.example>',
    'To: ada@example.org',
    `Subject: ${subject}`,
    'Date: Mon, 15 Jun 2026 10:00:00 +0000',
    `Message-ID: <${subject.replaceAll(/\W/g, '')}@sas.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '',
  ].join('\r\n')

const withData = (subject: string, data: object): string =>
  message(
    subject,
    `<html><body><script type="application/ld+json">${JSON.stringify(data)}</script><p>Thank you</p></body></html>`,
  )

export const confirmation = (booking: Booking, subject = 'Your booking'): string =>
  withData(subject, reservation(booking))

/** With a bar code that says the day, but not the year. `traveller` is written as on the pass. */
export const boardingPass = (traveller: string): string =>
  withData('Your boarding pass', {
    ...reservation({ traveller: null }),
    reservationFor: undefined,
    reservedTicket: { ticketToken: `aztecCode:${passText(traveller)}` },
  })

export const newsletter: string = message('Fly for less', '<p>SK909 from CPH to EWR for 99</p>')
